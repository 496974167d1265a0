package org.parallax.analysis.waits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.SampledThreads;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.analysis.time.NormalizedTimes;
import org.parallax.analysis.time.SampleIntervals;
import org.parallax.model.program.Procedures;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedThread;

/** For which time a sample speaks. Times are in milliseconds, with 100 samples a second: reach 25. */
class SampleReachTest {
  private static final int PROGRAMS = 60;
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  /** @return the profile of a thread as {@code name=milliseconds} */
  private String profile(Consumer<TracedThread> events) throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory.resolve("t" + System.nanoTime()));
    events.accept(builder.process("n", "/opt/p").thread(0));
    try (Trace trace = Trace.open(builder.write())) {
      ProcessTrace process = trace.processes().get(0);
      Procedures procedures = Procedures.of(trace);
      long[] ns = CallPathProfile.of(
          process, process.threads().get(0), Window.ALL, Progress.NONE).wallNs();
      TreeMap<String, Long> sums = new TreeMap<>();
      for (int path = 0; path < ns.length; path++) {
        if (ns[path] > 0) {
          sums.merge(procedures.get(procedures.leaf(0, path)).name(), ns[path] / MS, Long::sum);
        }
      }
      return sums.toString();
    }
  }

  @Test
  void theFirstSampleSpeaksForNoTimeBeforeALongCall() throws TraceException {
    // begin --8-- MPI_Init 1500 --6-- solve
    assertEquals("{(not sampled)=8, MPI_Init=1500, solve=6}", profile(thread -> thread
        .threadBegin(0, -1).enter(8 * MS, "main/MPI_Init").leave(1508 * MS)
        .sample(1514 * MS, "main/run/solve")));
  }

  @Test
  void aFunctionThatHadNotBegunBeforeALongCallHasNoTimeBeforeIt() throws TraceException {
    // --10-- init --8-- MPI_Init 1500 --6-- solve
    assertEquals("{(not sampled)=8, MPI_Init=1500, init=10, solve=6}", profile(thread -> thread
        .threadBegin(0, -1).sample(10 * MS, "main/init")
        .enter(18 * MS, "main/MPI_Init").leave(1518 * MS)
        .sample(1524 * MS, "main/run/solve")));
  }

  @Test
  void aFunctionThatWasSeenBeforeALongCallHasTheTimeBeforeIt() throws TraceException {
    // --10-- solve --4-- MPI_Recv 50 --4-- MPI_Recv 50 --2-- solve
    assertEquals("{MPI_Recv=100, solve=20}", profile(thread -> thread
        .threadBegin(0, -1).sample(10 * MS, "main/run/solve")
        .enter(14 * MS, "main/run/MPI_Recv").leave(64 * MS)
        .enter(68 * MS, "main/run/MPI_Recv").leave(118 * MS)
        .sample(120 * MS, "main/run/solve")));
  }

  @Test
  void shortCallsAreNoBorder() throws TraceException {
    // --4-- MPI_Send 1 --4-- MPI_Send 1 --2-- solve
    assertEquals("{MPI_Send=2, solve=10}", profile(thread -> thread
        .threadBegin(0, -1).enter(4 * MS, "main/MPI_Send").leave(5 * MS)
        .enter(9 * MS, "main/MPI_Send").leave(10 * MS).sample(12 * MS, "main/run/solve")));
  }

  @Test
  void withoutASampleForLongTheSamplerWasOff() throws TraceException {
    // --100-- solve --40-- MPI_Send 1 --5-- solve
    assertEquals("{(not sampled)=115, MPI_Send=1, solve=30}", profile(thread -> thread
        .threadBegin(0, -1).sample(100 * MS, "main/run/solve")
        .enter(140 * MS, "main/MPI_Send").leave(141 * MS).sample(146 * MS, "main/run/solve")));
  }

  @Test
  void lostTimeDoesNotCountForTheReach() throws TraceException {
    // --100, of which 90 are lost-- solve
    assertEquals("{(off CPU)=90, solve=10}", profile(thread -> thread
        .threadBegin(0, -1).lost(98 * MS, 90 * MS).sample(100 * MS, "main/run/solve")));
  }

  @Test
  void noSampleSpeaksForTheTimeAfterTheLast() throws TraceException {
    assertEquals("{(not sampled)=5, solve=10}", profile(thread -> thread
        .threadBegin(0, -1).sample(10 * MS, "main/run/solve").threadEnd(15 * MS)));
  }

  @Test
  void allReadersAgree() throws TraceException {
    long unsampledNs = 0;
    long offCpuNs = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Path path = SampledThreads.write(seed, directory.resolve("s" + seed), 1, 120);
      try (Trace trace = Trace.open(path)) {
        ProcessTrace process = trace.processes().get(0);
        ThreadTrace thread = process.threads().get(0);
        CallPathProfile profile =
            CallPathProfile.of(process, thread, Window.ALL, Progress.NONE);
        unsampledNs += profile.wallNs()[0];
        offCpuNs += LongStream.of(profile.wallNs()).skip(process.callPaths().definedCount()).sum();
        check("seed " + seed, process, thread, profile);
      }
    }
    assertTrue(unsampledNs > 0);
    assertTrue(offCpuNs > 0);
  }

  private static void check(
      String name, ProcessTrace process, ThreadTrace thread, CallPathProfile profile) {
    for (Weight weight : Weight.values()) {
      long[] times = weight == Weight.CPU ? profile.cpuNs() : profile.wallNs();
      CriticalPath path = CriticalPath.of(Replay.of(
          List.of(process), ReplaySetup.of(weight), Progress.NONE));
      assertArrayEquals(times, path.workNs(0), name + ", path by " + weight);
      assertEquals(LongStream.of(times).sum(), path.lengthNs(), name + ", length by " + weight);
      SampleIntervals intervals = SampleIntervals.of(thread, Progress.NONE);
      long offCpuNs =
          LongStream.of(times).skip(process.callPaths().definedCount()).sum();
      assertEquals(times[0] + offCpuNs, intervals.restNs(weight), name + ", intervals by " + weight);
      assertEquals(intervals.totalNs(weight), intervals.sumNs(weight), name);
    }
    assertArrayEquals(profile.wallNs(), NormalizedTimes.of(List.of(process), Weight.WALL,
        Window.ALL, Progress.NONE).executingNs(0), name + ", normalized");
    long[] walked = new long[profile.wallNs().length];
    ThreadRecord record = Replay.threadsOf(List.of(process)).get(0);
    ActivityWalker walker =
        new ActivityWalker(record, CallNesting.enclosing(process));
    var cursor = thread.cursor();
    cursor.end();
    cursor.previous();
    walker.start(cursor.position(), thread.endNs());
    for (long time = thread.endNs(); time > thread.beginNs(); time -= 7 * MS) {
      walker.back(Math.max(thread.beginNs(), time - 7 * MS),
          (at, from, to) -> walked[at] += to - from);
    }
    assertArrayEquals(profile.wallNs(), walked, name + ", backward");
  }
}
