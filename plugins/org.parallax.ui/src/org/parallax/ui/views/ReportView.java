package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.actions.ContributionItemFactory;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.catalogue.NeededEvents;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.ui.experiment.FactorAdder;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.table.CellText;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.widgets.NodeImages;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.ViewHeader;

/**
 * A view of one table of an analysis, for the level that is chosen.
 */
public abstract class ReportView extends SessionView<Table> {
  private static final String OPEN_SOURCE = "org.parallax.ui.openSource";

  private Combo levelCombo;
  private ResultTable table;

  /** The report that is shown. */
  protected abstract ReportKind kind();

  /** The level that is chosen at first. */
  protected Level initialLevel() {
    return kind().defaultLevel();
  }

  /** Called on the UI thread: what a person has chosen for the report, beside the level. */
  protected ParameterValues values() {
    return ParameterValues.NONE;
  }

  /** Called on the UI thread: what computes the table for the choices of this moment. */
  protected TableMaker maker(Level level) {
    ReportKind kind = kind();
    ReportRequest chosen = ReportRequest.of(kind, values());
    ReportRequest request = kind.levels().isEmpty() ? chosen : chosen.withLevel(level);
    return (analysis, scope, progress) -> kind.make(analysis,
        kind.takes(Parameter.NODE) ? request.withNode(scope) : request, progress);
  }

  @Override
  protected boolean joinsApplications() {
    return kind().subject() == ReportKind.Subject.APPLICATION;
  }

  /** Called on the UI thread when a table has come into sight. */
  protected void shown(Table result) {
  }

  /** The icon of a row, null for none; on the UI thread. */
  protected Image icon(Row row) {
    return row.subject() == null ? null : NodeImages.of(row.subject());
  }

  /** Makes a table, off the UI thread. */
  protected interface TableMaker {
    Table compute(ApplicationAnalysis analysis, TreeNode scope, Progress progress)
        throws ReportException;
  }

  @Override
  protected void createChoices(Composite parent) {
    createLevelChoice(parent);
  }

  /** Makes the choice of the level in place of any before, if the report has levels. */
  protected final void createLevelChoice(Composite parent) {
    List<Level> levels = kind().levels();
    levelCombo = null;
    if (!levels.isEmpty()) {
      levelCombo = new Combo(ViewHeader.labelled(parent, Messages.level), SWT.READ_ONLY);
      levels.forEach(level -> levelCombo.add(LevelNames.of(level)));
      levelCombo.select(levels.indexOf(initialLevel()));
      levelCombo.addListener(SWT.Selection, event -> refresh());
    }
  }

  @Override
  protected final Computation<Table> computation() {
    ReportKind kind = kind();
    TableMaker maker = maker(levelCombo == null ? initialLevel()
        : kind.levels().get(levelCombo.getSelectionIndex()));
    return (analysis, selection, progress) -> {
      try {
        NeededEvents.check(kind, List.of(analysis));
        return maker.compute(analysis, selection.scope(), progress);
      } catch (ReportException e) {
        return new Table(kind.id(), kind.title(), analysis.workload().traceNames(), Map.of(), "",
            Unit.COUNT, 0, -1, List.of(), List.of(), List.of(e.getMessage()));
      }
    };
  }

  @Override
  protected void createContent(Composite parent) {
    table = new ResultTable(parent, this::icon);
    table.setTraceWarnings(() -> analysis().traceWarnings());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(table.control());
    table.widget().addListener(SWT.DefaultSelection, event -> activate());
    table.widget().addListener(SWT.Selection, event -> selectProcedure());
    TableMenu tableMenu = new TableMenu(table);
    tableMenu.contribute(getViewSite().getActionBars());
    getViewSite().getActionBars().setGlobalActionHandler(OPEN_SOURCE, sourceAction());
    tableMenu.installOnRows(this::fillMenu);
  }

  /** What can be done with the selected rows. */
  protected void fillMenu(IMenuManager menu) {
    Action source = sourceAction();
    source.setEnabled(selectedProcedure() != null);
    Action trees = new RunAction(Messages.selectInTrees, Icons.descriptor("program_trees"),
        () -> NodeFinder.select(getSite().getPage(), selectedSubjects()));
    trees.setEnabled(!selectedSubjects().isEmpty());
    Action factor = new RunAction(Messages.addFactor, Icons.descriptor("add_factor"),
        () -> FactorAdder.add(this, places(), null));
    factor.setEnabled(!places().isEmpty());
    MenuManager showIn = new MenuManager(Messages.showIn);
    showIn.add(ContributionItemFactory.VIEWS_SHOW_IN.create(getSite().getWorkbenchWindow()));
    menu.add(source);
    menu.add(showIn);
    menu.add(trees);
    menu.add(factor);
  }

  /** Opens the source of the one row that is selected in another table of the view. */
  protected final Action sourceAction(ResultTable of) {
    List<Row> selected = of.selection();
    Procedure procedure = selected.size() == 1
        && selected.get(0).subject() instanceof Procedure subject ? subject : null;
    Action source = new RunAction(Messages.openSource,
        () -> SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure)));
    source.setEnabled(procedure != null);
    return source;
  }

  private Action sourceAction() {
    Action source = new RunAction(Messages.openSource, this::openSource);
    source.setActionDefinitionId(OPEN_SOURCE);
    return source;
  }

  /** Enter, or a double click, on a row. */
  protected void activate() {
    openSource();
  }

  /** What the selected rows are about, of the model. */
  protected List<Object> selectedSubjects() {
    return table.selection().stream().map(Row::subject).filter(Objects::nonNull).distinct()
        .toList();
  }

  /** What is looked at in a table is marked in the other views. */
  private void selectProcedure() {
    selectProcedure(selectedProcedure());
  }

  /** What is looked at in other views is marked here. */
  @Override
  protected void procedureSelected(Selection selection) {
    Procedure procedure = selection.procedure();
    if (procedure == null || table.table() == null || selectedSubjects().contains(procedure)) {
      return;
    }
    table.table().rows().stream().filter(row -> procedure.equals(row.subject())).findFirst()
        .ifPresent(table::select);
  }

  /** Looks at a procedure in all views, unless this one stays by itself. */
  protected final void selectProcedure(Procedure procedure) {
    if (procedure != null && !pin().isChecked()) {
      OpenSession.current().setProcedure(procedure);
    }
  }

  @Override
  protected void show(Table result, Selection selection) {
    // While a program is followed, rows stay selected and where they are.
    table.setLive(OpenSession.current().isUpdate(OpenSession.current().state()));
    table.show(result);
    shown(result);
  }

  @Override
  protected void clear() {
    table.clear();
  }

  @Override
  protected String total(Table result) {
    return new CellText(result).total();
  }

  @Override
  protected List<String> warnings(Table result) {
    List<String> told = new ArrayList<>();
    result.warnings().forEach(warning -> told.add(Texts.sentence(warning)));
    if (table.hiddenColumns() > 0) {
      told.add(NLS.bind(Messages.hiddenColumns, table.hiddenColumns()));
    }
    if (result.rows().isEmpty()) {
      boolean isAll = shown().scope().parent() == null && shown().phase() == null;
      told.add(NLS.bind(isAll ? Messages.noRowsOfAll : Messages.noRows, shown().scope().path()));
    }
    return told;
  }

  /** The places of the selected procedures, as experiments take them. */
  private List<String> places() {
    return table.selection().stream().map(Row::subject).filter(Procedure.class::isInstance)
        .map(subject -> FactorAdder.place((Procedure) subject)).distinct().toList();
  }

  /** The procedure that the one selected row is about, else null. */
  protected Procedure selectedProcedure() {
    List<Row> selected = table.selection();
    return selected.size() == 1 && selected.get(0).subject() instanceof Procedure procedure
        ? procedure : null;
  }

  /** Opens the source of the selected row's procedure, if it has one. */
  protected final void openSource() {
    Procedure procedure = selectedProcedure();
    if (procedure != null) {
      SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
    }
  }

  /** The table, for views that add to it. */
  public final ResultTable table() {
    return table;
  }

  Combo levelChoice() {
    return levelCombo;
  }

  @Override
  protected void focusOnResult() {
    table.widget().setFocus();
  }
}
