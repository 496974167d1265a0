package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.eclipse.jface.dialogs.DialogSettings;
import org.eclipse.jface.dialogs.IDialogSettings;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Settings;

/**
 * The moments of a trace that a person has marked, with words for them; kept for the next time that it is open. They
 * are kept in the trace's own time: where they are shown depends on what is open beside it.
 *
 * @param movedNs by how much times are shown later than in the trace
 */
record Bookmarks(Trace trace, long movedNs) {
  private static final String SECTION = "bookmarks";

  private static IDialogSettings section() {
    return DialogSettings.getOrCreateSection(Settings.dialogs(), SECTION);
  }

  private String key() {
    return trace.directory().toAbsolutePath().normalize().toString();
  }

  /** The marked moments with their words, the earliest first. */
  NavigableMap<Long, String> all() {
    NavigableMap<Long, String> marks = new TreeMap<>();
    String[] kept = section().getArray(key());
    for (String line : kept == null ? new String[0] : kept) {
      String[] parts = line.split(" ", 2);
      try {
        marks.put(Long.parseLong(parts[0]) + movedNs, parts.length < 2 ? "" : parts[1]);
      } catch (NumberFormatException e) {
        // Of another version.
        continue;
      }
    }
    return marks;
  }

  /** Marks a moment, or takes its mark off. */
  void toggle(long ns, String words) {
    NavigableMap<Long, String> marks = all();
    if (marks.remove(ns) == null) {
      marks.put(ns, words);
    }
    List<String> lines = new ArrayList<>();
    marks.forEach((at, told) -> lines.add(at - movedNs + " " + told));
    section().put(key(), lines.toArray(String[]::new));
  }
}
