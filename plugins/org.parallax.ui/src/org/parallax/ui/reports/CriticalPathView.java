package org.parallax.ui.reports;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.preferences.Preferences;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.widgets.ViewHeader;

/** What the critical path consists of. */
public final class CriticalPathView extends ReportView {
  private Combo scopeCombo;
  private Combo weightCombo;
  private Combo byCombo;

  @Override
  protected Level initialLevel() {
    return Preferences.level();
  }

  @Override
  protected ReportKind kind() {
    return StandardReport.CRITICAL_PATH;
  }

  @Override
  protected String subject() {
    return Messages.subjectCriticalPath;
  }

  @Override
  protected void createChoices(Composite parent) {
    super.createChoices(parent);
    scopeCombo = new Combo(ViewHeader.labelled(parent, Messages.pathScope), SWT.READ_ONLY);
    scopeCombo.setItems(Messages.pathScopeIntra, Messages.pathScopeInter, Messages.pathScopeGlobal);
    scopeCombo.select(0);
    scopeCombo.addListener(SWT.Selection, event -> refresh());
    weightCombo = new Combo(ViewHeader.labelled(parent, Messages.weight), SWT.READ_ONLY);
    weightCombo.setItems(Messages.weightCpu, Messages.weightWall);
    weightCombo.select(Preferences.weight() == Weight.CPU ? 0 : 1);
    weightCombo.addListener(SWT.Selection, event -> refresh());
    byCombo = new Combo(ViewHeader.labelled(parent, Messages.arcsBy), SWT.READ_ONLY);
    byCombo.setItems(Messages.arcsByPair, Messages.arcsByKind, Messages.arcsByOperation,
        Messages.arcsByPath);
    byCombo.setToolTipText(Messages.arcsByTip);
    byCombo.select(0);
    byCombo.addListener(SWT.Selection, event -> refresh());
  }

  @Override
  protected PathScope pathScope() {
    return PathScope.values()[scopeCombo.getSelectionIndex()];
  }

  @Override
  protected ParameterValues values() {
    return ParameterValues.NONE.with(Parameter.WEIGHT.name(),
        Parameter.WEIGHT.allowed().get(weightCombo.getSelectionIndex()))
        .with(Parameter.BY.name(), Parameter.BY.allowed().get(byCombo.getSelectionIndex()));
  }

  @Override
  protected Image icon(Row row) {
    int kind = table().table().column("kind");
    return row.subject() == null && !row.values().get(kind).equals(ArcKind.WORK.label())
        ? Icons.image("arc") : super.icon(row);
  }

  @Override
  protected void shown(Table result) {
    Probe.tableShown(result);
  }

  Combo weightChoice() {
    return weightCombo;
  }

  Combo byChoice() {
    return byCombo;
  }
}
