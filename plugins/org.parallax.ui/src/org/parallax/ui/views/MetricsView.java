package org.parallax.ui.views;

import org.parallax.analysis.reports.ReportKind;
import org.parallax.analysis.reports.StandardReport;
import org.parallax.ui.tables.Messages;

/** The metrics of an application or its parts side by side. */
public final class MetricsView extends ReportView {
  @Override
  protected ReportKind kind() {
    return StandardReport.METRICS;
  }

  @Override
  protected String subject() {
    return Messages.subjectMetrics;
  }
}
