package org.parallax.analysis.catalogue;

/** A report cannot be made of what it was asked for; the message tells a person why. */
public class ReportException extends Exception {
  private static final long serialVersionUID = 1L;

  /** @param message the fact with its values and the next step; ends without a full stop */
  public ReportException(String message) {
    super(message);
  }
}
