package org.parallax.ui.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/**
 * The line above a table in which a text is typed that rows must have in any of their cells. It is
 * there when it is asked for; what is typed stays until it is closed. Rows are looked through by a job.
 */
public final class TableFilter extends Composite {
  private static final int CHECK_ROWS = 256;

  private final Consumer<Row[]> leaves;
  private final Text field;
  private final Label count;
  private Control control;
  private Table table;
  private Row[] rows = {};
  private Job job;

  /** @param leaves told which rows are left, in their order; null for all */
  TableFilter(Composite parent, Consumer<Row[]> leaves) {
    super(parent, SWT.NONE);
    this.leaves = leaves;
    GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(this);
    GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 3).spacing(10, 0).applyTo(this);
    setVisible(false);
    field = new Text(this, SWT.SEARCH | SWT.ICON_CANCEL | SWT.ICON_SEARCH);
    field.setMessage(Messages.filterHint);
    field.setToolTipText(Messages.filterTip);
    field.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = Messages.filterHint;
      }
    });
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(field);
    field.addListener(SWT.Modify, event -> apply(table, rows));
    field.addListener(SWT.KeyDown, event -> {
      if (event.keyCode == SWT.ESC) {
        event.doit = false;
        close();
      } else if (event.keyCode == SWT.ARROW_DOWN || event.keyCode == SWT.CR) {
        event.doit = false;
        control.setFocus();
      }
    });
    count = new Label(this, SWT.NONE);
    addListener(SWT.Dispose, event -> cancel());
  }

  /** @param filtered what has the focus when the filter is left */
  void setTable(Control filtered) {
    control = filtered;
  }

  /** Shows the field and lets a person type. */
  public void open() {
    show(true);
    field.setFocus();
    field.selectAll();
  }

  /** Shows all rows again. */
  public void close() {
    field.setText("");
    show(false);
    control.setFocus();
  }

  private void show(boolean visible) {
    ((GridData) getLayoutData()).exclude = !visible;
    setVisible(visible);
    getParent().layout(true, true);
  }

  public boolean isOpen() {
    return getVisible();
  }

  boolean isActive() {
    return !text().isEmpty();
  }

  String text() {
    return field.getText().strip();
  }

  /** What a person types into. */
  public Text field() {
    return field;
  }

  /** How many rows of how many are left. */
  public String count() {
    return count.getText();
  }

  private void cancel() {
    if (job != null) {
      job.cancel();
      job = null;
    }
  }

  /** Finds the rows that are left of these. */
  void apply(Table shown, Row[] all) {
    cancel();
    table = shown;
    rows = all;
    if (table == null) {
      return;
    }
    if (!isActive()) {
      tell(all.length);
      leaves.accept(null);
      return;
    }
    String wanted = text().toLowerCase(Locale.ROOT);
    job = new Job(Messages.filterJob) {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        CellText text = new CellText(shown);
        List<Row> left = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
          if (i % CHECK_ROWS == 0 && monitor.isCanceled()) {
            return Status.CANCEL_STATUS;
          }
          if (has(all[i], shown, text, wanted)) {
            left.add(all[i]);
          }
        }
        Row[] found = left.toArray(Row[]::new);
        UiThread.later(() -> {
          if (job == this && !TableFilter.this.isDisposed()) {
            tell(found.length);
            leaves.accept(found);
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

  private static boolean has(Row row, Table table, CellText text, String wanted) {
    if (text.name(row).toLowerCase(Locale.ROOT).contains(wanted)) {
      return true;
    }
    for (int i = 0; i < table.columns().size(); i++) {
      if (text.cell(row, i).toLowerCase(Locale.ROOT).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private void tell(int left) {
    count.setText(NLS.bind(Messages.filterCount, left, rows.length));
    layout(true, true);
  }
}
