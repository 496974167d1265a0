package org.parallax.ui.calls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.RowData;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeReport;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Application;
import org.parallax.model.program.Procedure;
import org.parallax.trace.Progress;
import org.parallax.ui.charts.TimeLabel;
import org.parallax.ui.experiment.FactorAdder;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.table.TableExport;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.views.RunChoice;
import org.parallax.ui.views.SessionView;
import org.parallax.ui.widgets.NavigationHistory;
import org.parallax.ui.widgets.NavigationKeys;
import org.parallax.ui.widgets.RunAction;

/** What calls what, with the time of each call path; or, inverted, what is called by what. */
public final class CallTreeView extends SessionView<CallTreeRows> {
  private static final int SEARCH_WIDTH = 72;
  private static final int FILTER_DELAY_MS = 250;

  private final NavigationHistory<List<String>> history = new NavigationHistory<>();
  private RunChoice runs;
  private Button normalized;
  private Text filter;
  private CallTreeWidget tree;
  private Action inverted;
  private Action back;
  private Action forward;
  private Action all;
  private Action focus;
  private Action hotPath;
  /** The subtree that is shown, by names; empty for all. */
  private List<String> focused = List.of();
  private int typed;

  @Override
  protected String subject() {
    return Messages.subjectCallTree;
  }

  @Override
  protected void createChoices(Composite parent) {
    runs = new RunChoice(parent, this::refresh);
    normalized = new Button(parent, SWT.CHECK);
    normalized.setText(Messages.normalized);
    normalized.setToolTipText(Messages.normalizedTip);
    normalized.addListener(SWT.Selection, event -> refresh());
    filter = new Text(parent, SWT.SEARCH | SWT.ICON_SEARCH | SWT.ICON_CANCEL);
    filter.setMessage(Messages.filter);
    filter.setToolTipText(Messages.filterTip);
    filter.setLayoutData(new RowData(
        filter.computeSize(SWT.DEFAULT, SWT.DEFAULT).x + SEARCH_WIDTH, SWT.DEFAULT));
    filter.addListener(SWT.Modify, event -> {
      int now = ++typed;
      filter.getDisplay().timerExec(FILTER_DELAY_MS, () -> {
        if (now == typed && !filter.isDisposed()) {
          refresh();
        }
      });
    });
    filter.addListener(SWT.DefaultSelection, event -> tree.tree().setFocus());
  }

  @Override
  protected void createContent(Composite parent) {
    tree = new CallTreeWidget(parent);
    tree.tree().addListener(SWT.Selection, event -> selected());
    tree.tree().addListener(SWT.DefaultSelection, event -> openSource());
    tree.tree().addListener(SWT.KeyDown, this::keyDown);
    createActions();
  }

  private void createActions() {
    inverted = new RunAction(Messages.callers, Icons.descriptor("callers"),
        IAction.AS_CHECK_BOX, this::invert);
    inverted.setToolTipText(Messages.callersTip);
    back = new RunAction(Messages.back, Icons.descriptor("navigate_back"),
        () -> go(history.back(focused)));
    forward = new RunAction(Messages.forward, Icons.descriptor("navigate_forward"),
        () -> go(history.forward(focused)));
    all = new RunAction(Messages.showAll, Icons.descriptor("show_all"),
        () -> leaveTo(List.of()));
    focus = new RunAction(Messages.focusOnSubtree, Icons.descriptor("subtree"), () -> {
      if (!tree.selection().isEmpty()) {
        leaveTo(names(tree.selection().get(0)));
      }
    });
    hotPath = new RunAction(Messages.hotPath, Icons.descriptor("hot_path"), () -> {
      tree.expandHotPath();
      selected();
    });
    hotPath.setToolTipText(Messages.hotPathTip);
    Action collapse = new RunAction(Messages.collapseAll, () ->
        tree.collapseAll());
    Action copy = new RunAction(Messages.copy, () -> tree.copy());
    copy.setActionDefinitionId(ActionFactory.COPY.getCommandId());
    Action find = new RunAction(Messages.filter, () ->
        filter.setFocus());
    find.setActionDefinitionId(ActionFactory.FIND.getCommandId());
    Action source = new RunAction(Messages.openSource, this::openSource);
    Action factor = new RunAction(Messages.addFactor, Icons.descriptor("add_factor"), () ->
        FactorAdder.add(this, places(), null));
    Action columns = TableMenu.columnsAction(tree.tree(), tree);
    Action export = new RunAction(Messages.export, this::export);
    IActionBars bars = getViewSite().getActionBars();
    bars.setGlobalActionHandler(ActionFactory.COPY.getId(), copy);
    bars.setGlobalActionHandler(ActionFactory.FIND.getId(), find);
    IToolBarManager bar = bars.getToolBarManager();
    bar.add(back);
    bar.add(forward);
    bar.add(all);
    bar.add(new Separator());
    bar.add(hotPath);
    bar.add(focus);
    bar.add(inverted);
    NavigationKeys.register(getSite(), back, forward);
    MenuManager menu = new MenuManager();
    menu.setRemoveAllWhenShown(true);
    menu.addMenuListener(manager -> {
      source.setEnabled(procedure() != null);
      factor.setEnabled(!places().isEmpty());
      manager.add(source);
      manager.add(factor);
      manager.add(new Separator());
      manager.add(hotPath);
      manager.add(focus);
      manager.add(all);
      manager.add(collapse);
      manager.add(new Separator());
      manager.add(copy);
      manager.add(find);
      manager.add(TableMenu.sortMenu(tree));
      manager.add(columns);
      manager.add(export);
    });
    bars.getMenuManager().add(columns);
    bars.getMenuManager().add(export);
    tree.tree().setMenu(menu.createContextMenu(tree.tree()));
  }

  @Override
  protected Computation<CallTreeRows> computation() {
    runs.update(OpenSession.current().state(), selection());
    boolean callers = inverted != null && inverted.isChecked();
    runs.combo().setEnabled(runs.combo().isEnabled() && !callers);
    Application other = callers ? null : runs.chosen();
    normalized.setEnabled(other != null);
    boolean shares = normalized.getSelection();
    String wanted = filter.getText().trim();
    var analyses = OpenSession.current().state().analyses();
    return (analysis, selection, progress) -> new CallTreeRows(ComparedCalls.of(analysis,
        FlameSubject.TIME, selection,
        other == null || other == analysis.application() ? null : analyses.of(other), Weight.WALL,
        shares, progress), callers, wanted,
        () -> CallTreeReport.of(analysis, selection.scope(), callers, 0, Progress.NONE));
  }

  @Override
  protected void show(CallTreeRows rows, Selection selection) {
    tree.mark(selection.procedure());
    showSubtree(rows);
    Node hottest = rows.hottest(selection.procedure());
    if (rows.isFiltered()) {
      tree.expandFound();
    } else if (hottest != null) {
      tree.select(hottest);
    } else if (!rows.isInverted()) {
      tree.expandHotPath();
    }
  }

  @Override
  protected void clear() {
    runs.clear();
    tree.clear();
  }

  private void showSubtree(CallTreeRows rows) {
    Node root = rows.tree().root();
    for (String name : focused) {
      root = root.callees().stream().filter(node -> node.name().equals(name)).findFirst()
          .orElse(root);
    }
    tree.show(rows, root);
    back.setEnabled(history.canGoBack());
    forward.setEnabled(history.canGoForward());
    all.setEnabled(!focused.isEmpty());
  }

  private void leaveTo(List<String> names) {
    history.leave(focused, names);
    go(names);
  }

  private void go(List<String> names) {
    Node selected = tree.selection().isEmpty() ? null : tree.selection().get(0);
    focused = names;
    if (result() != null) {
      showSubtree(result());
      tree.select(selected == null ? result().tree().root() : selected);
      tree.tree().setFocus();
    }
  }

  private static List<String> names(Node node) {
    List<String> names = new ArrayList<>();
    for (Node each = node; each.caller() != null; each = each.caller()) {
      names.add(0, each.name());
    }
    return names;
  }

  private void invert() {
    focused = List.of();
    history.clear();
    refresh();
  }

  private void keyDown(Event event) {
    boolean shift = (event.stateMask & SWT.SHIFT) != 0;
    if (shift && event.keyCode == SWT.ARROW_RIGHT) {
      hotPath.run();
    } else if (shift && (event.keyCode == SWT.CR || event.keyCode == SWT.KEYPAD_CR)) {
      focus.run();
    } else if (event.keyCode == SWT.BS && history.canGoBack()) {
      back.run();
    } else if (event.keyCode == SWT.HOME && (event.stateMask & SWT.ALT) != 0) {
      all.run();
    } else {
      return;
    }
    event.doit = false;
  }

  /** What is looked at here is marked in the other views. */
  private void selected() {
    Procedure procedure = procedure();
    if (procedure != null && !pin().isChecked()) {
      OpenSession.current().setProcedure(procedure);
    }
  }

  @Override
  protected void procedureSelected(Selection selection) {
    tree.mark(selection.procedure());
    CallTreeRows rows = result();
    if (rows != null && selection.procedure() != null && procedure() != selection.procedure()) {
      Node hottest = rows.hottest(selection.procedure());
      if (hottest != null) {
        tree.select(hottest);
      }
    }
  }

  private Procedure procedure() {
    List<Node> selected = tree.selection();
    return selected.size() == 1 ? selected.get(0).procedure() : null;
  }

  private List<String> places() {
    return tree.selection().stream().map(Node::procedure).filter(each -> each != null)
        .map(FactorAdder::place).distinct().toList();
  }

  private void openSource() {
    Procedure procedure = procedure();
    if (procedure != null) {
      SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
    }
  }

  private void export() {
    CallTreeRows rows = result();
    if (rows != null) {
      Path file = TableExport.ask(getSite().getShell(), rows.isInverted()
          ? Messages.callers : Messages.subjectCallTree);
      if (file != null) {
        export(rows, file);
      }
    }
  }

  /** Writes all of the tree, as the command line prints it. */
  Job export(CallTreeRows rows, Path file) {
    return TableExport.write(rows::report, rows.calls()::warnings, file, getSite().getShell());
  }

  @Override
  protected List<String> warnings(CallTreeRows rows) {
    List<String> told = new ArrayList<>(rows.calls().warnings());
    if (rows.isFiltered() && rows.found() == 0) {
      told.add(0, NLS.bind(Messages.nothingFound, filter.getText().trim()));
    }
    return told;
  }

  @Override
  protected String total(CallTreeRows rows) {
    return TimeLabel.of(rows.tree().totalNs(Weight.WALL));
  }

  @Override
  protected void focusOnResult() {
    tree.tree().setFocus();
  }

  CallTreeWidget widget() {
    return tree;
  }

  Text filterField() {
    return filter;
  }

  RunChoice runs() {
    return runs;
  }

  Action callersAction() {
    return inverted;
  }
}
