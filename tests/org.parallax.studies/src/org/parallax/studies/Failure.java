package org.parallax.studies;

/** Tells why a study has failed: an answer is wrong, or an input lacks what the table needs. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1;

  Failure(String message) {
    super(message);
  }
}
