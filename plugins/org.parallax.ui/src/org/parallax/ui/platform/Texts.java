package org.parallax.ui.platform;

import java.util.regex.Pattern;

/** Texts of the core, as views show them. */
public final class Texts {
  /** Begins of messages that are followed by a colon and are no names. */
  private static final Pattern LABEL = Pattern.compile("(damaged|incomplete|external data|lost):.*");
  /** A first word that is the name of a program, a file, a function or an option. */
  private static final Pattern NAME = Pattern.compile(
      "\\S+:(\\s.*)?|\\S+ (\\(pid |and \\d+ more).*|[^\\s,;]*[^\\p{L}\\s,;'-][^\\s,;]*[\\s,;].*"
      + "|[^\\s]*\\p{Ll}\\p{Lu}.*", Pattern.DOTALL);

  private Texts() {
  }

  /**
   * A message of the core, which may follow a program's name on the command line, on its own: it begins
   * with a capital, unless with a name, and says what to do here.
   */
  public static String sentence(String message) {
    String text = CommandLineWords.replaced(message);
    if (text.isEmpty() || !LABEL.matcher(text).matches() && NAME.matcher(text).matches()) {
      return text;
    }
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
