package org.parallax.experiment.design;

/** A design that cannot be made as it was asked for; the message says why and what can be. */
public final class DesignException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public DesignException(String message) {
    super(message);
  }
}
