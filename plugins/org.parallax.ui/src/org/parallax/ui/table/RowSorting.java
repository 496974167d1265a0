package org.parallax.ui.table;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.SWT;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/** The order of a table's rows by one of its columns; that of many rows is made by a job. */
final class RowSorting {
  private static final int SORTED_AT_ONCE = 5_000;

  private Job job;

  /** Whether rows are so few that sorting them keeps nobody waiting. */
  static boolean isShort(Row[] rows) {
    return rows.length <= SORTED_AT_ONCE;
  }

  /** A set in which rows with the same contents stay apart. */
  static Set<Row> identities(Collection<Row> of) {
    Set<Row> set = Collections.newSetFromMap(new IdentityHashMap<>());
    set.addAll(of);
    return set;
  }

  /** @return some of the ordered rows, in their order */
  static Row[] inOrder(Row[] some, Row[] ordered) {
    if (some.length == ordered.length) {
      return ordered;
    }
    Set<Row> left = identities(Arrays.asList(some));
    return Arrays.stream(ordered).filter(left::contains).toArray(Row[]::new);
  }

  /** Makes the order by a job; what is asked for next counts. On the UI thread, as what is done. */
  void later(Table table, int column, int direction, Consumer<Row[]> done) {
    cancel();
    job = new Job(Messages.sortJob) {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        Row[] rows = sorted(table, column, direction);
        UiThread.later(() -> {
          if (job == this) {
            done.accept(rows);
          }
        });
        return Status.OK_STATUS;
      }

      @Override
      public boolean belongsTo(Object family) {
        return family == OpenSession.current();
      }
    };
    job.setSystem(true);
    job.schedule();
  }

  /** Nothing is done any more of what was asked for. */
  void cancel() {
    if (job != null) {
      job.cancel();
      job = null;
    }
  }

  /**
   * All rows of the table.
   *
   * @param column as of {@link Columns}
   * @param direction {@link SWT#UP} or {@link SWT#DOWN}
   */
  static Row[] sorted(Table table, int column, int direction) {
    Row[] all = table.rows().toArray(Row[]::new);
    if (column == Columns.NONE) {
      return all;
    }
    Comparator<Row> order = column == Columns.NAME ? Comparator.comparing(Row::name, NaturalOrder.INSTANCE)
        : Comparator.comparing(row -> row.values().get(column), CellOrder.INSTANCE);
    if (direction == SWT.DOWN) {
      order = order.reversed();
    }
    if (column != Columns.NAME) {
      // What is not known comes last, whichever way.
      order = Comparator.<Row, Boolean>comparing(row -> row.values().get(column).equals(""))
          .thenComparing(order);
    }
    if (column != Columns.NAME && table.columns().get(column).unit() == Unit.OF_ROW) {
      // Only values of one unit can be compared.
      order = Comparator.comparing(Row::unit).thenComparing(order);
    }
    Arrays.sort(all, order);
    return all;
  }

  /** Compares the values of a column, which are all of one type. */
  private enum CellOrder implements Comparator<Object> {
    INSTANCE;

    @Override
    public int compare(Object one, Object other) {
      if (one instanceof Long a && other instanceof Long b) {
        return Long.compare(a, b);
      }
      // Rows of different units are in one column.
      if (one instanceof Number a && other instanceof Number b) {
        return Double.compare(a.doubleValue(), b.doubleValue());
      }
      return NaturalOrder.INSTANCE.compare(String.valueOf(one), String.valueOf(other));
    }
  }
}
