package org.parallax.tuning.json;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.parallax.analysis.text.JsonWriter;

/** Objects of JSON, each on one line. */
public final class Json {
  private Json() {
  }

  /**
   * Reads a line.
   *
   * @return the object, its keys in the order of the line
   * @throws JsonException when the line is not one object of JSON
   */
  public static Map<String, Object> read(String line) throws JsonException {
    try {
      if (JsonReader.read(line) instanceof Map<?, ?> map) {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, value) -> object.put(key.toString(), value));
        return object;
      }
    } catch (JsonException e) {
      throw new JsonException("a line that is no JSON (" + e.getMessage() + "): " + shown(line));
    }
    throw new JsonException("a line that is no object of JSON: " + shown(line));
  }

  private static String shown(String line) {
    int most = 80;
    return line.length() <= most ? line : line.substring(0, most) + "...";
  }

  /** Writes maps, collections, strings, numbers, booleans and null on one line, without a line feed. */
  public static String line(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  private static void write(Object value, StringBuilder text) {
    if (value instanceof Map<?, ?> map) {
      text.append('{');
      map.forEach((key, element) -> {
        text.append(text.charAt(text.length() - 1) == '{' ? "" : ",").append(JsonWriter.quoted(key.toString())).append(':');
        write(element, text);
      });
      text.append('}');
    } else if (value instanceof Collection<?> list) {
      String separator = "[";
      for (Object element : list) {
        text.append(separator);
        write(element, text);
        separator = ",";
      }
      text.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof Double number) {
      text.append(!Double.isFinite(number) ? "null" : isWhole(number) ? Long.toString(number.longValue())
          : number.toString());
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      text.append(JsonWriter.quoted(value.toString()));
    }
  }

  private static boolean isWhole(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1L << 53;
  }

  /** @return the number of a field, or {@code other} when there is none */
  public static double number(Map<?, ?> object, String field, double other) {
    return object.get(field) instanceof Number number ? number.doubleValue() : other;
  }

  /** @return the whole number of a field, or {@code other} when there is none */
  public static long whole(Map<?, ?> object, String field, long other) {
    return object.get(field) instanceof Number number ? number.longValue() : other;
  }

  /** @return the text of a field, or an empty one when there is none */
  public static String text(Map<?, ?> object, String field) {
    Object value = object.get(field);
    return value == null ? "" : value.toString();
  }
}
