package org.parallax.ui.platform;

/** Texts of the core, as views show them. */
public final class Texts {
  private Texts() {
  }

  /** A message of the core, which may follow a program's name on the command line, on its own. */
  public static String sentence(String message) {
    return message.isEmpty() ? message
        : Character.toUpperCase(message.charAt(0)) + message.substring(1);
  }
}
