package org.parallax.analysis.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import org.parallax.trace.Progress;

/** Work on several things at once, by as many threads as there are processors. */
public final class ParallelWork {
  private ParallelWork() {}

  /**
   * Applies work to each of some things. The threads share the progress, which one of them uses at a time.
   *
   * @param work gets one of the things, and a progress of which it must not begin a step
   * @return the results in the order of the things
   * @throws RuntimeException what the first failed work has thrown, {@link CancellationException} say; the others are
   *     cancelled then
   */
  public static <T, R> List<R> map(List<T> things, BiFunction<T, Progress, R> work, Progress progress) {
    int count = Math.min(things.size(), Runtime.getRuntime().availableProcessors());
    Run<T, R> run = new Run<>(things, work, progress);
    Thread[] helpers = new Thread[Math.max(0, count - 1)];
    for (int i = 0; i < helpers.length; i++) {
      helpers[i] = new Thread(run, "Parallax work");
      helpers[i].setDaemon(true);
      helpers[i].start();
    }
    run.run();
    boolean interrupted = false;
    for (Thread helper : helpers) {
      while (helper.isAlive()) {
        try {
          helper.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return run.results();
  }

  /** What all threads do: take the next thing. */
  private static final class Run<T, R> implements Runnable, Progress {
    private final List<T> things;
    private final BiFunction<T, Progress, R> work;
    private final Progress progress;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReferenceArray<R> results;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Run(List<T> things, BiFunction<T, Progress, R> work, Progress progress) {
      this.things = things;
      this.work = work;
      this.progress = progress;
      results = new AtomicReferenceArray<>(things.size());
    }

    @Override
    public void run() {
      try {
        for (int i = next.getAndIncrement(); i < things.size() && failure.get() == null; i = next.getAndIncrement()) {
          results.set(i, work.apply(things.get(i), this));
        }
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }

    List<R> results() {
      if (failure.get() instanceof Error error) {
        throw error;
      }
      if (failure.get() != null) {
        throw (RuntimeException) failure.get();
      }
      List<R> made = new ArrayList<>(results.length());
      for (int i = 0; i < results.length(); i++) {
        made.add(results.get(i));
      }
      return made;
    }

    @Override
    public synchronized void worked(long amount) {
      progress.worked(amount);
    }

    @Override
    public synchronized boolean isCancelled() {
      return failure.get() != null || progress.isCancelled();
    }
  }
}
