package org.parallax.analysis.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** The intervals of the threads of random programs against the profiles of their call paths. */
class TimelineTest {
  private static final int PROGRAMS = 60;

  @TempDir Path directory;

  @Test
  void intervalsFollowEachOtherAndAddUpToTheProfile() throws TraceException {
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(seed, directory.resolve("trace" + seed), 3, 200);
      try (Trace trace = Trace.open(program.write())) {
        long third = trace.durationNs() / 3;
        for (Window window : new Window[] {Window.ALL, new Window(third, 2 * third)}) {
          for (ProcessTrace process : trace.processes()) {
            for (ThreadTrace thread : process.threads()) {
              check(process, thread, window);
            }
          }
        }
      }
    }
  }

  private static void check(ProcessTrace process, ThreadTrace thread, Window window) {
    long[] sums = new long[process.callPaths().count()];
    long[] last = {Long.MIN_VALUE, -1};
    Timeline.read(process, thread, window, (beginNs, endNs, path) -> {
      assertTrue(endNs > beginNs && window.overlapNs(beginNs, endNs) == endNs - beginNs);
      assertTrue(last[0] == Long.MIN_VALUE || last[0] == beginNs, "no gap in one interval");
      assertTrue(last[1] != path, "intervals of one path are one");
      last[0] = endNs;
      last[1] = path;
      sums[path] += endNs - beginNs;
    }, Progress.NONE);
    assertArrayEquals(CallPathProfile.of(process, thread, window, Progress.NONE).wallNs(), sums);
    assertEquals(window.overlapNs(thread.beginNs(), thread.endNs()),
        LongStream.of(sums).sum());
  }
}
