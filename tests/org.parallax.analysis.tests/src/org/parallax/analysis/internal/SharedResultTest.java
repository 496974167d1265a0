package org.parallax.analysis.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.parallax.trace.Progress;

/** Several threads ask for results that are computed step by step, as the test says. */
@Timeout(60)
class SharedResultTest {
  /** A computation takes one from it for each step: nothing, or what it throws. Ends with "end". */
  private final BlockingQueue<Object> steps = new LinkedBlockingQueue<>();
  private final AtomicInteger computed = new AtomicInteger();
  private final AtomicInteger cancelled = new AtomicInteger();
  private final SharedResult<Object> result = new SharedResult<>(this::compute);

  private Object compute(Progress progress) {
    computed.incrementAndGet();
    progress.begin("steps", 0);
    try {
      while (true) {
        Object step = steps.poll(1, TimeUnit.MILLISECONDS);
        if ("end".equals(step)) {
          return new Object();
        } else if (step instanceof RuntimeException failure) {
          throw failure;
        } else if (step != null) {
          progress.worked(1);
        }
        progress.check();
      }
    } catch (CancellationException e) {
      cancelled.incrementAndGet();
      throw e;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One who asks in a thread of his own. */
  private static final class Asker implements Progress {
    final FutureTask<Object> answer;
    final Thread thread;
    final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
    volatile boolean givesUp;
    volatile RuntimeException failure;

    Asker(SharedResult<?> result) {
      answer = new FutureTask<>(() -> result.get(this));
      thread = new Thread(answer);
      thread.start();
    }

    @Override
    public void begin(String task, long total) {
      seen.add(task);
    }

    @Override
    public void worked(long amount) {
      if (failure != null) {
        throw failure;
      }
      seen.add("worked " + amount);
    }

    @Override
    public boolean isCancelled() {
      return givesUp;
    }

    Object get() throws InterruptedException {
      try {
        return answer.get();
      } catch (ExecutionException e) {
        return e.getCause();
      }
    }
  }

  /** Starts one who asks, and waits until the computation knows him. */
  private Asker ask() throws InterruptedException {
    Asker asker = new Asker(result);
    String first = asker.seen.poll(10, TimeUnit.MILLISECONDS);
    while (first == null) {
      // A computation tells of progress only when there is some.
      steps.add("step");
      first = asker.seen.poll(10, TimeUnit.MILLISECONDS);
    }
    assertEquals("steps", first);
    return asker;
  }

  @Test
  void aResultThatSeveralAskForIsComputedOnce() throws InterruptedException {
    List<Asker> askers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      askers.add(ask());
    }
    assertNull(result.peek());
    steps.add("end");
    Object value = askers.get(0).get();
    for (Asker asker : askers) {
      assertSame(value, asker.get());
    }
    assertSame(value, result.get(Progress.NONE));
    assertSame(value, result.peek());
    assertEquals(1, computed.get());
  }

  @Test
  void whoComesLaterSeesTheWholeProgressOfTheStep() throws InterruptedException {
    Asker first = ask();
    steps.add("step");
    steps.add("step");
    List<String> seen = new ArrayList<>();
    while (seen.stream().filter("worked 1"::equals).count() < 2) {
      seen.add(first.seen.take());
    }
    Asker second = ask();
    String worked = second.seen.take();
    assertTrue(Integer.parseInt(worked.substring("worked ".length())) >= 3, worked);
    steps.add("end");
    assertSame(first.get(), second.get());
  }

  @Test
  void otherResultsAreComputedMeanwhile() throws InterruptedException {
    Asker asker = ask();
    assertEquals("other", new SharedResult<>(progress -> "other").get(Progress.NONE));
    assertFalse(asker.answer.isDone());
    steps.add("end");
    assertSame(asker.get(), result.peek());
  }

  @Test
  void whoGivesUpDoesNotDisturbOthers() throws InterruptedException {
    Asker first = ask();
    Asker second = ask();
    first.givesUp = true;
    assertTrue(first.get() instanceof CancellationException);
    Asker third = ask();
    steps.add("end");
    assertSame(second.get(), third.get());
    assertEquals(1, computed.get());
    assertEquals(0, cancelled.get());
  }

  @Test
  void whenTheLastOneGivesUpALaterOneStartsAnew() throws InterruptedException {
    Asker first = ask();
    Asker second = ask();
    first.givesUp = true;
    second.givesUp = true;
    assertTrue(first.get() instanceof CancellationException);
    assertTrue(second.get() instanceof CancellationException);
    assertNull(result.peek());
    Asker third = ask();
    assertEquals(2, computed.get());
    steps.add("end");
    assertSame(third.get(), result.peek());
    // The first computation may still be on its way to its end.
    while (cancelled.get() < 1) {
      Thread.sleep(1);
    }
    assertEquals(1, cancelled.get());
  }

  @Test
  void whoIsCancelledFromTheBeginStartsNothing() throws InterruptedException {
    Progress stopped = new Progress() {
      @Override
      public boolean isCancelled() {
        return true;
      }
    };
    assertThrows(CancellationException.class, () -> result.get(stopped));
    assertEquals(0, computed.get());
    Asker asker = ask();
    steps.add("end");
    // What is known costs nothing.
    assertSame(asker.get(), result.get(stopped));
  }

  @Test
  void interruptingWhoWaitsIsGivingUp() throws InterruptedException {
    Asker first = ask();
    Asker second = ask();
    first.thread.interrupt();
    assertTrue(first.get() instanceof CancellationException);
    steps.add("end");
    assertSame(second.get(), result.peek());
    assertEquals(1, computed.get());
  }

  @Test
  void aProgressThatThrowsIsGivingUp() throws InterruptedException {
    Asker first = ask();
    Asker second = ask();
    first.failure = new IllegalStateException("the job has ended");
    steps.add("step");
    assertSame(first.failure, first.get());
    steps.add("end");
    assertSame(second.get(), result.peek());
    assertEquals(1, computed.get());
  }

  @Test
  void aFailureIsToldToAllAndNotKept() throws InterruptedException {
    Asker first = ask();
    Asker second = ask();
    IllegalStateException failure = new IllegalStateException("no such block");
    steps.add(failure);
    assertSame(failure, first.get());
    assertSame(failure, second.get());
    assertNull(result.peek());
    Asker third = ask();
    steps.add("end");
    assertSame(third.get(), result.peek());
    assertEquals(2, computed.get());
  }

  @Test
  void whatIsForgottenIsComputedAgain() throws InterruptedException {
    Asker first = ask();
    result.forget();
    // The first computation goes on for the one who waits for it.
    steps.add("end");
    Object value = first.get();
    assertEquals(Object.class, value.getClass());
    assertNull(result.peek());
    Asker second = ask();
    steps.add("end");
    assertNotSame(value, second.get());
    assertEquals(2, computed.get());
  }
}
