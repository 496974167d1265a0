package org.parallax.cli.command;

/** The command cannot do what it was asked; the message has the fact and the next step. */
public class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** @param message the fact and the next step */
  public CommandFailure(String message) {
    super(message);
  }
}
