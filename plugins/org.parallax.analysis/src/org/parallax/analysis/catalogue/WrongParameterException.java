package org.parallax.analysis.catalogue;

/** A parameter of a report has a value that is wrong for every trace. */
public final class WrongParameterException extends ReportException {
  private static final long serialVersionUID = 1L;

  /** @param message the parameter and its value, and what it takes; ends without a full stop */
  public WrongParameterException(String message) {
    super(message);
  }
}
