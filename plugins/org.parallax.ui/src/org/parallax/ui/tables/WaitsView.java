package org.parallax.ui.tables;

import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.WaitsReport;
import org.parallax.model.Level;
import org.parallax.ui.views.ReportView;

/** The time that threads lost to each other: how, where, and who caused it. */
public final class WaitsView extends ReportView {
  private Button causes;

  @Override
  protected List<Level> levels() {
    return List.of(Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.THREAD, Level.PROCEDURE);
  }

  @Override
  protected Level initialLevel() {
    return Level.PROCESS;
  }

  @Override
  protected String subject() {
    return Messages.subjectWaits;
  }

  @Override
  protected void createChoices(Composite parent) {
    super.createChoices(parent);
    causes = new Button(parent, SWT.CHECK);
    causes.setText(Messages.waitCauses);
    causes.setToolTipText(Messages.waitCausesTip);
    causes.addListener(SWT.Selection, event -> refresh());
  }

  @Override
  protected Report report(Level level) {
    boolean all = causes.getSelection();
    return (analysis, scope, progress) ->
        WaitsReport.of(analysis, level, all, scope, progress);
  }

  Button causesChoice() {
    return causes;
  }
}
