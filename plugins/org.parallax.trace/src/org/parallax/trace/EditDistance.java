package org.parallax.trace;

/**
 * How far names are from each other: the optimal string alignment distance of Damerau (1964) and
 * Levenshtein (1966). Time and memory are proportional to the product of the lengths.
 */
public final class EditDistance {
  private EditDistance() {}

  /**
   * @return how many insertions, deletions, replacements and swaps of neighbours turn one into the
   *     other; upper and lower case differ
   */
  public static int of(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1),
            1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = best;
      }
    }
    return cost[a.length()][b.length()];
  }
}
