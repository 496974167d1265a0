package org.parallax.ui.views;

import java.util.List;
import org.parallax.analysis.MetricsReport;
import org.parallax.model.Level;
import org.parallax.ui.Messages;

/** The metrics of an application or its parts side by side. */
public final class MetricsView extends ReportView {
  @Override
  protected List<Level> levels() {
    return List.of(Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.THREAD);
  }

  @Override
  protected Level initialLevel() {
    return Level.PROCESS;
  }

  @Override
  protected String subject() {
    return Messages.subjectMetrics;
  }

  @Override
  protected Report report(Level level) {
    return (analysis, scope, progress) -> MetricsReport.of(analysis, level, scope, progress);
  }
}
