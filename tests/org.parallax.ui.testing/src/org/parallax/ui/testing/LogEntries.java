package org.parallax.ui.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.Platform;

/** What the workbench's log has of Parallax. */
public final class LogEntries {
  private LogEntries() {
  }

  /**
   * The entries of our bundles, and of any other those whose stack has our code. That listeners of jobs took over 3 s
   * says more of the machine than of them: tests that watch the user interface find out which.
   */
  public static List<String> ofParallax() throws IOException {
    Path log = Platform.getLogFileLocation().toPath();
    List<String> found = new ArrayList<>();
    if (!Files.exists(log)) {
      return found;
    }
    StringBuilder entry = new StringBuilder();
    for (String line : Files.readAllLines(log)) {
      if (line.startsWith("!ENTRY") || line.startsWith("!SESSION")) {
        add(entry, found);
        entry.setLength(0);
      }
      entry.append(line).append('\n');
    }
    add(entry, found);
    return found;
  }

  private static void add(StringBuilder entry, List<String> found) {
    String text = entry.toString();
    if (text.startsWith("!ENTRY org.parallax") || text.startsWith("!ENTRY") && text.contains("\tat org.parallax.")
        && !text.contains("IJobChangeListener timeout detected")) {
      found.add(text);
    }
  }
}
