package org.parallax.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.RandomPrograms;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** One result is held up while the others are asked for. */
@Timeout(60)
class ResultsAtOnceTest {
  private static final List<BiFunction<ApplicationAnalysis, Progress, Object>> RESULTS = List.of(
      (analysis, progress) -> analysis.criticalPath(Weight.CPU, progress),
      (analysis, progress) -> analysis.criticalPath(Weight.WALL, progress),
      ApplicationAnalysis::profiles,
      (analysis, progress) -> analysis.normalizedTimes(Weight.CPU, progress),
      ApplicationAnalysis::waitStates,
      ApplicationAnalysis::traffic,
      (analysis, progress) -> analysis.timeIndex().threads(progress),
      (analysis, progress) -> analysis.timeIndex().waits(progress));

  @TempDir Path directory;

  private Trace trace;

  @BeforeEach
  void open() throws TraceException {
    trace = Trace.open(RandomPrograms.write(7, directory, 4, 200));
  }

  @AfterEach
  void close() throws TraceException {
    trace.close();
  }

  private ApplicationAnalysis analysis() {
    return new ApplicationAnalysis(SessionBuilder.of(trace).getApplications().get(0));
  }

  /** Holds up what it is told the progress of. */
  private static final class Held implements Progress {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    volatile boolean cancelled;

    @Override
    public void begin(String task, long total) {
      begun.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      check();
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }
  }

  private static FutureTask<Object> ask(ApplicationAnalysis analysis,
      BiFunction<ApplicationAnalysis, Progress, Object> result, Progress progress) {
    FutureTask<Object> task = new FutureTask<>(() -> result.apply(analysis, progress));
    new Thread(task).start();
    return task;
  }

  @Test
  void whoAsksWaitsForNoOtherResult() throws InterruptedException, ExecutionException {
    for (var held : RESULTS) {
      ApplicationAnalysis analysis = analysis();
      Held progress = new Held();
      FutureTask<Object> first = ask(analysis, held, progress);
      progress.begun.await();
      for (var other : RESULTS) {
        if (other != held) {
          other.apply(analysis, Progress.NONE);
        }
      }
      assertFalse(first.isDone());
      progress.released.countDown();
      assertSame(first.get(), held.apply(analysis, Progress.NONE));
    }
  }

  @Test
  void whatIsCancelledCanBeAskedForAgain() throws InterruptedException {
    for (var result : RESULTS) {
      ApplicationAnalysis analysis = analysis();
      Held progress = new Held();
      FutureTask<Object> first = ask(analysis, result, progress);
      progress.begun.await();
      progress.cancelled = true;
      progress.released.countDown();
      ExecutionException thrown = assertThrows(ExecutionException.class, first::get);
      assertEquals(CancellationException.class, thrown.getCause().getClass());
      assertSame(result.apply(analysis, Progress.NONE), result.apply(analysis, Progress.NONE));
    }
  }
}
