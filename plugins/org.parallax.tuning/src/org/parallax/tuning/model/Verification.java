package org.parallax.tuning.model;

import java.util.Locale;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.verify.Gain;

/**
 * How the effect of an action is verified.
 *
 * @param metric what must get better
 * @param isLowerBetter or else higher
 * @param after visits for a period
 * @param by least share by which it must get better, 0.02 for 2 %
 * @param isInterleaved whether the settings take turns; else periods before are compared with periods after
 * @param pairs how many pairs of periods, when they take turns
 */
public record Verification(Formula metric, boolean isLowerBetter, Visits after, double by, boolean isInterleaved, int pairs) {
  /** @return what a trial has shown, in words, as "elapsed() / count(sent) is 33.5 % [32.7, 33.7] less" with its basis */
  public String shown(Gain gain) {
    return metric + " is " + gain.shown() + (isLowerBetter ? " less" : " better") + " (" + gain.basis()
        + String.format(Locale.ROOT, ", p = %.4f)", gain.probability())
        + (gain.helps() ? "" : ", which is not beyond noise" + (by > 0 ? " and " + Math.round(1000 * by) / 10.0 + " %" : ""));
  }
}
