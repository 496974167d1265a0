package org.parallax.tuning.verify;

import java.util.Arrays;
import java.util.Random;

/**
 * Compares two settings in pairs of periods whose order is drawn by lot, by the exact signed-rank test of Wilcoxon.
 *
 * <p>An action without effect leaves the values of a pair the same whichever setting has which period, so each of the
 * 2^n assignments of signs has the same chance: by the lot, and not by an assumption on the noise, which may be skewed,
 * drift and depend on itself. An action without effect therefore passes with a probability of at most {@link #ALPHA}.
 * The trial may end early only without success ({@link #isHopeless}), which lowers that probability. The interval has
 * the averages of all pairs of differences (Walsh) between the ranks that the same distribution gives.
 */
public final class PairedTrial {
  /** The largest probability with which an action without effect passes. */
  public static final double ALPHA = 0.01;
  /** Fewer pairs cannot pass: 2^-7 is 0.8 %. */
  public static final int LEAST_PAIRS = 7;
  /** More would make the sums of ranks long. */
  public static final int MOST_PAIRS = 40;
  /** When none of so many is better, none of those to come is made. */
  private static final int FIRST_PAIRS = 3;

  private final int pairs;
  private final double margin;
  private final Random random;
  private final double[] logs;
  private boolean isNewFirst;
  private int made;

  /**
   * Draws the order of the first pair.
   *
   * @param pairs how many, from {@link #LEAST_PAIRS} to {@link #MOST_PAIRS}
   * @param margin by which share the metric must be better, 0.02 for 2 %
   */
  public PairedTrial(int pairs, double margin, Random random) {
    if (pairs < LEAST_PAIRS || pairs > MOST_PAIRS) {
      throw new IllegalArgumentException("pairs: " + pairs);
    }
    this.pairs = pairs;
    this.margin = margin;
    this.random = random;
    logs = new double[pairs];
    draw();
  }

  /** Draws the order of the next pair, which no other pair shares. */
  public void draw() {
    isNewFirst = random.nextBoolean();
  }

  /** @return whether the new setting has the first period of the pair that comes next */
  public boolean isNewFirst() {
    return isNewFirst;
  }

  /** @return whether all pairs are made */
  public boolean isComplete() {
    return made == pairs;
  }

  /** @return how many pairs are made */
  public int made() {
    return made;
  }

  /** @return how many pairs there will be */
  public int pairs() {
    return pairs;
  }

  /**
   * Takes the next pair, of costs: less is better.
   *
   * @param old the cost with the old setting, above zero
   * @param changed the cost with the new one, above zero
   */
  public void add(double old, double changed) {
    logs[made++] = Math.log(changed / old);
  }

  /** Forgets all pairs, so that those that count are added again. */
  public void clear() {
    made = 0;
  }

  /**
   * It ends early when it cannot pass any more, even if all pairs to come speak for the new setting, and when none of the
   * first pairs does: what is worse is not to last for long.
   *
   * @return whether it ends now without success
   */
  public boolean isHopeless() {
    return made > 0 && probability(contrary(), pairs) > ALPHA || made >= FIRST_PAIRS && better() == 0;
  }

  /** In how many pairs the new setting is better by the margin. */
  private int better() {
    int better = 0;
    for (int i = 0; i < made; i++) {
      better += logs[i] < Math.log1p(-margin) ? 1 : 0;
    }
    return better;
  }

  /** The sum of the ranks of pairs in which the new setting is not better by the margin. */
  private double contrary() {
    double[] beyond = new double[made];
    for (int i = 0; i < made; i++) {
      beyond[i] = logs[i] - Math.log1p(-margin);
    }
    double sum = 0;
    for (int i = 0; i < made; i++) {
      if (beyond[i] >= 0) {
        for (int k = 0; k < made; k++) {
          double here = Math.abs(beyond[i]);
          double there = Math.abs(beyond[k]);
          // Ties count as the larger rank: it makes passing harder.
          sum += there <= here ? 1 : 0;
        }
      }
    }
    return sum;
  }

  /** The chance that the ranks of the negative of n fair signs sum to at most {@code sum}. */
  static double probability(double sum, int n) {
    double[] ways = ways(n);
    double below = 0;
    for (int i = 0; i < ways.length && i <= sum; i++) {
      below += ways[i];
    }
    return below;
  }

  private static double[] ways(int n) {
    double[] ways = new double[n * (n + 1) / 2 + 1];
    ways[0] = 1;
    for (int rank = 1; rank <= n; rank++) {
      for (int i = ways.length - 1; i >= 0; i--) {
        ways[i] = 0.5 * (ways[i] + (i >= rank ? ways[i - rank] : 0));
      }
    }
    return ways;
  }

  /** @return what the pairs made so far show; with fewer than all of them it never helps */
  public Gain gain() {
    double[] walsh = new double[made * (made + 1) / 2];
    int n = 0;
    for (int i = 0; i < made; i++) {
      for (int k = i; k < made; k++) {
        walsh[n++] = (logs[i] + logs[k]) / 2;
      }
    }
    Arrays.sort(walsh);
    int cut = cut(made);
    double middle = n == 0 ? 0 : (walsh[(n - 1) / 2] + walsh[n / 2]) / 2;
    double low = cut < 0 || n == 0 ? Double.NEGATIVE_INFINITY : walsh[cut];
    double high = cut < 0 || n == 0 ? Double.POSITIVE_INFINITY : walsh[n - 1 - cut];
    double probability = probability(contrary(), pairs);
    return new Gain(-Math.expm1(middle), cut < 0 ? Double.NEGATIVE_INFINITY : -Math.expm1(high),
        cut < 0 ? Double.POSITIVE_INFINITY : -Math.expm1(low), probability,
        isComplete() && probability <= ALPHA, better() + " of " + made + " pairs of periods better");
  }

  /** How many averages are cut off at each end for the confidence; below zero when there are too few pairs. */
  private static int cut(int n) {
    int cut = -1;
    while (n > 0 && 2 * probability(cut + 1, n) <= 1 - Gain.CONFIDENCE) {
      cut++;
    }
    return cut;
  }
}
