package org.parallax.trace.series;

/** A series has a line that is not as the format demands. */
public final class SeriesException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long line;

  /**
   * @param line counted from 1
   * @param expected what may stand there
   * @param found what does
   */
  public SeriesException(long line, String expected, String found) {
    super("expected " + expected + ", found " + found);
    this.line = line;
  }

  /** The number of the line, counted from 1. */
  public long line() {
    return line;
  }
}
