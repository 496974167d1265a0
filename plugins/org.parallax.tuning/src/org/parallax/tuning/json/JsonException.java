package org.parallax.tuning.json;

/** A line is not an object of JSON. */
public final class JsonException extends Exception {
  private static final long serialVersionUID = 1L;

  JsonException(String message) {
    super(message);
  }
}
