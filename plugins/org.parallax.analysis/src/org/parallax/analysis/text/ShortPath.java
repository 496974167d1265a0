package org.parallax.analysis.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Call paths as a line of a table has room for them: the innermost procedures, in any case those from
 * the program's own function on, and of the outer ones as many as fit.
 */
final class ShortPath {
  /** Where programs and threads begin, before the function that a person knows. */
  private static final Set<String> STARTS = Set.of("_start", "__libc_start_main",
      "__libc_start_main_impl", "__libc_start_call_main", "start_thread", "clone", "clone3",
      "__clone", "__clone3");
  private static final String GAP = " > ";
  private static final String LEFT_OUT = "...";
  private static final int MAX_NAME = 32;
  /** So many of what the own function calls are shown where it calls deeper than that. */
  private static final int MOST_BELOW = 3;

  private ShortPath() {}

  /**
   * @param path names with {@code ;} between them
   * @param function the program's own one, which is on the path; empty for none
   * @param room in letters, for what is outside of the function
   */
  static String of(String path, String function, int room) {
    List<String> names = new ArrayList<>(List.of(path.split(";")));
    while (names.size() > 1 && STARTS.contains(names.get(0))) {
      names.remove(0);
    }
    int own = names.lastIndexOf(function);
    List<String> shown = new ArrayList<>();
    int first = own < 0 ? Math.max(0, names.size() - MOST_BELOW) : own;
    for (int i = first; i < names.size(); i++) {
      boolean leftOut = i > first && i < names.size() - MOST_BELOW;
      if (!leftOut) {
        shown.add(ShortName.of(names.get(i), MAX_NAME));
      } else if (i == first + 1) {
        shown.add(LEFT_OUT);
      }
    }
    int length = String.join(GAP, shown).length();
    int outer = first - 1;
    for (; outer >= 0; outer--) {
      String name = ShortName.of(names.get(outer), MAX_NAME);
      length += name.length() + GAP.length();
      if (length > room) {
        break;
      }
      shown.add(0, name);
    }
    return (outer >= 0 ? LEFT_OUT + GAP : "") + String.join(GAP, shown);
  }
}
