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
 * A result that several threads can ask for. It is computed once for all of them, and then held as
 * long as there is memory for it.
 *
 * <p>Guarantees:
 *
 * <ol>
 *   <li>A computation runs in a thread of its own. A caller waits only for the
 *       result that it asked for.
 *   <li>All callers that ask while it is computed wait for the same computation. Each is told its progress
 *       from the beginning of its current step.
 *   <li>A caller that gives up (its {@link Progress} is cancelled or throws, or its thread is interrupted) stops
 *       waiting at the next moment when the computation reports or checks its progress. The others
 *       do not notice.
 *   <li>When the last caller has given up, the computation is cancelled. A later caller starts a new one.
 *   <li>A failure is thrown to all callers that wait, the same exception to each. It is not kept: a later
 *       caller starts a new computation.
 * </ol>
 *
 * <p>Assumption: the computation calls its progress from one thread at a time. The progress of each
 * caller is called from that thread, so that a slow one slows the computation down.
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
  /** The computation that those who ask now can wait for; null if there is none. */
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
   * Gives the memory back. Those who wait for a computation still get its result, but it is not held
   * for others.
   */
  public synchronized void forget() {
    held = new SoftReference<>(null);
    current = null;
  }

  /** One who waits. */
  private final class Asker {
    final Progress progress;
    final CompletableFuture<T> answer = new CompletableFuture<>();
    /** How much of the computation's progress was reported; touched by the computing thread only. */
    int step;
    long worked;

    Asker(Progress progress) {
      this.progress = progress;
    }
  }

  /** One computation. Its progress is that of all who wait for it. */
  private final class Run implements Runnable, Progress {
    final List<Asker> askers = new CopyOnWriteArrayList<>();
    // Touched by the computing thread only.
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

    /** Ends the waiting of one; when he was the last one, nobody else can join this computation. */
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
