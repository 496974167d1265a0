package org.parallax.tuning.control;

/** A session cannot be controlled, or refuses a command; the message has the fact and the next step. */
public final class ControlException extends Exception {
  private static final long serialVersionUID = 1L;

  /** @param message the fact and the next step */
  public ControlException(String message) {
    super(message);
  }
}
