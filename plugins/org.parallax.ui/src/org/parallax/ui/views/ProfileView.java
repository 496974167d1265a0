package org.parallax.ui.views;

import java.util.List;
import org.parallax.analysis.ProfileReport;
import org.parallax.model.Level;
import org.parallax.ui.Messages;

/** Where the time of all threads went. */
public final class ProfileView extends ReportView {
  @Override
  protected List<Level> levels() {
    return List.of(Level.MACHINE, Level.PROCESS, Level.THREAD, Level.PROCEDURE);
  }

  @Override
  protected Level initialLevel() {
    return Level.PROCEDURE;
  }

  @Override
  protected String subject() {
    return Messages.subjectProfile;
  }

  @Override
  protected Report report(Level level) {
    return (analysis, scope, progress) -> ProfileReport.of(analysis, level, scope, progress);
  }
}
