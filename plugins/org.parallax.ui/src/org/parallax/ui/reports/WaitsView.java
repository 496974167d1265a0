package org.parallax.ui.reports;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.ui.views.ReportView;

/** The time that threads lost to each other: how, where, and who caused it. */
public final class WaitsView extends ReportView {
  private Button causes;

  @Override
  protected ReportKind kind() {
    return StandardReport.WAITS;
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
  protected ParameterValues values() {
    return causes.getSelection() ? ParameterValues.NONE.with(Parameter.CAUSES.name())
        : ParameterValues.NONE;
  }

  Button causesChoice() {
    return causes;
  }
}
