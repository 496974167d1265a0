package org.parallax.analysis.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.RandomProgram;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** Normalized times of random programs against what their definition says, moment by moment. */
class NormalizedTimesTest {
  private static final int PROGRAMS = 60;

  @TempDir Path directory;

  /** From a time to another, a thread's time belongs to a path. */
  private record Piece(long fromNs, long toNs, int path) {}

  @Test
  void eachMomentIsDividedAmongTheThreadsThatExecute() throws Exception {
    long waits = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Path path = new RandomProgram(seed, directory.resolve("trace" + seed), 1 + (int) seed % 5,
          30 + (int) seed * 3).write();
      try (Trace trace = Trace.open(path)) {
        long third = trace.durationNs() / 3;
        Random random = new Random(seed);
        for (Weight weight : Weight.values()) {
          for (Window window : List.of(Window.ALL, new Window(third, 2 * third), Window.union(
              new long[][] {{0, third / 2}, {third, 2 * third}, {2 * third + 99, 3 * third}}))) {
            waits += check(trace, weight, window, 1 + random.nextInt(50),
                "seed " + seed + ", " + weight + ", " + window.count());
          }
        }
      }
    }
    assertTrue(waits > 20 * PROGRAMS, "threads wait: " + waits);
  }

  private long check(Trace trace, Weight weight, Window window, int changes, String message) {
    List<List<long[]>> idle = new ArrayList<>();
    long[] waits = new long[1];
    Replay replay = Replay.idleOf(trace.processes(), weight, (thread, from, to) -> {
      while (idle.size() <= thread) {
        idle.add(new ArrayList<>());
      }
      idle.get(thread).add(new long[] {from, to});
      waits[0]++;
    }, Progress.NONE);
    int count = replay.threads().size();
    for (int i = 0; weight == Weight.WALL && i < idle.size(); i++) {
      assertEquals(replay.threads().get(i).metrics().waitNs(),
          idle.get(i).stream().mapToLong(each -> each[1] - each[0]).sum(), message + ": waits");
    }
    while (idle.size() < count) {
      idle.add(new ArrayList<>());
    }
    List<List<Piece>> pieces = new ArrayList<>();
    TreeSet<Long> times = new TreeSet<>();
    for (ThreadRecord record : replay.threads()) {
      pieces.add(pieces(record));
      pieces.get(record.index()).forEach(piece -> {
        times.add(piece.fromNs);
        times.add(piece.toNs);
      });
      idle.get(record.index()).forEach(each -> {
        times.add(each[0]);
        times.add(each[1]);
      });
    }
    for (int i = 0; i < window.count(); i++) {
      times.add(window.beginNs(i));
      times.add(window.endNs(i));
    }
    double[][] expected = new double[count][];
    long[][] executing = new long[count][];
    for (ThreadRecord record : replay.threads()) {
      expected[record.index()] = new double[record.process().callPaths().count()];
      executing[record.index()] = new long[record.process().callPaths().count()];
    }
    long busyNs = 0;
    Long from = null;
    for (long to : times) {
      if (from != null && window.overlapNs(from, to) == to - from) {
        int[] paths = new int[count];
        int n = 0;
        for (int i = 0; i < count; i++) {
          paths[i] = isIdle(idle.get(i), from) ? -1 : path(pieces.get(i), from);
          n += paths[i] >= 0 ? 1 : 0;
        }
        for (int i = 0; i < count; i++) {
          if (paths[i] >= 0) {
            expected[i][paths[i]] += (double) (to - from) / n;
            executing[i][paths[i]] += to - from;
          }
        }
        busyNs += n > 0 ? to - from : 0;
      }
      from = to;
    }
    NormalizedTimes found =
        NormalizedTimes.of(trace.processes(), weight, window, changes, Progress.NONE);
    assertEquals(busyNs, found.busyNs(), message);
    double unit = 1.0 / (1L << found.shift());
    double sum = 0;
    for (int i = 0; i < count; i++) {
      for (int path = 0; path < expected[i].length; path++) {
        assertEquals(executing[i][path], found.executingNs(i)[path], message);
        assertEquals(expected[i][path], found.shares(i)[path] * unit, 0.01, message);
        sum += found.shares(i)[path] * unit;
      }
    }
    assertEquals(busyNs, sum, 0.01, message);
    return waits[0];
  }

  private static boolean isIdle(List<long[]> idle, long atNs) {
    return idle.stream().anyMatch(each -> each[0] <= atNs && atNs < each[1]);
  }

  private static int path(List<Piece> pieces, long atNs) {
    return pieces.stream().filter(piece -> piece.fromNs <= atNs && atNs < piece.toNs)
        .mapToInt(Piece::path).findFirst().orElse(-1);
  }

  /** In a call the innermost one; outside what the next sample tells. */
  private static List<Piece> pieces(ThreadRecord record) {
    List<Piece> pieces = new ArrayList<>();
    List<Piece> outside = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    EventCursor cursor = record.thread().cursor();
    long before = record.thread().beginNs();
    while (cursor.next()) {
      long now = cursor.timeNs();
      if (open.isEmpty()) {
        outside.add(new Piece(before, now, 0));
      } else {
        pieces.add(new Piece(before, now, open.get(open.size() - 1)));
      }
      before = now;
      if (cursor.kind() == Kind.ENTER) {
        open.add(cursor.operand());
      } else if (cursor.kind() == Kind.LEAVE) {
        open.remove(open.size() - 1);
      } else if (cursor.kind() == Kind.SAMPLE && open.isEmpty()) {
        int path = cursor.operand();
        outside.forEach(piece -> pieces.add(new Piece(piece.fromNs, piece.toNs, path)));
        outside.clear();
      }
    }
    pieces.addAll(outside);
    return pieces;
  }

  @Test
  void idleIntervalsAreAUnion() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      IdleTimes times = new IdleTimes();
      BitSet idle = new BitSet();
      int at = 0;
      for (int i = 0; i < 50; i++) {
        at += random.nextInt(20);
        int from = Math.max(0, at - random.nextInt(60));
        times.add(from, at);
        idle.set(from, at);
      }
      BitSet found = new BitSet();
      long last = -1;
      for (long change = 0; change < times.changeCount(); change += 2) {
        assertTrue(times.changeNs(change) > last, "rising, and they do not meet");
        last = times.changeNs(change + 1);
        found.set((int) times.changeNs(change), (int) last);
      }
      assertEquals(idle, found, "seed 3, round " + round);
      for (long ns = 0; ns < at + 2; ns++) {
        assertEquals(idle.get((int) ns), (times.firstAfter(ns) & 1) == 1, "at " + ns);
      }
    }
  }

  /** What a long run adds up from remainders: 3 threads for 7 ns, then all idle for 1 ns. */
  @Test
  void remaindersAreCarriedOn() {
    int rounds = 1_000_000;
    IdleTimes[] idle = {new IdleTimes(), new IdleTimes(), new IdleTimes()};
    long[] beginNs = new long[3];
    long[] endNs = new long[3];
    for (int i = 0; i < 3; i++) {
      for (long round = 0; round < rounds; round++) {
        idle[i].add(8 * round + 7, 8 * round + 8);
      }
      endNs[i] = 8L * rounds;
    }
    ShareClock clock = new ShareClock(idle, beginNs, endNs, 1000);
    double shown = 0;
    while (clock.next()) {
      long at = Math.min(8L * rounds, clock.endNs());
      shown = (double) clock.share(clock.find(0, at), at) / (1L << clock.shift());
    }
    assertEquals(7L * rounds, clock.busyNs());
    assertEquals(7.0 * rounds / 3, shown, 1e-5);
  }
}
