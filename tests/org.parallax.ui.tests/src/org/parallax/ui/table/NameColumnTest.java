package org.parallax.ui.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.TableColumn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.ui.testing.Workbench;

/** In a narrow table, long names do not push the numbers out of sight. */
class NameColumnTest {
  private Shell shell;
  private ResultTable table;

  @BeforeEach
  void open() throws Exception {
    Workbench.reset();
    shell = new Shell(Workbench.window().getShell(), SWT.SHELL_TRIM);
    shell.setLayout(new FillLayout());
    table = new ResultTable(shell, row -> null);
    shell.open();
  }

  @AfterEach
  void close() {
    shell.close();
  }

  private void setWidth(int width) {
    shell.setSize(width, 400);
    Workbench.await("the width", () -> Math.abs(table.widget().getSize().x - width) < 40);
    Workbench.handleEvents();
  }

  private static Table table(String name) {
    return new Table("names", "Names", "run", Map.of(), "name", Unit.COUNT, 0, -1,
        List.of(new Column("calls", "calls", Unit.COUNT)), List.of(Row.of(name, null, 7L)), List.of());
  }

  @Test
  void namesHaveHalfOfANarrowTable() {
    setWidth(1200);
    table.show(table("LAMMPS_NS::Comm_with_a_name_that_is_long_even_for_a_template<double>::forward_comm"));
    TableColumn name = table.widget().getColumn(0);
    int needed = name.getWidth();
    assertTrue(needed > 300, "needed: " + needed);
    setWidth(400);
    Workbench.await("half of it", () -> name.getWidth() <= 200);
    setWidth(1200);
    Workbench.await("all of the name", () -> name.getWidth() == needed);
    // Shown in a narrow table at once.
    setWidth(400);
    table.show(table("short"));
    table.show(table("LAMMPS_NS::Comm_with_a_name_that_is_long_even_for_a_template<double>::reverse_comm"));
    Workbench.await("half of it", () -> name.getWidth() <= 200 && name.getWidth() >= ColumnWidths.MIN_NAME_WIDTH);
  }

  @Test
  void aWidthThatAPersonHasChosenStays() {
    setWidth(1200);
    table.show(table("LAMMPS_NS::Comm_with_a_name_that_is_long_even_for_a_template<double>::forward_comm"));
    TableColumn name = table.widget().getColumn(0);
    name.setWidth(333);
    Workbench.handleEvents();
    setWidth(400);
    setWidth(900);
    assertEquals(333, name.getWidth());
  }
}
