package org.parallax.ui.tables;

import java.util.List;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.NptReport;
import org.parallax.analysis.graph.Weight;
import org.parallax.model.Level;
import org.parallax.ui.views.ReportView;

/** The time of each procedure, normalized by how many threads execute. */
public final class NptView extends ReportView {
  private Combo weights;

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
    return Messages.subjectNpt;
  }

  @Override
  protected void createChoices(Composite parent) {
    super.createChoices(parent);
    weights = Choices.weight(parent, this::refresh);
  }

  @Override
  protected Report report(Level level) {
    Weight weight = Choices.weight(weights);
    return (analysis, scope, progress) ->
        NptReport.of(analysis, level, weight, scope, progress);
  }

  Combo weightChoice() {
    return weights;
  }
}
