package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.parallax.trace.EditDistance;

/** Finds the names that a person may have meant. */
public final class NearNames {
  private static final int MAX_NAMES = 3;
  private static final int MAX_LISTED = 20;
  /** Longer names, such as those of instances of C++ templates, would hide the others. */
  private static final int MAX_LENGTH = 60;

  private NearNames() {
  }

  /** Says {@code "; did you mean X?"}, or what there is when nothing is near. */
  public static String hint(String wrong, Collection<String> names) {
    List<String> near = of(wrong, names);
    if (!near.isEmpty()) {
      return "; did you mean " + String.join(" or ", near) + "?";
    }
    List<String> listed = names.stream().filter(name -> name.length() <= MAX_LENGTH)
        .limit(MAX_LISTED).toList();
    return listed.isEmpty() ? "" : "; choose from: " + String.join(", ", listed)
        + (names.size() > listed.size() ? ", ..." : "");
  }

  /** The names that are near, the nearest first. */
  public static List<String> of(String wrong, Collection<String> names) {
    String lower = wrong.toLowerCase(Locale.ROOT);
    List<String> near = new ArrayList<>();
    for (String name : names) {
      String candidate = name.toLowerCase(Locale.ROOT);
      int close = Math.max(1, Math.min(lower.length(), candidate.length()) / 3);
      if (EditDistance.of(lower, candidate) <= close
          || lower.length() >= 2 && candidate.startsWith(lower)) {
        near.add(name);
      }
    }
    near.sort(Comparator.comparingInt(name -> EditDistance.of(lower, name.toLowerCase(Locale.ROOT))));
    return near.subList(0, Math.min(MAX_NAMES, near.size()));
  }
}
