package org.parallax.ui.reports;

import java.util.List;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.reports.TrafficMatrix;
import org.parallax.analysis.reports.TrafficMatrix.Metric;
import org.parallax.analysis.reports.TrafficReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.views.NodeFinder;
import org.parallax.ui.views.ReportView;

/** What goes from whom to whom: painted as a matrix, and as a table. */
public final class CommunicationView extends ReportView {
  private static final List<Metric> METRICS = List.of(Metric.values());

  /** What was made together. */
  private record Made(Table table, TrafficMatrix matrix) {}

  private volatile Made made;
  private Combo metrics;
  private MatrixCanvas canvas;
  private boolean marking;

  @Override
  protected ReportKind kind() {
    return StandardReport.COMM;
  }

  @Override
  protected String subject() {
    return Messages.subjectCommunication;
  }

  @Override
  protected void createChoices(Composite parent) {
    super.createChoices(parent);
    metrics = Choices.combo(parent, Messages.matrixMetric, this::showMatrix,
        Messages.matrixBytes, Messages.matrixMessages, Messages.matrixReceiverWait,
        Messages.matrixSenderWait, Messages.matrixMeanTime);
  }

  @Override
  protected void createContent(Composite parent) {
    SashForm sash = new SashForm(parent, SWT.HORIZONTAL);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
    canvas = new MatrixCanvas(sash, this::marked, this::selectPair);
    super.createContent(sash);
    sash.setWeights(6, 5);
    table().widget().addListener(SWT.Selection, event -> markRow());
  }

  @Override
  protected TableMaker maker(Level level) {
    return (analysis, scope, progress) -> {
      Table table = TrafficReport.of(analysis, level, scope, progress);
      made = new Made(table, TrafficMatrix.of(analysis, level, scope, progress));
      return table;
    };
  }

  @Override
  protected void show(Table result, Selection selection) {
    super.show(result, selection);
    // A later choice can have made another one already, which is shown next.
    canvas.setMatrix(made.table() == result ? made.matrix() : null);
    showMatrix();
  }

  @Override
  protected void clear() {
    super.clear();
    made = null;
    canvas.setMatrix(null);
    showMatrix();
  }

  private void showMatrix() {
    canvas.setMetric(METRICS.get(metrics.getSelectionIndex()));
  }

  /** A cell is looked at: its rows are, too. */
  private void marked(int from, int to) {
    if (marking || table().table() == null) {
      return;
    }
    marking = true;
    try {
      table().widget().deselectAll();
      for (Row row : table().rows()) {
        if (isOf(row, canvas.matrix().parts().get(from).name(),
            canvas.matrix().parts().get(to).name())) {
          table().widget().select(table().rows().indexOf(row));
        }
      }
      table().widget().showSelection();
    } finally {
      marking = false;
    }
  }

  private boolean isOf(Row row, String from, String to) {
    return row.values().get(table().table().column("from")).equals(from)
        && row.values().get(table().table().column("to")).equals(to);
  }

  private void markRow() {
    List<Row> selected = table().selection();
    if (marking || selected.size() != 1 || canvas.matrix() == null) {
      return;
    }
    marking = true;
    try {
      canvas.mark(number(selected.get(0), "from"), number(selected.get(0), "to"));
    } finally {
      marking = false;
    }
  }

  private int number(Row row, String key) {
    Object name = row.values().get(table().table().column(key));
    for (int i = 0; i < canvas.matrix().parts().size(); i++) {
      if (canvas.matrix().parts().get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Selects both ends for the other views; the matrix stays as it is. */
  private void selectPair(int from, int to) {
    List<Object> ends = List.of(canvas.matrix().parts().get(from).object(),
        canvas.matrix().parts().get(to).object());
    Job job = Job.create(Messages.selectPairJob, (ICoreRunnable) monitor -> {
      List<TreeNode> nodes = NodeFinder.find(OpenSession.current().state(), ends);
      UiThread.later(() -> {
        if (!canvas.canvas().isDisposed()) {
          selectWithin(nodes);
        }
      });
    });
    job.setSystem(true);
    job.schedule();
  }

  @Override
  protected List<Object> selectedSubjects() {
    return table().selection().stream()
        .flatMap(row -> List.of("from", "to").stream().map(key -> number(row, key)))
        .filter(number -> number >= 0)
        .map(number -> canvas.matrix().parts().get(number).object()).distinct().toList();
  }

  /** Enter on a row selects its ends. */
  @Override
  protected void activate() {
    List<Row> selected = table().selection();
    if (selected.size() == 1) {
      selectPair(number(selected.get(0), "from"), number(selected.get(0), "to"));
    }
  }

  Combo metricChoice() {
    return metrics;
  }

  MatrixCanvas canvas() {
    return canvas;
  }
}
