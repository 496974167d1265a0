package org.parallax.cli.command;

/** The command line is wrong; the message says how, and what would be right. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** @param message what is wrong, and what would be right */
  public UsageException(String message) {
    super(message);
  }
}
