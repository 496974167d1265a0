package org.parallax.tuning.formula;

/** A formula is wrong, or has no value. */
public final class FormulaException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int position;

  FormulaException(int position, String message) {
    super(message);
    this.position = position;
  }

  /** @return the character at which it is wrong, from 0 */
  public int position() {
    return position;
  }
}
