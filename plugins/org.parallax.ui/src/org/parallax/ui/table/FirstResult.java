package org.parallax.ui.table;

import java.util.List;
import java.util.Map;
import org.eclipse.core.runtime.jobs.Job;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.ColumnHelp;
import org.parallax.ui.charts.ChartCanvas;

/** What the first result in sight needs, prepared while a person looks for a trace. */
public final class FirstResult {
  private FirstResult() {
  }

  /** Reads classes of tables and charts by a job: on the UI thread that takes a tenth of a second. */
  public static void prepare() {
    Job job = Job.createSystem(Messages.prepareJob, monitor -> {
      Table none = new Table("", "", "", Map.of(), "", Unit.COUNT, 0, -1,
          List.of(new Column("", "", Unit.COUNT)), List.of(), List.of());
      new CellText(none).heading(0);
      ColumnHelp.of(none, 0);
      ChartCanvas.prepare();
    });
    job.setPriority(Job.DECORATE);
    job.schedule();
  }
}
