package org.parallax.record;

/**
 * Something that a machine or a launch lacks.
 *
 * @param fact what is so, as a sentence without an end
 * @param remedy what to do, likewise
 */
public record Problem(Severity severity, Topic topic, String fact, String remedy) {
  /** An error keeps a launch from running; after a warning it runs, with less to see. */
  public enum Severity {
    ERROR, WARNING
  }

  /** What it is about. */
  public enum Topic {
    AGENT, PROGRAM, MPI, PVM, SYMBOLS, SAMPLING, OUTPUT, TRACE
  }

  static Problem error(Topic topic, String fact, String remedy) {
    return new Problem(Severity.ERROR, topic, fact, remedy);
  }

  static Problem warning(Topic topic, String fact, String remedy) {
    return new Problem(Severity.WARNING, topic, fact, remedy);
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** Fact and remedy, in one line. */
  public String text() {
    return remedy.isEmpty() ? fact : fact + "; " + remedy;
  }
}
