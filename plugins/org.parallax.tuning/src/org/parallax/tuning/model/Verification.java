package org.parallax.tuning.model;

import org.parallax.tuning.formula.Formula;

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
}
