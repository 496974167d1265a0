package org.parallax.cli;

/** The command line is wrong; the message says how, and what would be right. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
