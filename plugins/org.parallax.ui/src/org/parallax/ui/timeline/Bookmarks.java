package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.eclipse.jface.dialogs.DialogSettings;
import org.eclipse.jface.dialogs.IDialogSettings;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Settings;

/** The moments of a trace that a person has marked, with words for them; kept for the next time that it is open. */
final class Bookmarks {
  private static final String SECTION = "bookmarks";

  private Bookmarks() {
  }

  private static IDialogSettings section() {
    return DialogSettings.getOrCreateSection(Settings.dialogs(), SECTION);
  }

  private static String key(Trace trace) {
    return trace.directory().toAbsolutePath().normalize().toString();
  }

  /** The marked moments of a trace with their words, the earliest first. */
  static NavigableMap<Long, String> of(Trace trace) {
    NavigableMap<Long, String> marks = new TreeMap<>();
    String[] kept = section().getArray(key(trace));
    for (String line : kept == null ? new String[0] : kept) {
      String[] parts = line.split(" ", 2);
      try {
        marks.put(Long.parseLong(parts[0]), parts.length < 2 ? "" : parts[1]);
      } catch (NumberFormatException e) {
        // Of another version.
        continue;
      }
    }
    return marks;
  }

  /** Marks a moment, or takes its mark off. */
  static void toggle(Trace trace, long ns, String words) {
    NavigableMap<Long, String> marks = of(trace);
    if (marks.remove(ns) == null) {
      marks.put(ns, words);
    }
    List<String> lines = new ArrayList<>();
    marks.forEach((at, told) -> lines.add(at + " " + told));
    section().put(key(trace), lines.toArray(String[]::new));
  }
}
