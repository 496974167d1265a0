package org.parallax.ui.reports;

import java.util.List;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.Phase;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.reports.EfficiencyReport;
import org.parallax.analysis.table.Factors;
import org.parallax.model.program.Level;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.views.ReportView;

/** The efficiency factors of all applications that are open, each a column. */
public final class EfficiencyView extends ReportView {
  private static final int WEAK = 1;

  private Combo scaling;

  @Override
  protected ReportKind kind() {
    return StandardReport.EFFICIENCY;
  }

  @Override
  protected String subject() {
    return Messages.subjectEfficiency;
  }

  @Override
  protected boolean choosesApplication() {
    return false;
  }

  @Override
  protected void createChoices(Composite parent) {
    scaling = Choices.combo(parent, Messages.scaling, this::refresh, Messages.scalingStrong,
        Messages.scalingWeak);
    scaling.setToolTipText(Messages.scalingTip);
  }

  @Override
  protected void createContent(Composite parent) {
    super.createContent(parent);
    table().setIndent(row -> Factors.depth(row.name()));
  }

  @Override
  protected TableMaker maker(Level level) {
    boolean weak = scaling.getSelectionIndex() == WEAK;
    SessionState state = OpenSession.current().state();
    Phase phase = selection().phase();
    List<ApplicationAnalysis> runs = state.session().getApplications().stream()
        .map(application -> state.analyses().of(application, PathScope.INTRA, phase)).toList();
    return (analysis, scope, progress) -> EfficiencyReport.of(runs, weak, progress);
  }

  Combo scalingChoice() {
    return scaling;
  }
}
