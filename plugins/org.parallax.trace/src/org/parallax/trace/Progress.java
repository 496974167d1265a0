package org.parallax.trace;

import java.util.concurrent.CancellationException;

/** Receives the progress of long work and can cancel it. Called from the thread that works. */
public interface Progress {
  /** Shows nothing and never cancels. */
  Progress NONE = new Progress() {
  };

  /**
   * A step begins.
   *
   * @param task what is being done, for a person
   * @param total the amount of work in the step, 0 when unknown
   */
  default void begin(String task, long total) {
  }

  /** A further {@code amount} of the step's total is done. */
  default void worked(long amount) {
  }

  /** Whether the person has asked to stop. */
  default boolean isCancelled() {
    return false;
  }

  /**
   * Ends the work when it was cancelled.
   *
   * @throws CancellationException when {@link #isCancelled}
   */
  default void check() {
    if (isCancelled()) {
      throw new CancellationException("cancelled");
    }
  }
}
