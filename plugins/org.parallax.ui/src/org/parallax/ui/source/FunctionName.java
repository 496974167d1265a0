package org.parallax.ui.source;

import java.util.ArrayList;
import java.util.List;

/**
 * The name of a function without what tells its variants apart: parameters, arguments of templates,
 * and the suffixes of copies that a compiler makes.
 *
 * @param segments namespaces and classes, outermost first, then the function
 */
public record FunctionName(List<String> segments) {
  private static final String OPERATOR = "operator";
  private static final String ANONYMOUS = "(anonymous namespace)";

  public FunctionName {
    segments = List.copyOf(segments);
  }

  /**
   * Reads a name as compilers record it and demanglers write it, such as {@code n::Box<int>::get()
   * const} or {@code relax.constprop.0}. Anonymous namespaces are left out, as they have no name.
   *
   * @return without segments for a name that has none, such as an address
   */
  public static FunctionName of(String name) {
    List<String> segments = new ArrayList<>();
    StringBuilder segment = new StringBuilder();
    String text = name.strip().replace(ANONYMOUS, "");
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (depth == 0 && segment.toString().equals(OPERATOR) && !isPartOfName(c)) {
        int end = operatorEnd(text, i);
        segment.append(text.substring(i, end).strip());
        i = end - 1;
      } else if (c == '<') {
        depth++;
      } else if (c == '>') {
        depth--;
      } else if (depth == 0 && c == ' ') {
        // What stands before is the type of the result.
        segments.clear();
        segment.setLength(0);
      } else if (depth == 0 && text.startsWith("::", i)) {
        add(segments, segment);
        i++;
      } else if (depth == 0 && (c == '(' || c == '.' || c == '[' || c == '@')) {
        break;
      } else if (depth == 0) {
        segment.append(c);
      }
    }
    add(segments, segment);
    return new FunctionName(segments);
  }

  private static void add(List<String> segments, StringBuilder segment) {
    if (segment.length() > 0) {
      segments.add(segment.toString());
      segment.setLength(0);
    }
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  /** Where the parameters of an operator begin, whose own name may be that of brackets. */
  private static int operatorEnd(String text, int from) {
    int begin = text.startsWith("()", from) ? from + 2 : from;
    int end = text.indexOf('(', begin);
    return end < 0 ? text.length() : end;
  }

  /** The function without namespaces and classes; empty where there is no name. */
  public String last() {
    return segments.isEmpty() ? "" : segments.get(segments.size() - 1);
  }

  /** As it is written in a program. */
  @Override
  public String toString() {
    return String.join("::", segments);
  }
}
