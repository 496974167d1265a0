package org.parallax.trace.code;

/** Machine code cannot be read; the message tells a person why and ends without a full stop. */
public class CodeException extends Exception {
  private static final long serialVersionUID = 1L;

  public CodeException(String message) {
    super(message);
  }
}
