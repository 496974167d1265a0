package org.parallax.studies;

/** A gain in percent with its standard error; NaN for what is not known. */
record Estimate(double value, double error) {
  static final Estimate NONE = new Estimate(Double.NaN, Double.NaN);

  boolean isComplete() {
    return Double.isFinite(value) && Double.isFinite(error);
  }

  @Override
  public String toString() {
    return String.format("%6s +- %5s", Numbers.fixed(value, 2),
        Double.isFinite(error) ? Numbers.fixed(error, 2) : "?");
  }
}
