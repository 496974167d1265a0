package org.parallax.help;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stays the same in a message: its text with an ellipsis for each value that is put in. Read from
 * expressions of Java and C++, from patterns of property files, and from words of the shell.
 */
final class FixedText {
  private static final String VALUE = "\u2026";
  /** A heading has the beginning of a longer message. */
  private static final int LONGEST = 160;
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private FixedText() {
  }

  /** @return the texts of an expression: one, or one of each branch of a choice between texts */
  static List<String> ofExpression(String expression) {
    String plain = expression.strip().replaceAll("(?s)std::string\\((" + LITERAL + ")\\)", "$1");
    List<String> choice = split(plain, '?');
    if (choice.size() > 1) {
      List<String> found = new ArrayList<>();
      for (String branch : split(plain.substring(choice.get(0).length() + 1), ':')) {
        found.addAll(ofExpression(branch));
      }
      return found;
    }
    Matcher format = Pattern.compile("(?s)^String\\.format\\((?:Locale\\.ROOT,\\s*)?(.*)\\)$")
        .matcher(plain);
    if (format.find()) {
      return List.of(tidy(concatenated(split(format.group(1), ',').get(0))
          .replaceAll("%[-.\\d]*[a-z]", VALUE).replace("%%", "%")));
    }
    return List.of(tidy(concatenated(plain)));
  }

  /** @param pattern as {@code NLS.bind} takes it, with markup of links */
  static String ofPattern(String pattern) {
    return tidy(pattern.replaceAll("\\{\\d\\}", VALUE).replaceAll("</?a[^>]*>", "")
        .replace("''", "'"));
  }

  /** @param words one or several quoted words of a shell */
  static String ofShell(String words) {
    StringBuilder text = new StringBuilder();
    Matcher literal = LITERAL.matcher(words);
    while (literal.find()) {
      text.append(text.isEmpty() ? "" : " ").append(unescape(literal.group(1)
          .replaceAll("\\$\\([^)]*\\)|\\$\\{[^}]*\\}|\\$\\w+", VALUE)));
    }
    return tidy(text.toString());
  }

  /** @return whether something is left that a person could look up */
  static boolean isTelling(String text) {
    return text.replace(VALUE, "").matches("(?s).*\\w+\\W+\\w+.*");
  }

  private static String concatenated(String expression) {
    StringBuilder text = new StringBuilder();
    for (String part : split(expression, '+')) {
      // C++ concatenates literals that follow each other.
      String literals = part.strip();
      Matcher literal = LITERAL.matcher(literals);
      if (literals.replaceAll(LITERAL.pattern(), "").isBlank()) {
        while (literal.find()) {
          text.append(unescape(literal.group(1)));
        }
      } else {
        text.append(VALUE);
      }
    }
    return text.toString();
  }

  /** Splits at a character that is in no literal and no parentheses. */
  static List<String> split(String expression, char at) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    char quote = 0;
    int start = 0;
    for (int i = 0; i < expression.length(); i++) {
      char c = expression.charAt(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if ("([{".indexOf(c) >= 0) {
        depth++;
      } else if (")]}".indexOf(c) >= 0) {
        depth--;
      } else if (c == at && depth == 0 && !(at == ':' && isDouble(expression, i))) {
        parts.add(expression.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(expression.substring(start));
    return parts;
  }

  private static boolean isDouble(String text, int i) {
    return text.startsWith("::", i) || i > 0 && text.startsWith("::", i - 1);
  }

  private static String unescape(String literal) {
    return literal.replace("\\n", " ").replace("\\\"", "\"").replace("\\\\", "\\");
  }

  /** One line of a heading, one ellipsis for values that follow each other, nothing that Markdown would eat. */
  private static String tidy(String text) {
    String line = text.replaceAll("\\s+", " ")
        .replaceAll("[\u2026 ]*\u2026[\u2026 ]*\u2026", VALUE).replaceAll("\u2026+", VALUE)
        .replace('`', '\'').strip();
    return line.length() <= LONGEST ? line
        : line.substring(0, line.lastIndexOf(' ', LONGEST)) + " " + VALUE;
  }
}
