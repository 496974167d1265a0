package org.parallax.ui.views;

import org.parallax.analysis.reports.ReportKind;
import org.parallax.analysis.reports.StandardReport;
import org.parallax.ui.tables.Messages;

/** Where the time of all threads went. */
public final class ProfileView extends ReportView {
  @Override
  protected ReportKind kind() {
    return StandardReport.PROFILE;
  }

  @Override
  protected String subject() {
    return Messages.subjectProfile;
  }
}
