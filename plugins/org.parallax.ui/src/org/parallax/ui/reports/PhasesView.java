package org.parallax.ui.reports;

import java.util.List;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.actions.ActionFactory;
import org.parallax.analysis.Phase;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.phases.PhasesReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.widgets.RunAction;

/**
 * The phases to which all views can be limited: those that a person has defined, those that the
 * program names, and those that the data suggest. One is selected by a double click or Enter, and
 * kept under another name so that it can be used for other runs.
 */
public final class PhasesView extends ReportView {
  private Button propose;
  private Action all;
  private Action keep;
  private Action rename;
  private Action remove;

  @Override
  protected ReportKind kind() {
    return StandardReport.PHASES;
  }

  @Override
  protected String subject() {
    return Messages.subjectPhases;
  }

  @Override
  protected void createChoices(Composite parent) {
    propose = new Button(parent, SWT.CHECK);
    propose.setText(Messages.phasesPropose);
    propose.setToolTipText(Messages.phasesProposeTip);
    propose.addListener(SWT.Selection, event -> refresh());
  }

  @Override
  protected void createContent(Composite parent) {
    super.createContent(parent);
    // What show() selects may come later.
    table().setColumnsListener(this::enable);
    all = new RunAction(Messages.phasesAll, () -> OpenSession.current().setPhase(null));
    all.setImageDescriptor(Icons.descriptor("all_time"));
    keep = new RunAction(Messages.phasesKeep, this::keep);
    keep.setToolTipText(Messages.phasesKeepTip);
    rename = new RunAction(Messages.phasesRename, this::rename);
    remove = new RunAction(Messages.phasesRemove, this::remove);
    remove.setActionDefinitionId(ActionFactory.DELETE.getCommandId());
    rename.setActionDefinitionId(ActionFactory.RENAME.getCommandId());
    var bars = getViewSite().getActionBars();
    bars.setGlobalActionHandler(ActionFactory.DELETE.getId(), remove);
    bars.setGlobalActionHandler(ActionFactory.RENAME.getId(), rename);
    bars.getToolBarManager().add(all);
    table().widget().addListener(SWT.Selection, event -> enable());
    table().widget().addListener(SWT.KeyDown, event -> {
      if (event.keyCode == SWT.DEL && remove.isEnabled()) {
        remove.run();
      } else if (event.keyCode == SWT.F2 && rename.isEnabled()) {
        rename.run();
      }
    });
    enable();
  }

  @Override
  protected TableMaker maker(Level level) {
    boolean proposed = propose.getSelection();
    List<Phase> defined = OpenSession.current().state().phases(selection().nodes());
    return (analysis, scope, progress) -> {
      Table known =
          PhasesReport.with(PhasesReport.of(analysis, scope, proposed, progress), defined);
      return known.rows().isEmpty() && !proposed
          ? PhasesReport.of(analysis, scope, true, progress) : known;
    };
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    super.stateChanged(before, now);
    if (!now.phases().equals(before.phases())) {
      refresh();
    }
  }

  @Override
  protected void show(Table result, Selection selection) {
    super.show(result, selection);
    result.rows().stream().filter(row -> row.subject().equals(selection.phase())).findFirst()
        .ifPresent(table()::select);
    enable();
  }

  @Override
  protected List<String> warnings(Table result) {
    boolean unasked = !propose.getSelection() && !result.rows().isEmpty() && result.rows().stream()
        .allMatch(row -> row.name().startsWith(PhasesReport.PROPOSED));
    return result.rows().isEmpty() ? List.of(Messages.phasesNone)
        : unasked ? List.of(Messages.phasesNoneNamed) : List.of();
  }

  /** The one that all views are limited to has a mark. */
  @Override
  protected Image icon(Row row) {
    Phase selected = OpenSession.current().state().selection().phase();
    return row.subject().equals(selected) ? Icons.image("phases") : null;
  }

  private Phase selected() {
    List<Row> rows = table().selection();
    return rows.size() == 1 ? (Phase) rows.get(0).subject() : null;
  }

  private boolean isDefined(Phase phase) {
    return phase != null && OpenSession.current().state().phases().contains(phase);
  }

  private void enable() {
    Phase now = OpenSession.current().state().selection().phase();
    all.setEnabled(now != null);
    keep.setEnabled(selected() != null ? !isDefined(selected()) : now != null && !isDefined(now));
    rename.setEnabled(isDefined(selected()));
    remove.setEnabled(isDefined(selected()));
  }

  @Override
  protected void activate() {
    if (selected() != null) {
      OpenSession.current().setPhase(selected());
    }
  }

  /** Keeps the selected row's phase, or else the selected time. */
  private void keep() {
    Phase phase = selected() != null ? selected()
        : OpenSession.current().state().selection().phase();
    String name = ask(Messages.phasesKeepTitle, phase.name());
    if (name != null) {
      define(OpenSession.current(), phase, new Phase(name, phase.window()));
    }
  }

  private void rename() {
    Phase phase = selected();
    String name = ask(Messages.phasesRenameTitle, phase.name());
    if (name != null && !name.equals(phase.name())) {
      boolean wasSelected =
          phase.equals(OpenSession.current().state().selection().phase());
      Phase renamed = new Phase(name, phase.window());
      OpenSession.current().definePhase(renamed);
      if (wasSelected) {
        OpenSession.current().setPhase(renamed);
      }
      OpenSession.current().removePhase(phase);
    }
  }

  private static void define(OpenSession session, Phase before, Phase phase) {
    boolean wasSelected = before.equals(session.state().selection().phase());
    session.definePhase(phase);
    if (wasSelected) {
      session.setPhase(phase);
    }
  }

  private void remove() {
    OpenSession.current().removePhase(selected());
  }

  private String ask(String title, String name) {
    InputDialog dialog = new InputDialog(getSite().getShell(), title, Messages.phasesName, name,
        text -> text.isBlank() ? Messages.phasesNoName
            : !text.equals(name) && OpenSession.current().state().phases().stream()
                .anyMatch(phase -> phase.name().equals(text)) ? NLS.bind(Messages.phasesTaken, text)
                : null);
    return dialog.open() == Window.OK ? dialog.getValue().strip() : null;
  }

  @Override
  protected List<Object> selectedSubjects() {
    return List.of();
  }

  @Override
  protected void fillMenu(IMenuManager menu) {
    Action select = new RunAction(Messages.phasesSelect, this::activate);
    select.setEnabled(selected() != null);
    menu.add(select);
    menu.add(all);
    menu.add(new Separator());
    menu.add(keep);
    menu.add(rename);
    menu.add(remove);
  }

  Button proposeChoice() {
    return propose;
  }
}
