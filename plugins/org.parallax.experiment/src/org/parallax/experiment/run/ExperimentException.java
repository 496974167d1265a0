package org.parallax.experiment.run;

/**
 * An experiment cannot be made or run. The message is made for the person who asked for it: the fact
 * with its values, the likely cause, and what to do next.
 */
public final class ExperimentException extends Exception {
  private static final long serialVersionUID = 1L;

  public ExperimentException(String message) {
    super(message);
  }

  public ExperimentException(String message, Throwable cause) {
    super(message, cause);
  }
}
