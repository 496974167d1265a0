package org.parallax.analysis.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.Procedures;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Time without a processor, by call path. Names such as {@code main@2} are call sites of a function. */
class OffCpuTest {
  private static final long MS = 1_000_000;

  @TempDir Path directory;

  /** @return the wall time of each call path as {@code a/b=milliseconds} */
  private String profile(Consumer<TracedThread> events) throws TraceException {
    TraceBuilder builder = new TraceBuilder(directory);
    TracedProcess traced = builder.process("n", "/opt/p");
    List.of("barrier", "write", "read").forEach(traced::region);
    events.accept(traced.thread(0));
    try (Trace trace = Trace.open(builder.write())) {
      ProcessTrace process = trace.processes().get(0);
      Procedures procedures = Procedures.of(trace);
      CallPathProfile profile =
          CallPathProfile.of(process, process.threads().get(0), Window.ALL, Progress.NONE);
      TreeMap<String, Long> sums = new TreeMap<>();
      for (int path = 0; path < profile.wallNs().length; path++) {
        if (profile.wallNs()[path] > 0) {
          sums.merge(IntStream.of(procedures.frames(0, path)).mapToObj(procedures::get)
              .map(info -> info.name()).collect(Collectors.joining("/")),
              profile.wallNs()[path] / MS, Long::sum);
        }
      }
      return sums.toString();
    }
  }

  @Test
  void aSleepBetweenCallsIsOfTheFunctionThatMakesThem() throws TraceException {
    // barrier 1 --30, lost-- barrier 1 --10-- compute
    assertEquals("{main@1/rest@1/barrier=1, main@1/rest@2/(off CPU)=30, main@1/rest@2/barrier=1, "
        + "main@2/compute=10}", profile(thread -> thread.threadBegin(0, -1)
            .enter(0, "main@1/rest@1/barrier").leave(MS)
            .lost(31 * MS, 30 * MS).enter(31 * MS, "main@1/rest@2/barrier").leave(32 * MS)
            .sample(42 * MS, "main@2/compute")));
  }

  @Test
  void aSleepBetweenTwoFunctionsIsOfTheirCaller() throws TraceException {
    // --10-- compute --30, lost-- next 5
    assertEquals("{main@1/compute=10, main@2/(off CPU)=30, main@2/next/write=5}",
        profile(thread -> thread.threadBegin(0, -1).sample(10 * MS, "main@1/compute")
            .lost(40 * MS, 30 * MS).enter(40 * MS, "main@2/next/write").leave(45 * MS)));
  }

  @Test
  void aFunctionThatLosesTheProcessorKeepsItsWork() throws TraceException {
    // --10-- compute --15, of which 5 are lost-- compute
    assertEquals("{main@1/compute=20, main@1/compute/(off CPU)=5}",
        profile(thread -> thread.threadBegin(0, -1).sample(10 * MS, "main@1/compute")
            .lost(25 * MS, 5 * MS).sample(25 * MS, "main@1/compute")));
  }

  @Test
  void whatIsLostAfterTheReturnFromAFunctionIsOfItsCaller() throws TraceException {
    // main/a/write 1 --9, lost-- main/write 1: the call site in main is that of the second write
    assertEquals("{main@1/a/write=1, main@2/(off CPU)=9, main@2/write=1}",
        profile(thread -> thread.threadBegin(0, -1).enter(0, "main@1/a/write").leave(MS)
            .lost(10 * MS, 9 * MS).enter(10 * MS, "main@2/write").leave(11 * MS)));
  }

  @Test
  void whatIsLostInARoutineIsTheRoutines() throws TraceException {
    assertEquals("{main/read=30}", profile(thread -> thread.threadBegin(0, -1)
        .enter(0, "main/read").lost(29 * MS, 29 * MS).leave(30 * MS)));
  }

  @Test
  void whatTheThreadCouldHaveRunIsPreempted() throws TraceException {
    // --10-- compute --15, of which 5 are lost: 2 blocked, then 3 runnable-- compute
    assertEquals("{main@1/compute=20, main@1/compute/(blocked)=2, main@1/compute/(preempted)=3}",
        profile(thread -> thread.threadBegin(0, -1).sample(10 * MS, "main@1/compute")
            .lost(25 * MS, 5 * MS, 3 * MS).sample(25 * MS, "main@1/compute")));
  }

  @Test
  void smallLossesHaveTheirShareOfWhatALaterOneTells() throws TraceException {
    // write 1 --1, lost-- write 1 with 2 lost in it --1, lost-- write: of the 4 lost the thread could have run in 2
    assertEquals("{main@1/(blocked)=1, main@1/(preempted)=1, main@1/write=30}", profile(thread -> thread.threadBegin(0, -1)
        .enter(0, "main@1/write").leave(10 * MS)
        .lost(11 * MS, MS).enter(11 * MS, "main@1/write").lost(21 * MS, 2 * MS).leave(21 * MS)
        .lost(22 * MS, MS, 2 * MS).enter(22 * MS, "main@1/write").leave(32 * MS)));
  }

  @Test
  void whatNoEventTellsUpToASampleIsNotKnown() throws TraceException {
    assertEquals("{main@1/compute=10, main@1/compute/(blocked)=1, main@1/compute/(off CPU)=9}",
        profile(thread -> thread.threadBegin(0, -1).sample(5 * MS, "main@1/compute")
            .lost(9 * MS, 4 * MS).sample(9 * MS, "main@1/compute")
            .lost(15 * MS, 5 * MS, 1L << 62).lost(17 * MS, MS, 0).sample(20 * MS, "main@1/compute")));
  }

  @Test
  void theEndOfAThreadHasNoSampleAndItsLastCallSite() throws TraceException {
    assertEquals("{=3, main@1/(off CPU)=7, main@1/write=1}",
        profile(thread -> thread.threadBegin(0, -1).enter(0, "main@1/write").leave(MS)
            .lost(11 * MS, 7 * MS).threadEnd(11 * MS)));
  }
}
