package org.parallax.analysis.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.RandomProgram;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.Procedures;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/**
 * Delay costs of random programs against an obvious slow computation, which compares all of both sides
 * anew for each wait and passes parts on by fractions.
 */
class RandomDelaysTest {
  private static final int PROGRAMS = 24;

  @TempDir Path directory;

  private record Doing(String path, long fromNs, long toNs) {
    long overlapNs(long begin, long end) {
      return Math.max(0, Math.min(toNs, end) - Math.max(fromNs, begin));
    }
  }

  private record Waiting(int thread, int number, long beginNs, long untilNs, long cause) {}

  /** The slow computation. */
  private static final class Oracle {
    final List<List<Doing>> doings = new ArrayList<>();
    final List<List<Waiting>> waits = new ArrayList<>();
    /** Of threads whose creation is known. */
    final Map<Integer, Waiting> begins = new HashMap<>();
    final Map<Waiting, Double> passed = new HashMap<>();
    /** By thread and path: short-term, long-term. */
    final Map<String, double[]> costs = new TreeMap<>();
    double unexplained;

    Oracle(Trace trace, Procedures procedures) {
      WaitCollector collector = new WaitCollector((state, thread, path, begin, end) -> { });
      Replay replay = Replay.of(trace.processes(),
          new ReplaySetup(Weight.WALL, Window.ALL, null), Progress.NONE, collector);
      collector.end(replay.threads());
      for (ThreadRecord record : replay.threads()) {
        ThreadWaits own = collector.of(record.index());
        List<Waiting> mine = new ArrayList<>();
        for (int i = 0; i < own.count(); i++) {
          if (own.isLoss(i)) {
            mine.add(new Waiting(
                record.index(), i, own.beginNs(i), own.untilNs(i), own.cause(i)));
          } else {
            assertEquals(0, i);
            begins.put(record.index(),
                new Waiting(record.index(), i, Long.MIN_VALUE, own.untilNs(i), own.cause(i)));
          }
        }
        waits.add(mine);
        List<Doing> all = new ArrayList<>();
        PathReader reader = new PathReader(record.thread(), Progress.NONE);
        boolean first = true;
        while (reader.next()) {
          if (first) {
            all.add(new Doing("(not begun)", Long.MIN_VALUE, reader.fromNs()));
            first = false;
          }
          all.add(new Doing("", reader.fromNs(), reader.wallSplitNs()));
          all.add(new Doing(name(procedures, record, reader.path()), reader.wallSplitNs(),
              reader.offCpuNs()));
          all.add(new Doing(name(procedures, record, reader.offCpuPath()), reader.offCpuNs(),
              reader.preemptedNs()));
          all.add(new Doing(name(procedures, record, reader.preemptedPath()), reader.preemptedNs(),
              reader.timeNs()));
        }
        doings.add(all);
      }
    }

    static String name(Procedures procedures, ThreadRecord record, int path) {
      if (path == WaitStates.NOT_BEGUN) {
        return "(not begun)";
      }
      StringBuilder name = new StringBuilder();
      for (int id : procedures.frames(record.process().index(), path)) {
        name.append(';').append(procedures.get(id).name());
      }
      return name.toString();
    }

    /** Who did it, and in which call path; the creator comes first. */
    private record Deed(int thread, String path) {}

    Map<Deed, Long> profile(int thread, long from, long to) {
      Map<Deed, Long> profile = new LinkedHashMap<>();
      Waiting begin = begins.get(thread);
      long created = begin == null ? Long.MIN_VALUE : begin.untilNs;
      if (from < created) {
        profile.putAll(profile(
            Reference.thread(begin.cause), from, Math.min(to, created)));
      }
      for (Doing doing : doings.get(thread)) {
        long own = Math.max(from, created);
        long ns = doing.overlapNs(own, to);
        for (Waiting wait : waits.get(thread)) {
          ns -= doing.overlapNs(Math.max(own, wait.beginNs), Math.min(to, wait.untilNs));
        }
        profile.merge(new Deed(thread, doing.path), ns, Long::sum);
      }
      return profile;
    }

    /** The thread of which a thread is a part at a time. */
    int at(int thread, long ns) {
      Waiting begin = begins.get(thread);
      return begin == null || ns >= begin.untilNs ? thread
          : at(Reference.thread(begin.cause), ns);
    }

    /** When they were one, the last time. */
    long parted(int thread, int other) {
      long parted = Long.MIN_VALUE;
      for (Waiting begin : begins.values()) {
        if (at(thread, begin.untilNs - 1) == at(other, begin.untilNs - 1)) {
          parted = Math.max(parted, begin.untilNs);
        }
      }
      return parted;
    }

    void waitsOf(int thread, long from, long to, Map<Waiting, Long> found) {
      for (Waiting theirs : waits.get(thread)) {
        long ns = Math.min(theirs.untilNs, to) - Math.max(theirs.beginNs, from);
        if (ns > 0) {
          found.put(theirs, ns);
        }
      }
      Waiting begin = begins.get(thread);
      if (begin != null && from < begin.untilNs) {
        waitsOf(Reference.thread(begin.cause), from, Math.min(to, begin.untilNs), found);
      }
    }

    long firstNs(int thread) {
      return doings.get(at(thread, Long.MIN_VALUE)).get(0).toNs;
    }

    long met(Waiting wait, int other) {
      long met = parted(wait.thread, other);
      if (met == Long.MIN_VALUE) {
        met = Math.min(firstNs(wait.thread), firstNs(other));
      }
      for (Waiting mine : waits.get(wait.thread)) {
        if (mine.number < wait.number && Reference.thread(mine.cause) == other) {
          met = Math.max(met, mine.untilNs);
        }
      }
      for (Waiting theirs : waits.get(other)) {
        if (theirs.beginNs >= wait.untilNs) {
          continue;
        }
        if (Reference.thread(theirs.cause) == wait.thread) {
          met = Math.max(met, theirs.untilNs);
        }
        for (Waiting mine : waits.get(wait.thread)) {
          if (mine.number < wait.number && mine.cause == theirs.cause
              && mine.untilNs == theirs.untilNs) {
            met = Math.max(met, mine.untilNs);
          }
        }
      }
      return met;
    }

    void run() {
      TreeSet<Waiting> order = new TreeSet<>((a, b) -> a.untilNs != b.untilNs
          ? Long.compare(b.untilNs, a.untilNs)
          : a.thread != b.thread ? a.thread - b.thread : b.number - a.number);
      waits.forEach(order::addAll);
      for (Waiting wait : order) {
        divide(wait, wait.untilNs - wait.beginNs, passed.getOrDefault(wait, 0.0));
      }
    }

    void divide(Waiting wait, double direct, double indirect) {
      int other = Reference.thread(wait.cause);
      long met = met(wait, other);
      Map<String, Long> mine = new HashMap<>();
      profile(wait.thread, met, wait.beginNs).forEach(
          (deed, ns) -> mine.merge(deed.path, ns, Long::sum));
      Map<Deed, Long> excess = new LinkedHashMap<>();
      profile(other, met, wait.untilNs).forEach((deed, ns) -> {
        long same = Math.min(ns, mine.getOrDefault(deed.path, 0L));
        mine.merge(deed.path, -same, Long::sum);
        excess.put(deed, ns - same);
      });
      Map<Waiting, Long> propagated = new HashMap<>();
      waitsOf(other, met, wait.untilNs, propagated);
      double total = excess.values().stream().mapToLong(v -> v).sum()
          + propagated.values().stream().mapToLong(v -> v).sum();
      if (total == 0) {
        unexplained += direct + indirect;
        return;
      }
      excess.forEach((deed, ns) -> {
        double[] cost = costs.computeIfAbsent(deed.thread + deed.path, key -> new double[2]);
        cost[0] += direct * ns / total;
        cost[1] += indirect * ns / total;
      });
      propagated.forEach((theirs, ns) ->
          passed.merge(theirs, (direct + indirect) * ns / total, Double::sum));
    }
  }

  @Test
  void costsAreThoseOfTheSlowComputation() throws Exception {
    double longTerm = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(
          seed, directory.resolve("trace" + seed), 2 + (int) seed % 4, 40 + (int) seed * 2);
      String message = "seed " + seed;
      try (Trace trace = Trace.open(program.write())) {
        Procedures procedures = Procedures.of(trace);
        DelayCosts delays =
            DelayCosts.of(trace.processes(), procedures, Window.ALL, Progress.NONE);
        Oracle oracle = new Oracle(trace, procedures);
        oracle.run();
        Map<String, double[]> found = new TreeMap<>();
        long sum = 0;
        long unexplained = 0;
        for (Map.Entry<DelayCosts.Delay, DelayCosts.Cost> entry : delays.costs().entrySet()) {
          DelayCosts.Cost cost = entry.getValue();
          sum += cost.shortNs() + cost.longNs();
          assertTrue(cost.shortNs() >= 0 && cost.longNs() >= 0, message);
          assertEquals(cost.shortNs() + cost.longNs(),
              cost.victims().values().stream().mapToLong(v -> v).sum(), message);
          if (entry.getKey().thread() == DelayCosts.UNEXPLAINED) {
            unexplained += cost.shortNs() + cost.longNs();
          } else {
            ThreadRecord record = delays.replay().threads().get(entry.getKey().thread());
            double[] costs = found.computeIfAbsent(record.index()
                + Oracle.name(procedures, record, entry.getKey().path()), key -> new double[2]);
            costs[0] += cost.shortNs();
            costs[1] += cost.longNs();
            longTerm += cost.longNs();
          }
        }
        long all = oracle.waits.stream().flatMap(List::stream)
            .mapToLong(wait -> wait.untilNs - wait.beginNs).sum();
        assertEquals(all, sum, message + ": all waits");
        double tolerance = 1e-3 * all + 1000;
        assertEquals(oracle.unexplained, unexplained, tolerance, message);
        Set<String> places = new TreeSet<>(oracle.costs.keySet());
        places.addAll(found.keySet());
        for (String place : places) {
          for (int i = 0; i < 2; i++) {
            assertEquals(oracle.costs.getOrDefault(place, new double[2])[i],
                found.getOrDefault(place, new double[2])[i], tolerance, message + " " + place);
          }
        }
        assertEquals(delays.costs().keySet(), DelayCosts.of(trace.processes(), procedures,
            Window.ALL, Progress.NONE).costs().keySet(), message + ": the same answer again");
      }
    }
    assertTrue(longTerm > 0);
  }

  @Test
  void sumsOfLongTimesAreThoseOfTheirPieces() throws Exception {
    TraceBuilder builder = new TraceBuilder(directory.resolve("long"));
    TracedThread thread = builder.process("n", "/opt/p").thread(0);
    int pieces = 5000;
    for (int i = 0; i < pieces; i++) {
      thread.enter(10L * i, "f" + i % 7).leave(10L * i + 10);
    }
    try (Trace trace = Trace.open(builder.write())) {
      ThreadRecord record = Replay.threadsOf(trace.processes()).get(0);
      CommonPaths common = new CommonPaths(trace.processes(), Procedures.of(trace));
      ThreadWaits waits = new ThreadWaits();
      waits.add(WaitState.LATE_SENDER, 1, 0, 20_003, 20_018, 0);
      ThreadWork work = ThreadWork.of(record, waits, common, Progress.NONE);
      for (long from = 0; from < 10L * pieces; from += 3331) {
        for (long to = from; to < 10L * pieces; to += 7919) {
          long[] sums = new long[common.count()];
          work.tell(from, to, (path, ns) -> sums[path] += ns);
          long[] expected = new long[common.count()];
          for (long ns = from; ns < to; ns++) {
            int path = (int) (ns / 10 % 7);
            if (ns < 20_003 || ns >= 20_018) {
              expected[common.number(record.process(), path + 1)]++;
            }
          }
          assertEquals(Arrays.toString(expected), Arrays.toString(sums));
        }
      }
    }
  }
}
