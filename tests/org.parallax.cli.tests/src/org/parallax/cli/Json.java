package org.parallax.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict reader of JSON, independent of the writer under test. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The value as maps, lists, strings, numbers (Long or Double), booleans and null. */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at != text.length()) {
      throw json.wrong("the end");
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(String text) {
    return (Map<String, Object>) parse(text);
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("expected " + expected + " at " + at + " of " + text);
  }

  private void space() {
    while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean accept(String token) {
    space();
    boolean found = text.startsWith(token, at);
    at += found ? token.length() : 0;
    return found;
  }

  private void expect(String token) {
    if (!accept(token)) {
      throw wrong(token);
    }
  }

  private Object value() {
    if (accept("{")) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (boolean more = !accept("}"); more; more = !accept("}")) {
        if (!map.isEmpty()) {
          expect(",");
        }
        expect("\"");
        String key = string();
        expect(":");
        if (map.containsKey(key)) {
          throw wrong("another key than " + key);
        }
        map.put(key, value());
      }
      return map;
    }
    if (accept("[")) {
      List<Object> list = new ArrayList<>();
      for (boolean more = !accept("]"); more; more = !accept("]")) {
        if (!list.isEmpty()) {
          expect(",");
        }
        list.add(value());
      }
      return list;
    }
    if (accept("\"")) {
      return string();
    }
    if (accept("null")) {
      return null;
    }
    if (accept("true")) {
      return true;
    }
    return accept("false") ? Boolean.FALSE : number();
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(start, at);
    if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
      throw wrong("a value");
    }
    return number.matches("-?[0-9]+") ? (Object) Long.valueOf(number) : Double.valueOf(number);
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    while (true) {
      char c = text.charAt(at++);
      if (c == '"') {
        return value.toString();
      }
      if (c < 0x20) {
        throw wrong("no control character");
      }
      if (c != '\\') {
        value.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> value.append('\n');
        case 't' -> value.append('\t');
        case 'r' -> value.append('\r');
        case '"', '\\', '/' -> value.append(escaped);
        case 'u' -> {
          value.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        }
        default -> throw wrong("an escape");
      }
    }
  }
}
