package org.parallax.tuning.monitor;

/** The monitor cannot be started or does not answer; the message has the fact and the next step. */
public final class MonitorException extends Exception {
  private static final long serialVersionUID = 1L;

  /** @param message the fact and the next step */
  public MonitorException(String message) {
    super(message);
  }
}
