package org.parallax.experiment.effects;

/** Numbers between two bounds. */
public record Interval(double low, double high) {
  /** @return whether a number is in it, bounds included */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
