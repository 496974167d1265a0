package org.parallax.tuning.verify;

import java.util.Locale;

/**
 * What an action changed of its metric.
 *
 * @param share how much less (or more, where more is better) the metric is, 0.1 for 10 %; below 0 when worse
 * @param low lower end of the interval of {@link #CONFIDENCE}
 * @param high upper end
 * @param probability chance that an action without effect looks at least as good
 * @param helps whether the effect is beyond noise
 * @param basis how it was found, in words
 */
public record Gain(double share, double low, double high, double probability, boolean helps, String basis) {
  /** The least confidence of the interval. */
  public static final double CONFIDENCE = 0.95;

  /** @return "12.3 % [10.1, 14.2]", without the interval when there are too few values for it */
  public String shown() {
    if (Double.isInfinite(low) || Double.isInfinite(high)) {
      return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
    return String.format(Locale.ROOT, "%.1f %% [%.1f, %.1f]", 100 * share, 100 * low, 100 * high);
  }
}
