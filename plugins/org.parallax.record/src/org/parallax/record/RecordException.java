package org.parallax.record;

/** Something cannot be recorded; the message says why and what to do. */
public final class RecordException extends Exception {
  private static final long serialVersionUID = 1;

  public RecordException(String message) {
    super(message);
  }

  public RecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
