package org.parallax.analysis.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.parallax.trace.Progress;

/** Work by several threads. */
class ParallelWorkTest {
  private static final int COUNT = 200;
  private static final List<Integer> THINGS = IntStream.range(0, COUNT).boxed().toList();

  @Test
  void resultsHaveTheOrderOfTheThings() {
    assertEquals(THINGS.stream().map(thing -> thing * thing).toList(),
        ParallelWork.map(THINGS, (thing, progress) -> thing * thing, Progress.NONE));
    assertEquals(List.of(), ParallelWork.map(List.<Integer>of(), (thing, progress) -> thing, Progress.NONE));
  }

  @Test
  void progressIsToldByOneThreadAtATime() {
    AtomicBoolean inside = new AtomicBoolean();
    AtomicBoolean met = new AtomicBoolean();
    int[] sum = {0};
    Progress progress = new Progress() {
      @Override
      public void worked(long amount) {
        met.compareAndSet(false, inside.getAndSet(true));
        sum[0] += (int) amount;
        Thread.yield();
        inside.set(false);
      }
    };
    ParallelWork.map(THINGS, (thing, shared) -> {
      shared.worked(1);
      return thing;
    }, progress);
    assertEquals(COUNT, sum[0]);
    assertFalse(met.get());
  }

  @Test
  void aFailureIsThrownAndEndsTheOthers() {
    IllegalStateException fault = new IllegalStateException("planted");
    AtomicInteger done = new AtomicInteger();
    assertSame(fault, assertThrows(IllegalStateException.class, () -> ParallelWork.map(THINGS, (thing, shared) -> {
      if (thing == 0) {
        throw fault;
      }
      if (thing < 3) {
        // Ends only when the failure is known.
        while (true) {
          shared.check();
          Thread.onSpinWait();
        }
      }
      return done.incrementAndGet();
    }, Progress.NONE)));
  }

  @Test
  void aCancelledProgressEndsAll() {
    Progress cancelled = new Progress() {
      @Override
      public boolean isCancelled() {
        return true;
      }
    };
    assertThrows(CancellationException.class, () -> ParallelWork.map(THINGS, (thing, shared) -> {
      shared.check();
      return thing;
    }, cancelled));
  }
}
