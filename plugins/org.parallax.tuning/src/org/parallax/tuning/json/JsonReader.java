package org.parallax.tuning.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259) into maps, lists, strings, Long, Double, Boolean and null, in linear time. Of keys that are twice in an
 * object the last counts.
 */
final class JsonReader {
  /** Lines of others must not exhaust the stack. */
  private static final int MOST_DEPTH = 64;
  private static final int HEX_DIGITS = 4;

  private final String text;
  private int at;
  private int depth;

  private JsonReader(String text) {
    this.text = text;
  }

  static Object read(String text) throws JsonException {
    JsonReader reader = new JsonReader(text);
    Object value = reader.value();
    // A character 0 is no end.
    if (reader.next() != 0 || reader.at < text.length()) {
      throw reader.wrong("the end");
    }
    return value;
  }

  private JsonException wrong(String expected) {
    return new JsonException("expected " + expected + " at character " + (at + 1));
  }

  /** The next character that is no white space, which is not taken; 0 at the end. */
  private char next() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean take(char wanted) {
    if (next() == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void need(char wanted) throws JsonException {
    if (!take(wanted)) {
      throw wrong(String.valueOf(wanted));
    }
  }

  private Object value() throws JsonException {
    if (++depth > MOST_DEPTH) {
      throw wrong("at most " + MOST_DEPTH + " levels");
    }
    Object value = switch (next()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
    depth--;
    return value;
  }

  private Object word(String word, Object value) throws JsonException {
    if (!text.startsWith(word, at)) {
      throw wrong("a value");
    }
    at += word.length();
    return value;
  }

  private Map<String, Object> object() throws JsonException {
    Map<String, Object> object = new LinkedHashMap<>();
    need('{');
    if (take('}')) {
      return object;
    }
    do {
      if (next() != '"') {
        throw wrong("a key in quotes");
      }
      String key = string();
      need(':');
      object.put(key, value());
    } while (take(','));
    need('}');
    return object;
  }

  private List<Object> array() throws JsonException {
    List<Object> array = new ArrayList<>();
    need('[');
    if (take(']')) {
      return array;
    }
    do {
      array.add(value());
    } while (take(','));
    need(']');
    return array;
  }

  private String string() throws JsonException {
    at++;
    int start = at;
    StringBuilder unescaped = null;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        String rest = text.substring(start, at++);
        return unescaped == null ? rest : unescaped.append(rest).toString();
      }
      if (c < ' ') {
        throw wrong("no control character");
      }
      if (c == '\\') {
        unescaped = (unescaped == null ? new StringBuilder() : unescaped).append(text, start, at);
        unescaped.append(escaped());
        start = at;
      } else {
        at++;
      }
    }
    throw wrong("\"");
  }

  private char escaped() throws JsonException {
    char c = at + 1 < text.length() ? text.charAt(at + 1) : 0;
    if (c == 'u') {
      String digits = at + 2 + HEX_DIGITS <= text.length() ? text.substring(at + 2, at + 2 + HEX_DIGITS) : "";
      if (!digits.matches("[0-9a-fA-F]{4}")) {
        throw wrong("four digits after \\u");
      }
      at += 2 + HEX_DIGITS;
      return (char) Integer.parseInt(digits, 16);
    }
    int index = "\"\\/bfnrt".indexOf(c);
    if (c == 0 || index < 0) {
      throw wrong("an escaped character");
    }
    at += 2;
    return "\"\\/\b\f\n\r\t".charAt(index);
  }

  private Number number() throws JsonException {
    int start = at;
    boolean isWhole = true;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      isWhole &= ".eE".indexOf(text.charAt(at)) < 0;
      at++;
    }
    String digits = text.substring(start, at);
    Number number = null;
    try {
      // What Java reads beyond JSON, as 1. or 01, does no harm.
      number = isWhole ? whole(digits) : Double.valueOf(digits);
    } catch (NumberFormatException e) {
      // Told below.
    }
    if (number == null) {
      at = start;
      throw wrong("a value");
    }
    return number;
  }

  /** Those that a long cannot hold become the nearest double. */
  private static Number whole(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return Double.valueOf(digits);
    }
  }
}
