package org.parallax.ui.reports;

import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.ui.views.ReportView;

/** The time of each procedure, normalized by how many threads execute. */
public final class NptView extends ReportView {
  private Combo weights;

  @Override
  protected ReportKind kind() {
    return StandardReport.NPT;
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
  protected ParameterValues values() {
    return Choices.values(weights);
  }

  Combo weightChoice() {
    return weights;
  }
}
