package org.parallax.analysis.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.export.Interactions;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.SampledThreads;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.CallIntervals;
import org.parallax.analysis.waits.Interplay;
import org.parallax.analysis.waits.ThreadStops;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Pictures of random programs against the intervals of their threads, each looked at by itself. */
class ProgramTimelineTest {
  private static final int PROGRAMS = 30;

  @TempDir Path directory;

  private record Interval(long beginNs, long endNs, int state, int path) {}

  /** What a thread does, from all of its events; with its waits cut out, if there are any. */
  private static List<Interval> intervals(
      ProgramTimeline timeline, ThreadRecord record, ThreadStops stops) {
    List<Interval> intervals = new ArrayList<>();
    CallIntervals.read(record.thread(), Window.ALL, (begin, end, path) ->
        intervals.add(new Interval(begin, end,
            timeline.workload().procedures().leaf(record.process().index(), path), path)),
        Progress.NONE);
    return stops == null ? intervals : withWaits(timeline, intervals, stops);
  }

  private static List<Interval> withWaits(
      ProgramTimeline timeline, List<Interval> intervals, ThreadStops stops) {
    List<Interval> waits = new ArrayList<>();
    for (long i = 0; i < stops.count(); i++) {
      long begin = stops.beginNs(i);
      waits.add(new Interval(begin, begin + stops.lengthNs(i), timeline.state(stops.state(i)), stops.path(i)));
    }
    List<Interval> all = new ArrayList<>();
    for (Interval interval : intervals) {
      long from = interval.beginNs;
      for (Interval wait : waits) {
        if (wait.path == interval.path && wait.endNs > from && wait.beginNs < interval.endNs) {
          all.add(new Interval(from, wait.beginNs, interval.state, interval.path));
          all.add(new Interval(Math.max(from, wait.beginNs), Math.min(wait.endNs, interval.endNs),
              wait.state, interval.path));
          from = Math.min(wait.endNs, interval.endNs);
        }
      }
      all.add(new Interval(from, interval.endNs, interval.state, interval.path));
    }
    return all;
  }

  private static long[] times(List<Interval> intervals, int states, long fromNs, long toNs) {
    long[] times = new long[states];
    for (Interval interval : intervals) {
      times[interval.state] += Math.max(0,
          Math.min(toNs, interval.endNs) - Math.max(fromNs, interval.beginNs));
    }
    return times;
  }

  private static int dominating(long[] times) {
    int best = StateColumns.NONE;
    for (int state = 0; state < times.length; state++) {
      if (times[state] > (best < 0 ? 0 : times[best])) {
        best = state;
      }
    }
    return best;
  }

  private interface Check {
    void check(String name, ProgramTimeline timeline, Random random);
  }

  /** Runs a check on random programs, with short steps, so that there are many. */
  private void onPrograms(Check check) throws TraceException {
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Random random = new Random(seed);
      try (Trace trace = Trace.open(
          write(seed, directory.resolve("t" + seed), 1 + random.nextInt(4)))) {
        ApplicationAnalysis analysis =
            new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
        check.check("seed " + seed, new ProgramTimeline(analysis.name(), analysis.workload(),
            analysis.threads(), analysis::replay, 1 + random.nextInt(20), null), random);
      }
    }
  }

  private static Path write(long seed, Path target, int threads) {
    return seed % 5 == 0 ? SampledThreads.write(seed, target, threads, 200)
        : RandomPrograms.write(seed, target, threads, 200);
  }

  private static ApplicationAnalysis analysis(ProgramTimeline timeline) {
    return new ApplicationAnalysis(timeline.workload().applications().get(0));
  }

  private static int[] all(ProgramTimeline timeline) {
    return IntStream.range(0, timeline.threads().size()).toArray();
  }

  /** A lane for each thread. */
  private static int[][] alone(int[] threads) {
    return Arrays.stream(threads).mapToObj(thread -> new int[] {thread}).toArray(int[][]::new);
  }

  private static long[] part(ProgramTimeline timeline, Random random) {
    long begin = timeline.beginNs();
    long length = timeline.endNs() - begin;
    if (random.nextInt(4) == 0) {
      return new long[] {begin, begin + length};
    }
    long from = begin - length / 10 + random.nextLong(length);
    return new long[] {from, from + 1 + random.nextLong(length)};
  }

  private static void compare(
      String name, ProgramTimeline timeline, Interplay interplay, Random random) {
    int[] shown = all(timeline);
    List<List<Interval>> expected = Arrays.stream(shown).mapToObj(thread -> intervals(timeline,
        timeline.threads().get(thread), interplay == null ? null : interplay.stops(thread)))
        .toList();
    for (int round = 0; round < 6; round++) {
      long[] part = part(timeline, random);
      int columns = 1 + random.nextInt(300);
      StateColumns exact = timeline.states(
          alone(shown), part[0], part[1], columns, true, Progress.NONE);
      assertEquals(StateColumns.Quality.EXACT, exact.quality());
      checkLanes(name, timeline, expected, part, columns, random);
      for (int thread : shown) {
        for (int column = 0; column < columns; column++) {
          long from = StateColumns.beginNs(part[0], part[1], columns, column);
          // At least the nanosecond in which the column is.
          long to = Math.max(from + 1,
              StateColumns.beginNs(part[0], part[1], columns, column + 1));
          long[] times = times(expected.get(thread), timeline.stateCount(), from, to);
          assertEquals(dominating(times), exact.states()[thread][column],
              name + ", thread " + thread + ", column " + column + " of " + columns);
        }
        long[] times =
            times(expected.get(thread), timeline.stateCount(), part[0], part[1]);
        List<ProgramTimeline.Share> shares = timeline.shares(new int[] {thread}, part[0], part[1]);
        assertEquals(Arrays.stream(times).sum(),
            shares.stream().mapToLong(ProgramTimeline.Share::ns).sum());
        shares.forEach(share -> assertEquals(times[share.state()], share.ns(), name));
      }
    }
  }

  /** Lanes of several threads, and one of none. */
  private static void checkLanes(String name, ProgramTimeline timeline,
      List<List<Interval>> expected, long[] part, int columns, Random random) {
    List<List<Integer>> lanes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      lanes.add(new ArrayList<>());
    }
    for (int thread : all(timeline)) {
      lanes.get(random.nextInt(3)).add(thread);
    }
    int[][] shown = lanes.stream().map(lane -> lane.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
    StateColumns exact = timeline.states(shown, part[0], part[1], columns, true, Progress.NONE);
    for (int lane = 0; lane < shown.length; lane++) {
      for (int column = 0; column < columns; column++) {
        long from = StateColumns.beginNs(part[0], part[1], columns, column);
        long to = Math.max(from + 1, StateColumns.beginNs(part[0], part[1], columns, column + 1));
        long[] sums = new long[timeline.stateCount()];
        for (int thread : shown[lane]) {
          long[] times = times(expected.get(thread), sums.length, from, to);
          Arrays.setAll(sums, state -> sums[state] + times[state]);
        }
        assertEquals(dominating(sums), exact.states()[lane][column],
            name + ", lane of " + Arrays.toString(shown[lane]) + ", column " + column);
      }
    }
  }

  @Test
  void exactColumnsHaveTheStateWithMostTime() throws TraceException {
    onPrograms((name, timeline, random) -> {
      timeline.read(all(timeline), () -> { }, Progress.NONE);
      compare(name, timeline, null, random);
      timeline.readInterplay(Progress.NONE);
      compare(name, timeline, Interplay.of(
          timeline.workload().processes(), Progress.NONE), random);
    });
  }

  @Test
  void waitsAreKnownInWhicheverOrderTheyAreRead() throws TraceException {
    onPrograms((name, timeline, random) -> {
      timeline.readInterplay(Progress.NONE);
      timeline.read(new int[0], () -> { }, Progress.NONE);
      compare(name, timeline, Interplay.of(
          timeline.workload().processes(), Progress.NONE), random);
    });
  }

  @Test
  void waitsAddUpToThoseOfTheReplay() throws TraceException {
    long[] all = {0};
    onPrograms((name, timeline, random) -> {
      var processes = timeline.workload().processes();
      Replay replay = Replay.waitsOf(processes, Progress.NONE);
      Interplay interplay = Interplay.of(processes, Progress.NONE);
      for (ThreadRecord record : replay.threads()) {
        long[] expected = {0};
        record.waitLog().visit(Long.MIN_VALUE, Long.MAX_VALUE,
            (kind, begin, end) -> expected[0] += end - begin);
        ThreadStops stops = interplay.stops(record.index());
        long sum = 0;
        for (long i = 0; i < stops.count(); i++) {
          sum += stops.lengthNs(i);
        }
        assertEquals(expected[0], sum, name);
        all[0] += sum;
      }
    });
    assertTrue(all[0] > 0, "there are waits");
  }

  @Test
  void addingWaitsUpCanBeCancelled() throws TraceException {
    Progress cancelled = new Progress() {
      @Override
      public boolean isCancelled() {
        return true;
      }
    };
    int[] found = {0};
    onPrograms((name, timeline, random) -> {
      timeline.readInterplay(Progress.NONE);
      if (LongStream.of(timeline.waitNs(Progress.NONE)).sum() > 0) {
        assertThrows(CancellationException.class, () -> timeline.waitNs(cancelled), name);
        found[0]++;
      }
    });
    assertTrue(found[0] > 0);
  }

  @Test
  void sharesAreOffByNoMoreThanTheStepsAtTheBorders() throws TraceException {
    onPrograms((name, timeline, random) -> {
      timeline.read(all(timeline), () -> { }, Progress.NONE);
      for (int thread : all(timeline)) {
        List<Interval> expected = intervals(timeline, timeline.threads().get(thread), null);
        StateIndex index = StateIndex.of(timeline.threads().get(thread),
            timeline.workload().procedures(), 16, Progress.NONE);
        long[] part = part(timeline, random);
        int columns = 1 + random.nextInt(40);
        StateReader reader = new StateReader(index, part[0], false);
        StateTimes found = new StateTimes(timeline.stateCount());
        for (int column = 0; column < columns; column++) {
          long from = StateColumns.beginNs(part[0], part[1], columns, column);
          long to = StateColumns.beginNs(part[0], part[1], columns, column + 1);
          reader.addUntil(to, found);
          long allowed = 2L * index.steps();  // rounding
          for (int step = 0; step < index.steps(); step++) {
            boolean whole = index.beginNs(step) >= from && index.endNs(step) <= to;
            boolean touches = index.beginNs(step) < to && index.endNs(step) > from;
            allowed += touches && !whole ? Math.min(to, index.endNs(step))
                - Math.max(from, index.beginNs(step)) : 0;
          }
          long[] times = times(expected, timeline.stateCount(), from, to);
          for (int state = 0; state < times.length; state++) {
            assertTrue(Math.abs(times[state] - found.ns(state)) <= allowed, name);
          }
          found.clear();
        }
      }
    });
  }

  @Test
  void beforeEventsAreReadStatesAreThoseOfMoments() throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("moments"));
    Random random = new Random(1);
    for (int rank = 0; rank < 3; rank++) {
      TracedProcess process = builder.process("node", "/opt/ring").mpi(7, rank, 3);
      TracedThread thread = process.thread(0);
      thread.threadBegin(rank * 50, -1);
      long now = 200;
      for (int step = 0; step < 300; step++) {
        for (int i = random.nextInt(3); i >= 0; i--) {
          now += 1 + random.nextInt(40);
          thread.sample(now, random.nextBoolean() ? "main/solve" : "main/solve/relax");
        }
        long enter = now + random.nextInt(30);
        now = enter + 1 + random.nextInt(100);
        thread.collective(enter, now, "main/solve/MPI_Barrier", 1, Collective.BARRIER,
            Kind.NO_ROOT, 0, 0);
      }
      thread.threadEnd(now);
      process.exit(now, 0);
    }
    try (Trace trace = Trace.open(builder.write())) {
      ProgramTimeline timeline = new ApplicationAnalysis(
          SessionBuilder.of(trace).getApplications().get(0)).timeline();
      int columns = 211;
      StateColumns found = timeline.states(
          alone(all(timeline)), timeline.beginNs(), timeline.endNs(), columns, false, Progress.NONE);
      assertEquals(StateColumns.Quality.SAMPLED, found.quality());
      for (int thread : all(timeline)) {
        List<Interval> expected = intervals(timeline, timeline.threads().get(thread), null);
        for (int column = 0; column < columns; column++) {
          long middle = StateColumns.beginNs(
              timeline.beginNs(), timeline.endNs(), 2 * columns, 2 * column + 1);
          int state = expected.stream()
              .filter(each -> each.beginNs <= middle && middle < each.endNs)
              .map(Interval::state).findFirst().orElse(StateColumns.NONE);
          assertEquals(state, found.states()[thread][column],
              "thread " + thread + " at " + middle);
        }
      }
    }
  }

  /** When a thread comes into a state, from its intervals. */
  private static List<Long> begins(List<Interval> intervals, int state) {
    List<Long> begins = new ArrayList<>();
    long end = Long.MIN_VALUE;
    for (Interval each : intervals) {
      if (each.state == state && each.endNs > each.beginNs) {
        if (each.beginNs != end) {
          begins.add(each.beginNs);
        }
        end = each.endNs;
      }
    }
    return begins;
  }

  @Test
  void occurrencesAreTheBeginsOfIntervals() throws TraceException {
    int[] found = {0};
    onPrograms((name, timeline, random) -> {
      assertNull(timeline.occurrences(0, Progress.NONE), "it was not read yet");
      timeline.read(all(timeline), () -> { }, Progress.NONE);
      timeline.readInterplay(Progress.NONE);
      Interplay interplay = Interplay.of(timeline.workload().processes(), Progress.NONE);
      for (int thread : all(timeline)) {
        List<Interval> expected =
            intervals(timeline, timeline.threads().get(thread), interplay.stops(thread));
        Occurrences occurrences = timeline.occurrences(thread, Progress.NONE);
        for (int round = 0; round < 10 && !expected.isEmpty(); round++) {
          int state = expected.get(random.nextInt(expected.size())).state;
          List<Long> begins = begins(expected, state);
          long at = round % 2 == 0 && !begins.isEmpty()
              ? begins.get(random.nextInt(begins.size())) : part(timeline, random)[0];
          assertEquals(begins.stream().mapToLong(each -> each).filter(each -> each > at).min(),
              occurrences.next(each -> each == state, at), name + ": after " + at);
          assertEquals(begins.stream().mapToLong(each -> each).filter(each -> each < at).max(),
              occurrences.previous(each -> each == state, at), name + ": before " + at);
          found[0] += begins.size();
        }
        List<MessageLines.Line> lines =
            timeline.messages(all(timeline), timeline.beginNs(), timeline.endNs() + 1, 1 << 20).lines();
        long at = part(timeline, random)[0];
        long[] moments = lines.stream().flatMapToLong(line -> LongStream.concat(
            line.from() == thread ? LongStream.of(line.sentNs())
                : LongStream.empty(),
            line.to() == thread ? LongStream.of(line.receivedNs())
                : LongStream.empty())).toArray();
        assertEquals(Arrays.stream(moments).filter(each -> each > at).min(),
            occurrences.message(at, true), name);
        assertEquals(Arrays.stream(moments).filter(each -> each < at).max(),
            occurrences.message(at, false), name);
      }
    });
    assertTrue(found[0] > 1000, "there are occurrences: " + found[0]);
  }

  @Test
  void activitiesAreTheIntervals() throws TraceException {
    onPrograms((name, timeline, random) -> {
      assertNull(timeline.at(0, timeline.beginNs()));
      timeline.read(all(timeline), () -> { }, Progress.NONE);
      timeline.readInterplay(Progress.NONE);
      Interplay interplay =
          Interplay.of(timeline.workload().processes(), Progress.NONE);
      for (int thread : all(timeline)) {
        List<Interval> calls = intervals(timeline, timeline.threads().get(thread), null);
        List<Interval> withWaits =
            intervals(timeline, timeline.threads().get(thread), interplay.stops(thread));
        assertNull(timeline.at(thread, timeline.endNs()));
        for (Interval call : withWaits) {
          if (call.endNs == call.beginNs) {
            continue;
          }
          long at = call.beginNs + random.nextLong(call.endNs - call.beginNs);
          ProgramTimeline.Activity found = timeline.at(thread, at);
          assertEquals(call.path, found.path(), name);
          assertTrue(found.beginNs() <= at && at < found.endNs());
          if (call.state >= timeline.workload().procedures().count()) {
            assertEquals(timeline.wait(call.state), found.waiting(), name);
            assertTrue(found.waitBeginNs() <= call.beginNs && call.endNs <= found.waitEndNs());
          } else {
            assertNull(found.waiting(), name);
          }
        }
        Interval first = calls.get(0);
        assertEquals(first.beginNs, timeline.at(thread, first.beginNs).beginNs());
      }
    });
  }

  @Test
  void messagesAreThoseOfTheGraph() throws TraceException {
    long[] count = {0};
    onPrograms((name, timeline, random) -> {
      timeline.readInterplay(Progress.NONE);
      List<List<Object>> expected = new ArrayList<>();
      Interactions.of(analysis(timeline), null, (kind, from, fromNs, to, toNs) -> {
        if (kind.equals(ArcKind.MESSAGE.label())) {
          expected.add(List.of(from, fromNs, to, toNs));
        }
      }, Progress.NONE);
      long begin = timeline.beginNs();
      long end = timeline.endNs() + 1;
      MessageLines all = timeline.messages(all(timeline), begin, end, 1 << 20);
      List<List<Object>> found = all.lines().stream().filter(line -> !line.isStream())
          .map(line -> List.<Object>of(thread(timeline, line.from()), line.sentNs(),
              thread(timeline, line.to()), line.receivedNs())).toList();
      assertEquals(new HashSet<>(expected), new HashSet<>(found), name);
      assertEquals(all.lines().size(), all.count());
      count[0] += all.count();
      // Of a part of the time: those that are under way in it.
      long from = begin + random.nextLong(end - begin);
      long to = from + 1 + random.nextLong(end - from);
      assertEquals(all.lines().stream()
          .filter(line -> line.receivedNs() >= from && line.receivedNs() < to
              || line.receivedNs() >= to && line.sentNs() < to).collect(
                  Collectors.toSet()),
          Set.copyOf(timeline.messages(all(timeline), from, to, 1 << 20).lines()), name);
      if (all.count() > 10) {
        MessageLines few = timeline.messages(all(timeline), begin, end, 5);
        assertTrue(few.isThinned() && few.lines().size() <= 5 + timeline.threads().size());
        assertTrue(all.lines().containsAll(few.lines()));
        assertEquals(all.count(), few.count());
      }
    });
    assertTrue(count[0] > 100, "there are messages");
  }

  private static Object thread(ProgramTimeline timeline, int index) {
    return analysis(timeline).thread(timeline.threads().get(index));
  }

  @Test
  void thePathIsInOnePieceAndEndsWhereTheReplaySays() throws TraceException {
    onPrograms((name, timeline, random) -> {
      timeline.readPath(Progress.NONE);
      Replay replay = analysis(timeline).criticalPath(Weight.CPU, Progress.NONE).replay();
      PathPieces path = timeline.path(timeline.beginNs(), timeline.endNs(), 1 << 20);
      assertFalse(path.isThinned());
      List<PathPieces.Piece> pieces = path.pieces();
      assertEquals(path.count(), pieces.size());
      assertEquals(replay.last().index(), pieces.get(pieces.size() - 1).thread());
      assertEquals(replay.last().thread().endNs(), pieces.get(pieces.size() - 1).endNs());
      assertEquals(ArcKind.WORK, pieces.get(0).kind());
      for (int i = 1; i < pieces.size(); i++) {
        PathPieces.Piece piece = pieces.get(i);
        assertTrue(piece.beginNs() <= piece.endNs());
        assertTrue(piece.kind() != ArcKind.WORK && piece.thread() != pieces.get(i - 1).thread(),
            name);
      }
      // The arcs are those of the critical path, and as many of each.
      var arcs = analysis(timeline).criticalPath(Weight.CPU, Progress.NONE).arcs();
      assertEquals(arcs.values().stream().mapToLong(sum -> sum.count()).sum(), pieces.size() - 1);
      for (int i = 1; i < pieces.size(); i++) {
        int to = pieces.get(i).thread();
        int from = pieces.get(i - 1).thread();
        ArcKind kind = pieces.get(i).kind();
        assertTrue(arcs.keySet().stream().anyMatch(key -> key.kind() == kind
            && key.fromThread() == from && key.toThread() == to), name);
      }
      PathPieces thin = timeline.path(timeline.beginNs(), timeline.endNs(), 2);
      if (pieces.size() > 2) {
        assertTrue(thin.isThinned() && thin.pieces().size() <= 2);
        assertEquals(pieces.size(), thin.count());
      }
    });
  }

  @Test
  void whatWasReadBeforeACancellationStays() throws TraceException {
    onPrograms((name, timeline, random) -> {
      int[] shown = all(timeline);
      boolean[] cancelled = {false};
      Progress progress = new Progress() {
        @Override
        public void begin(String task, long total) {
          if (cancelled[0]) {
            throw new CancellationException();
          }
        }
      };
      int last = shown[shown.length - 1];
      try {
        timeline.read(new int[] {last}, () -> {
          throw new CancellationException();
        }, progress);
        throw new AssertionError("not cancelled");
      } catch (CancellationException e) {
        assertTrue(Arrays.stream(shown).anyMatch(timeline::isRead));
      }
      timeline.read(new int[0], () -> { }, progress);
      assertTrue(Arrays.stream(shown).allMatch(timeline::isRead));
      timeline.forget();
      assertFalse(Arrays.stream(shown).anyMatch(timeline::isRead));
      assertEquals(timeline.threads().stream().map(ThreadRecord::index).sorted(
          Comparator.naturalOrder()).toList(), IntStream.of(shown).boxed().toList());
    });
  }
}
