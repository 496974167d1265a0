package org.parallax.ui.table;

import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.dnd.Transfer;
import org.parallax.analysis.table.Row;

/** Puts rows of a table on the clipboard as a person sees them, with tabs between the cells. */
final class RowsClipboard {
  private RowsClipboard() {
  }

  /** Copies the headings and some rows. */
  static void copy(ResultTable table, List<Row> rows) {
    List<Integer> copied = table.columnOrder().stream().filter(table::isVisible).toList();
    StringBuilder out = new StringBuilder();
    out.append(copied.stream().map(table::heading).collect(Collectors.joining("\t", "", "\n")));
    for (Row row : rows) {
      out.append(copied.stream().map(column -> table.cell(row, column))
          .collect(Collectors.joining("\t", "", "\n")));
    }
    Clipboard clipboard = new Clipboard(table.widget().getDisplay());
    clipboard.setContents(new Object[] {out.toString()}, new Transfer[] {TextTransfer.getInstance()});
    clipboard.dispose();
  }
}
