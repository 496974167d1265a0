package org.parallax.ui.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.testing.QuietMachine;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;

/** A hundred thousand rows never keep the UI thread. */
class ManyRowsTest {
  private static final int ROWS = 100_000;
  private static final int COLUMNS = 20;
  private static final double LIMIT_MS = 100;

  private static Table table(int rows) {
    List<Row> made = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      made.add(new Row("row " + i, null, null, List.of((long) i * 7919 % ROWS, "text " + i % 10)));
    }
    return new Table("many", "Many", "", Map.of(), "name", Unit.NANOSECONDS, 0, -1,
        List.of(new Column("time", "time", Unit.NANOSECONDS),
            new Column("what", "what", Unit.TEXT)), made, List.of());
  }

  /** Rows with many columns. */
  private static Table wide(int rows) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      columns.add(new Column("c" + i, "column " + i, Unit.COUNT));
    }
    List<Row> made = new ArrayList<>();
    List<Object> values = Collections.nCopies(COLUMNS, 1L);
    for (int i = 0; i < rows; i++) {
      made.add(new Row("wide " + i, null, null, values));
    }
    return new Table("wide", "Wide", "", Map.of(), "name", Unit.COUNT, 0, -1, columns, made,
        List.of());
  }

  @Test
  void showingSortingAndFilteringAreShort() throws Exception {
    Workbench.reset();
    Table many = table(ROWS);
    Table few = table(10);
    Table wide = wide(ROWS);
    QuietMachine.measure(attempt -> {
      Shell shell = new Shell(Workbench.window().getShell(), SWT.SHELL_TRIM);
      shell.setLayout(new FillLayout());
      shell.setSize(800, 600);
      ResultTable table = new ResultTable(shell, row -> null);
      shell.open();
      UiWatch watch = new UiWatch();
      act(watch, table, ROWS, () -> table.show(many));
      assertEquals("row 0", table.widget().getItem(0).getText(0));
      act(watch, table, ROWS,
          () -> table.widget().getColumn(1).notifyListeners(SWT.Selection, new Event()));
      assertEquals((long) ROWS - 1, table.rows().get(0).values().get(0), "from the largest");
      act(watch, table, ROWS, () -> table.widget().setSelection(ROWS - 1));
      Row selected = table.selection().get(0);
      act(watch, table, ROWS,
          () -> table.widget().getColumn(0).notifyListeners(SWT.Selection, new Event()));
      assertEquals(List.of(selected), table.selection(), "it stays selected");
      act(watch, table, ROWS / 10, () -> table.filter().field().setText("text 3"));
      act(watch, table, 10, () -> table.show(few), () -> table.filter().field().setText(""));
      Row middle = many.rows().get(ROWS / 2);
      act(watch, table, ROWS, () -> {
        table.show(many);
        table.select(middle);
      });
      assertEquals(List.of(middle), table.selection(), "when the widget has got as far");
      act(watch, table, ROWS, () -> table.show(wide));
      assertEquals(COLUMNS + 1, table.columnOrder().size());
      assertEquals("wide 0", table.widget().getItem(0).getText(0));
      assertEquals(wide.columns().get(COLUMNS - 1).label(),
          table.widget().getColumn(COLUMNS).getText());
      act(watch, table, ROWS, () -> table.show(many));
      assertEquals(3, table.columnOrder().size());
      assertEquals("row 0", table.widget().getItem(0).getText(0));
      shell.close();
      watch.assertNoStall(LIMIT_MS);
    });
  }

  @Test
  void whatIsSelectedOrRevealedAtOnceIsInSightWhenItIsThere() throws Exception {
    Workbench.reset();
    Table shown = wide(400);
    Row row = shown.rows().get(300);
    for (boolean selects : new boolean[] {true, false}) {
      Shell shell = new Shell(Workbench.window().getShell(), SWT.SHELL_TRIM);
      shell.setLayout(new FillLayout());
      shell.setSize(800, 600);
      ResultTable table = new ResultTable(shell, each -> null);
      shell.open();
      act(new UiWatch(), table, 400, () -> {
        table.show(shown);
        if (selects) {
          table.select(row);
        } else {
          table.reveal(row);
        }
      });
      assertEquals(selects ? List.of(row) : List.of(), table.selection());
      int inSight = table.widget().getClientArea().height / table.widget().getItemHeight();
      // The widget scrolls with one of its next frames.
      Workbench.await("row 300 in sight", () -> table.widget().getTopIndex() <= 300
          && 300 <= table.widget().getTopIndex() + inSight);
      shell.close();
    }
  }

  /** Does things as events of their own, and waits until there are so many rows. */
  private static void act(UiWatch watch, ResultTable table, int rows, Runnable... actions)
      throws Exception {
    int[] done = {0};
    for (Runnable action : actions) {
      table.widget().getDisplay().asyncExec(() -> {
        action.run();
        done[0]++;
      });
    }
    watch.run(() -> done[0] == actions.length && table.rows().size() == rows
        && table.widget().getItemCount() == rows && !table.columnOrder().isEmpty()
        && Job.getJobManager().find(OpenSession.current()).length == 0);
  }
}
