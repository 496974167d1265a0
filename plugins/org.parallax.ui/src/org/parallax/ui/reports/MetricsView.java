package org.parallax.ui.reports;

import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.ui.views.ReportView;

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
