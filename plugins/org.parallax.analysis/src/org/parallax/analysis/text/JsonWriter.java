package org.parallax.analysis.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** Writes maps, collections, strings, numbers, booleans and null as indented JSON. */
public final class JsonWriter {
  /** Smaller numbers would lose their digits. */
  private static final double LEAST_FIXED = 1e-3;

  private final StringBuilder text = new StringBuilder();

  private JsonWriter() {
  }

  /** The text of a value, ending with a line feed. */
  public static String write(Object value) {
    JsonWriter writer = new JsonWriter();
    writer.value(value, "\n");
    return writer.text.append('\n').toString();
  }

  /** A string with its quotes. */
  public static String quoted(String value) {
    JsonWriter writer = new JsonWriter();
    writer.string(value);
    return writer.text.toString();
  }

  private void value(Object value, String line) {
    if (value == null || value instanceof Boolean || value instanceof Long
        || value instanceof Integer) {
      text.append(value);
    } else if (value instanceof Double number) {
      number(number);
    } else if (value instanceof Map<?, ?> map) {
      object(map, line);
    } else if (value instanceof Collection<?> list) {
      array(list, line);
    } else {
      string(value.toString());
    }
  }

  /** JSON has no infinity and no NaN. */
  private void number(double number) {
    if (!Double.isFinite(number)) {
      text.append("null");
    } else if (number != 0 && Math.abs(number) < LEAST_FIXED) {
      text.append(number);
    } else {
      text.append(String.format(Locale.ROOT, "%.6f", number).replaceFirst("\\.?0+$", ""));
    }
  }

  private void object(Map<?, ?> map, String line) {
    text.append('{');
    String separator = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(separator).append(line).append("  ");
      string(entry.getKey().toString());
      text.append(": ");
      value(entry.getValue(), line + "  ");
      separator = ",";
    }
    text.append(map.isEmpty() ? "}" : line + "}");
  }

  private void array(Collection<?> list, String line) {
    text.append('[');
    String separator = "";
    for (Object element : list) {
      text.append(separator).append(line).append("  ");
      value(element, line + "  ");
      separator = ",";
    }
    text.append(list.isEmpty() ? "]" : line + "]");
  }

  private void string(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\t' -> text.append("\\t");
        case '\r' -> text.append("\\r");
        default -> {
          if (c < 0x20 || c == 0x7f || Character.isSurrogate(c) && !isPaired(value, i)) {
            text.append(String.format("\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }

  private static boolean isPaired(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(value.charAt(at - 1));
  }
}
