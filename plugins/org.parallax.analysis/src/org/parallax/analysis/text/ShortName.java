package org.parallax.analysis.text;

/**
 * Names that fit into a column. Of a C++ function the arguments of templates go first, then its
 * parameters, then the type that it returns; of what is still too long, the middle.
 */
public final class ShortName {
  private static final String ANONYMOUS = "(anonymous namespace)";
  /** A process that shares its name with others is told from them so. */
  private static final String PROCESS = "(pid ";

  private ShortName() {}

  /** A name of at most {@code width} characters, blanks before it kept; linear in the name. */
  public static String of(String name, int width) {
    int blanks = name.length() - name.stripLeading().length();
    String text = name.substring(blanks);
    int room = Math.max(width - blanks, 8);
    if (text.length() > room) {
      text = emptied(text, '<', '>');
    }
    if (text.length() > room) {
      text = emptied(text, '(', ')');
    }
    if (text.length() > room) {
      text = text.substring(afterReturnType(text));
    }
    return name.substring(0, blanks) + (text.length() > room ? ends(text, room) : text);
  }

  /** Without what is between brackets, if they are balanced. */
  private static String emptied(String text, char open, char close) {
    StringBuilder kept = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      int length = literal(text, i);
      if (length > 0) {
        if (depth == 0) {
          kept.append(text, i, i + length);
        }
        i += length - 1;
        continue;
      }
      char c = text.charAt(i);
      if (c == close) {
        depth--;
      }
      if (depth < 0) {
        return text;
      }
      if (depth == 0) {
        kept.append(c);
      }
      if (c == open) {
        depth++;
      }
    }
    return depth == 0 ? kept.toString() : text;
  }

  /** How many characters from here on have brackets that enclose nothing; 0 for none. */
  private static int literal(String text, int at) {
    if (text.startsWith(ANONYMOUS, at)) {
      return ANONYMOUS.length();
    }
    if (text.startsWith("->", at)) {
      return 2;
    }
    if (text.startsWith(PROCESS, at)) {
      return Math.max(0, text.indexOf(')', at) + 1 - at);
    }
    if (!text.startsWith("operator", at)) {
      return 0;
    }
    int end = at + "operator".length();
    if (text.startsWith("()", end)) {
      return end + 2 - at;
    }
    while (end < text.length() && "<=>-+*/%^&|~!,[]".indexOf(text.charAt(end)) >= 0) {
      if (text.charAt(end) == '<' && end > at + "operator".length()
          && !text.startsWith("operator<<", at)) {
        break;
      }
      if (text.startsWith("operator<<<", at) && end == at + "operator<<".length()) {
        break;
      }
      end++;
    }
    return end - at;
  }

  /** Where the name begins: after the last blank that is in no bracket and before parameters. */
  private static int afterReturnType(String text) {
    int begin = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      int length = literal(text, i);
      if (length > 0) {
        i += length - 1;
        continue;
      }
      char c = text.charAt(i);
      if (c == '(' && depth == 0) {
        return begin;
      }
      if (c == '(' || c == '<') {
        depth++;
      } else if (c == ')' || c == '>') {
        depth--;
      } else if (c == ' ' && depth == 0) {
        begin = i + 1;
      }
    }
    return 0;
  }

  private static String ends(String text, int room) {
    int end = room / 3;
    return text.substring(0, room - end - 3) + "..." + text.substring(text.length() - end);
  }
}
