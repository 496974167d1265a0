package org.parallax.analysis.internal;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.parallax.trace.Progress;

/**
 * A result that several threads can request. It is computed once for all of them, and is then held as
 * long as there is memory for it.
 *
 * <p>Guarantees:
 *
 * <ol>
 *   <li>A computation runs in its own thread. A caller waits only for the result that it requested.
 *   <li>All callers during a computation wait for the same computation. Each receives its progress from
 *       the beginning of the current step.
 *   <li>A caller that gives up (its {@link Progress} is cancelled or throws, or its thread is interrupted) stops
 *       waiting the next time the computation reports or checks its progress. Other callers are not
 *       affected.
 *   <li>When the last caller has given up, the computation is cancelled. A later caller starts a new one.
 *   <li>If the computation fails, all waiting callers throw the same exception. The failure is not kept: a
 *       later caller starts a new computation.
 * </ol>
 *
 * <p>Assumption: the computation calls its progress from one thread at a time. That thread calls the
 * progress of each caller, so a slow caller slows the computation down.
 *
 * @param <T> an immutable value
 */
public final class SharedResult<T> {
  private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
    Thread thread = new Thread(work, "Parallax result");
    thread.setDaemon(true);
    return thread;
  });

  private final Function<Progress, T> computation;
  private SoftReference<T> held = new SoftReference<>(null);
  /** The running computation, which further callers can join; null if there is none. */
  private Run current;

  /** @param computation never returns null; it may ask for other results, but not for this one */
  public SharedResult(Function<Progress, T> computation) {
    this.computation = computation;
  }

  /**
   * @return the result, at once if it is held
   * @throws CancellationException when the progress says so
   * @throws RuntimeException what the computation or the progress has thrown
   */
  public T get(Progress progress) {
    T value = peek();
    if (value != null) {
      return value;
    }
    progress.check();
    Asker asker = new Asker(progress);
    Run run;
    synchronized (this) {
      value = held.get();
      if (value != null) {
        return value;
      }
      if (current == null) {
        current = new Run();
        current.askers.add(asker);
        start();
      } else {
        current.askers.add(asker);
      }
      run = current;
    }
    return run.await(asker);
  }

  private void start() {
    try {
      THREADS.execute(current);
    } catch (RuntimeException | Error e) {
      current = null;
      throw e;
    }
  }

  /** @return the result if it is held, else null; computes nothing */
  public synchronized T peek() {
    return held.get();
  }

  /**
   * Releases the memory. Callers that wait for a computation still get its result, but it is not held
   * for others.
   */
  public synchronized void forget() {
    held = new SoftReference<>(null);
    current = null;
  }

  /** A waiting caller. */
  private final class Asker {
    final Progress progress;
    final CompletableFuture<T> answer = new CompletableFuture<>();
    /** The part of the computation's progress that was reported; used only by the computing thread. */
    int step;
    long worked;

    Asker(Progress progress) {
      this.progress = progress;
    }
  }

  /** One computation. It reports its progress to all waiting callers. */
  private final class Run implements Runnable, Progress {
    final List<Asker> askers = new CopyOnWriteArrayList<>();
    // Used only by the computing thread.
    private int step;
    private String task;
    private long total;
    private long worked;

    T await(Asker asker) {
      try {
        return asker.answer.get();
      } catch (InterruptedException e) {
        leave(asker, new CancellationException("interrupted"));
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted");
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) e.getCause();
      }
    }

    @Override
    public void run() {
      T value = null;
      Throwable failure = null;
      try {
        value = Objects.requireNonNull(computation.apply(this));
      } catch (RuntimeException | Error e) {
        failure = e;
      }
      synchronized (SharedResult.this) {
        if (current == this) {
          current = null;
          if (failure == null) {
            held = new SoftReference<>(value);
          }
        }
      }
      for (Asker asker : askers) {
        if (failure == null) {
          asker.answer.complete(value);
        } else {
          asker.answer.completeExceptionally(failure);
        }
      }
    }

    /** Ends the wait of a caller. After the last one, no other caller can join this computation. */
    private void leave(Asker asker, RuntimeException reason) {
      synchronized (SharedResult.this) {
        askers.remove(asker);
        if (askers.isEmpty() && current == this) {
          current = null;
        }
      }
      asker.answer.completeExceptionally(reason);
    }

    @Override
    public void begin(String newTask, long newTotal) {
      step++;
      task = newTask;
      total = newTotal;
      worked = 0;
      askers.forEach(this::report);
    }

    @Override
    public void worked(long amount) {
      worked += amount;
      askers.forEach(this::report);
    }

    private void report(Asker asker) {
      try {
        if (asker.step < step) {
          asker.step = step;
          asker.worked = 0;
          asker.progress.begin(task, total);
        }
        if (asker.worked < worked) {
          long amount = worked - asker.worked;
          asker.worked = worked;
          asker.progress.worked(amount);
        }
      } catch (RuntimeException e) {
        leave(asker, e);
      }
    }

    @Override
    public boolean isCancelled() {
      for (Asker asker : askers) {
        try {
          asker.progress.check();
        } catch (RuntimeException e) {
          leave(asker, e);
        }
      }
      return askers.isEmpty();
    }
  }
}
