package org.parallax.ui.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.FileDialog;
import org.eclipse.swt.widgets.Shell;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.ui.platform.UiThread;

/** Writes tables to files, as the command line prints them. */
public final class TableExport {
  private static final String[] ENDINGS = {".csv", ".json", ".txt"};

  private TableExport() {
  }

  /** Asks for a file, and writes what a table shows. */
  static void ask(ResultTable table) {
    if (table.table() != null) {
      Path file = ask(table.widget().getShell(), table.table().title());
      if (file != null) {
        write(table.shown(), table::warnings, file, table.widget().getShell());
      }
    }
  }

  /** @return the file that a person chooses for a table; null for none */
  public static Path ask(Shell shell, String title) {
    FileDialog dialog = new FileDialog(shell, SWT.SAVE);
    dialog.setText(Messages.exportTitle);
    dialog.setFilterExtensions(new String[] {"*.csv", "*.json", "*.txt"});
    dialog.setFilterNames(
        new String[] {Messages.exportCsv, Messages.exportJson, Messages.exportText});
    dialog.setFileName(title.replaceAll("[^\\w.-]+", "-").replaceAll("-$", "") + ".csv");
    dialog.setOverwrite(true);
    String chosen = dialog.open();
    if (chosen == null) {
      return null;
    }
    boolean named = List.of(ENDINGS).stream().anyMatch(chosen.toLowerCase(Locale.ROOT)::endsWith);
    return Path.of(named ? chosen : chosen + ENDINGS[Math.max(0, dialog.getFilterIndex())]);
  }

  /**
   * Writes a table; the name's end says whether as CSV, JSON or, any other, as text. Returns at once.
   *
   * @param warnings of the table and the traces; called by the job
   * @return the job that does it, already scheduled
   */
  public static Job write(Table table, Supplier<List<String>> warnings, Path file, Shell shell) {
    return write(() -> table, warnings, file, shell);
  }

  /**
   * As {@link #write(Table, Supplier, Path, Shell)}, of a table that is yet to be made.
   *
   * @param table called by the job, before the warnings
   */
  public static Job write(Supplier<Table> table, Supplier<List<String>> warnings, Path file,
      Shell shell) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    TableFormat format = name.endsWith(".csv") ? TableFormat.CSV
        : name.endsWith(".json") ? TableFormat.JSON : TableFormat.TEXT;
    Job job = Job.create(NLS.bind(Messages.exportJob, file.getFileName()),
        (ICoreRunnable) monitor -> {
          try {
            Files.writeString(file, format.print(table.get(), Integer.MAX_VALUE,
                warnings.get()));
          } catch (IOException e) {
            String message = NLS.bind(Messages.exportFailed, file, e.getMessage());
            UiThread.later(() -> MessageDialog.openError(
                shell.isDisposed() ? null : shell, Messages.exportTitle, message));
          }
        });
    job.schedule();
    return job;
  }
}
