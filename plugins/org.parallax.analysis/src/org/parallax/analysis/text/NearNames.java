package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that a person may have meant. */
public final class NearNames {
  private static final int MAX_NAMES = 3;
  private static final int MAX_LISTED = 20;

  private NearNames() {
  }

  /** Says {@code "; did you mean X?"}, or what there is when nothing is near. */
  public static String hint(String wrong, Collection<String> names) {
    List<String> near = of(wrong, names);
    if (!near.isEmpty()) {
      return "; did you mean " + String.join(" or ", near) + "?";
    }
    return names.isEmpty() ? "" : "; there is: "
        + String.join(", ", names.stream().limit(MAX_LISTED).toList())
        + (names.size() > MAX_LISTED ? ", ..." : "");
  }

  /** The names that are near, the nearest first. */
  public static List<String> of(String wrong, Collection<String> names) {
    String lower = wrong.toLowerCase(Locale.ROOT);
    List<String> near = new ArrayList<>();
    for (String name : names) {
      String candidate = name.toLowerCase(Locale.ROOT);
      int close = Math.max(1, Math.min(lower.length(), candidate.length()) / 3);
      if (distance(lower, candidate) <= close
          || lower.length() >= 2 && candidate.startsWith(lower)) {
        near.add(name);
      }
    }
    near.sort(Comparator.comparingInt(name -> distance(lower, name.toLowerCase(Locale.ROOT))));
    return near.subList(0, Math.min(MAX_NAMES, near.size()));
  }

  /** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
  public static int distance(String a, String b) {
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
