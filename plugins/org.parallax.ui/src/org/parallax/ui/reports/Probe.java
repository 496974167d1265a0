package org.parallax.ui.reports;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.parallax.analysis.table.Table;
import org.parallax.ui.platform.UiLog;

/**
 * Tells a test of an installed workbench from outside what is in sight: with the system property
 * {@code parallax.ui.probe=FILE}, a line is added to FILE for each table that is shown.
 */
final class Probe {
  private static final String FILE = System.getProperty("parallax.ui.probe");

  private Probe() {
  }

  /** Writes {@code REPORT rows=N total=N trace=DIRECTORY}. */
  public static void tableShown(Table table) {
    if (FILE == null) {
      return;
    }
    String line = table.report() + " rows=" + table.rows().size() + " total=" + table.total()
        + " trace=" + table.trace() + "\n";
    try {
      Files.write(Path.of(FILE), line.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      UiLog.log("Cannot write the probe file " + FILE, e);
    }
  }
}
