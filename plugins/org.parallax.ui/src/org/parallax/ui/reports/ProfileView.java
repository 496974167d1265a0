package org.parallax.ui.reports;

import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.ui.views.ReportView;

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
