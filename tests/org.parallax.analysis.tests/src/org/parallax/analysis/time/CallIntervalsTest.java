package org.parallax.analysis.time;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.RandomProgram;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** The intervals of the threads of random programs against the profiles of their call paths. */
class CallIntervalsTest {
  private static final int PROGRAMS = 60;

  @TempDir Path directory;

  @Test
  void intervalsFollowEachOtherAndAddUpToTheProfile() throws TraceException {
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(seed, directory.resolve("trace" + seed), 3, 200);
      try (Trace trace = Trace.open(program.write())) {
        for (Window window : windows(trace.durationNs(), new Random(seed))) {
          for (ProcessTrace process : trace.processes()) {
            for (ThreadTrace thread : process.threads()) {
              check(process, thread, window);
            }
          }
        }
      }
    }
  }

  private static List<Window> windows(long durationNs, Random random) {
    long third = durationNs / 3;
    long[][] intervals = new long[1 + random.nextInt(8)][];
    for (int i = 0; i < intervals.length; i++) {
      long begin = random.nextLong(durationNs);
      intervals[i] = new long[] {begin, begin + random.nextLong(1 + third)};
    }
    return List.of(Window.ALL, new Window(third, 2 * third), Window.union(intervals));
  }

  private static void check(ProcessTrace process, ThreadTrace thread, Window window) {
    long[] sums = new long[process.callPaths().count()];
    long[] last = {Long.MIN_VALUE, -1};
    CallIntervals.read(thread, window, (beginNs, endNs, path) -> {
      assertTrue(endNs > beginNs && window.overlapNs(beginNs, endNs) == endNs - beginNs);
      assertTrue(last[0] == Long.MIN_VALUE || window.overlapNs(last[0], beginNs) == 0,
          "gaps are those of the window");
      assertTrue(last[1] != path || last[0] < beginNs, "intervals of one path that touch are one");
      last[0] = endNs;
      last[1] = path;
      sums[path] += endNs - beginNs;
    }, Progress.NONE);
    assertArrayEquals(CallPathProfile.of(process, thread, window, Progress.NONE).wallNs(), sums);
    assertEquals(window.overlapNs(thread.beginNs(), thread.endNs()),
        LongStream.of(sums).sum());
  }
}
