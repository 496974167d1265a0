package org.parallax.record;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Commands in one line, as in a shell: blanks separate, quotes and backslashes keep them. */
public final class CommandLine {
  private CommandLine() {}

  /** @return the words of a line */
  public static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote == 0 && Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
        continue;
      }
      if (word == null) {
        word = new StringBuilder();
      }
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
      } else {
        word.append(c);
      }
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  /** @return a line that {@link #split} reads as these words */
  public static String join(List<String> words) {
    return words.stream().map(CommandLine::quote).collect(Collectors.joining(" "));
  }

  private static String quote(String word) {
    return !word.isEmpty() && word.chars().noneMatch(
        c -> Character.isWhitespace(c) || c == '"' || c == '\'' || c == '\\') ? word
        : '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** @return a line that any shell reads as these words */
  public static String forShell(List<String> words) {
    return words.stream().map(word -> word.matches("[\\w@%+=:,./-]+") ? word
        : "'" + word.replace("'", "'\\''") + "'").collect(Collectors.joining(" "));
  }
}
