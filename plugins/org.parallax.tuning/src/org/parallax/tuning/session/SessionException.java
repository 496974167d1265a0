package org.parallax.tuning.session;

/** A recorded session cannot be replayed; the message has the fact and the next step. */
public final class SessionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** @param message the fact and the next step */
  public SessionException(String message) {
    super(message);
  }
}
