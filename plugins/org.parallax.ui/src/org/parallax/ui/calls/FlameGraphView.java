package org.parallax.ui.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.RowData;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.actions.ActionFactory;
import org.parallax.analysis.calls.CallTree.Node;
import org.parallax.analysis.calls.CallTreeDifference;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Application;
import org.parallax.ui.charts.TimeLabel;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.views.RunChoice;
import org.parallax.ui.views.SessionView;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.NavigationKeys;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.ViewHeader;

/**
 * The call paths as a flame graph: by their time, by what the critical path or waits have of them; of one
 * run, or by how much they differ from another.
 */
public final class FlameGraphView extends SessionView<ComparedCalls> {
  private static final int MOST_CRUMBS = 6;
  private static final int SEARCH_WIDTH = 18;

  private RunChoice runs;
  private Combo subjectCombo;
  private Combo weightCombo;
  private Button normalized;
  private Text search;
  private Label found;
  private Link crumbs;
  private FlameCanvas flames;
  private Action back;
  private Action forward;
  private Action all;
  /** Adds up what was found last; null for nothing. */
  private Job searching;

  @Override
  protected String subject() {
    return Messages.subjectFlameGraph;
  }

  @Override
  protected void createChoices(Composite parent) {
    subjectCombo = new Combo(ViewHeader.labelled(parent, Messages.shown), SWT.READ_ONLY);
    subjectCombo.setItems(Messages.subjectTime, Messages.subjectPath, Messages.subjectWaits);
    subjectCombo.select(0);
    subjectCombo.setToolTipText(Messages.shownTip);
    subjectCombo.addListener(SWT.Selection, event -> refresh());
    weightCombo = new Combo(ViewHeader.labelled(parent, Messages.time), SWT.READ_ONLY);
    weightCombo.setItems(Messages.weightWall, Messages.weightCpu);
    weightCombo.select(0);
    weightCombo.addListener(SWT.Selection, event -> refresh());
    runs = new RunChoice(parent, this::refresh);
    normalized = new Button(parent, SWT.CHECK);
    normalized.setText(Messages.normalized);
    normalized.setToolTipText(Messages.normalizedTip);
    normalized.addListener(SWT.Selection, event -> refresh());
    search = new Text(parent, SWT.SEARCH | SWT.ICON_SEARCH | SWT.ICON_CANCEL);
    search.setMessage(Messages.search);
    search.setToolTipText(Messages.flameSearchTip);
    search.setLayoutData(new RowData(search.computeSize(SWT.DEFAULT, SWT.DEFAULT).x
        + SEARCH_WIDTH * 4, SWT.DEFAULT));
    search.addListener(SWT.Modify, event -> search());
    search.addListener(SWT.DefaultSelection, event -> flames.canvas().setFocus());
    found = new Label(parent, SWT.NONE);
  }

  @Override
  protected void createContent(Composite parent) {
    crumbs = new Link(parent, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).indent(8, 0).applyTo(crumbs);
    crumbs.addListener(SWT.Selection, event -> zoomUp(Integer.parseInt(event.text)));
    flames = new FlameCanvas(parent, this::tell);
    flames.onFocus(this::focused);
    flames.onNavigation(this::navigated);
    createActions();
  }

  private void createActions() {
    back = new RunAction(Messages.back, Icons.descriptor("navigate_back"),
        () -> flames.back());
    forward = new RunAction(Messages.forward, Icons.descriptor("navigate_forward"),
        () -> flames.forward());
    all = new RunAction(Messages.showAll, Icons.descriptor("show_all"), () -> zoomUp(0));
    Action upwards = new Action(Messages.upwards, IAction.AS_CHECK_BOX) {
      @Override
      public void run() {
        flames.setUpwards(isChecked());
      }
    };
    upwards.setImageDescriptor(Icons.descriptor("flames_upwards"));
    upwards.setToolTipText(Messages.upwardsTip);
    IToolBarManager bar = getViewSite().getActionBars().getToolBarManager();
    bar.add(back);
    bar.add(forward);
    bar.add(all);
    bar.add(new Separator());
    bar.add(upwards);
    NavigationKeys.register(getSite(), back, forward);
    Action find = new RunAction(Messages.search, search::setFocus);
    find.setActionDefinitionId(ActionFactory.FIND.getCommandId());
    getViewSite().getActionBars().setGlobalActionHandler(ActionFactory.FIND.getId(), find);
    MenuItem source = new MenuItem(flames.canvas().getMenu(), SWT.PUSH, 0);
    source.setText(Messages.openSource);
    source.addListener(SWT.Selection, event -> openSource());
    flames.canvas().getMenu().addListener(SWT.Show, event -> source.setEnabled(
        flames.focus() != null && flames.focus().procedure() != null));
  }

  @Override
  protected Computation<ComparedCalls> computation() {
    runs.update(OpenSession.current().state(), selection());
    Application other = runs.chosen();
    normalized.setEnabled(other != null);
    boolean shares = normalized.getSelection();
    Weight weight = weight();
    FlameSubject subject = graphSubject();
    weightCombo.setEnabled(subject != FlameSubject.WAITS);
    var analyses = OpenSession.current().state().analyses();
    return (analysis, selection, progress) -> ComparedCalls.of(analysis, subject, selection,
        other == null || other == analysis.application() ? null : analyses.of(other), weight,
        shares, progress);
  }

  private FlameSubject graphSubject() {
    return FlameSubject.values()[subjectCombo.getSelectionIndex()];
  }

  private Weight weight() {
    return weightCombo.getSelectionIndex() == 0 ? Weight.WALL : Weight.CPU;
  }

  @Override
  protected void show(ComparedCalls calls, Selection selection) {
    String of = switch (calls.subject()) {
      case TIME -> calls.tree().root().name();
      case CRITICAL_PATH -> NLS.bind(Messages.ofPath, calls.tree().root().name());
      case WAITS -> NLS.bind(Messages.ofWaits, calls.tree().root().name());
    };
    String title = calls.difference() == null ? NLS.bind(Messages.flameTitle, of)
        : NLS.bind(Messages.flameTitleCompared, of, calls.other());
    flames.mark(selection.procedure());
    flames.show(title, calls.tree(), calls.difference(), calls.weight());
    search();
  }

  @Override
  protected void clear() {
    runs.clear();
    flames.clear();
    endSearch();
  }

  private void endSearch() {
    if (searching != null) {
      searching.cancel();
      searching = null;
    }
  }

  @Override
  protected void procedureSelected(Selection selection) {
    flames.mark(selection.procedure());
  }

  @Override
  protected List<String> warnings(ComparedCalls calls) {
    return calls.warnings();
  }

  @Override
  protected String total(ComparedCalls calls) {
    return TimeLabel.of(calls.tree().totalNs(calls.weight()));
  }

  /** What is told of a frame. */
  private String tell(Node node) {
    ComparedCalls calls = result();
    if (calls == null) {
      return null;
    }
    long inclusive = node.inclusiveNs(calls.weight());
    String text = NLS.bind(switch (calls.subject()) {
      case TIME -> Messages.frame;
      case CRITICAL_PATH -> Messages.frameOfPath;
      case WAITS -> Messages.frameOfWaits;
    }, new Object[] {node.name(),
        TimeLabel.of(inclusive), percent(inclusive, calls), TimeLabel.of(node.timeNs(calls.weight())),
        node.inclusiveSamples()});
    CallTreeDifference difference = calls.difference();
    if (difference == null) {
      return text;
    }
    double change = difference.changeNs(node);
    return text + "\n" + NLS.bind(change < 0 ? Messages.frameLess : Messages.frameMore,
        new Object[] {TimeLabel.of(Math.round(Math.abs(change))),
            TimeLabel.of(Math.round(difference.baseNs(node))), calls.other()});
  }

  private static String percent(double ns, ComparedCalls calls) {
    return String.format(Locale.ROOT, "%.2f %%",
        100 * ns / Math.max(1, calls.tree().totalNs(calls.weight())));
  }

  private void focused(Node node) {
    String told = tell(node);
    getViewSite().getActionBars().getStatusLineManager()
        .setMessage(told == null ? null : told.replace("\n", "   "));
    if (node.procedure() != null && !pin().isChecked()) {
      OpenSession.current().setProcedure(node.procedure());
    }
  }

  private void search() {
    String wanted = search.getText().trim();
    flames.setSearch(wanted);
    endSearch();
    ComparedCalls calls = result();
    if (wanted.isEmpty() || calls == null) {
      tellFound("");
    } else {
      searching = new SearchJob(calls, FlameCanvas.named(wanted));
      searching.schedule();
    }
  }

  private void tellFound(String text) {
    found.setText(text);
    found.requestLayout();
  }

  /** Adds up what the search has found. */
  private final class SearchJob extends Job {
    private final ComparedCalls calls;
    private final Predicate<Node> wanted;

    SearchJob(ComparedCalls calls, Predicate<Node> wanted) {
      super(Messages.searchJob);
      this.calls = calls;
      this.wanted = wanted;
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      String share = percent(calls.tree().timeOnNs(
          node -> !monitor.isCanceled() && wanted.test(node), calls.weight()), calls);
      UiThread.later(() -> {
        if (searching == this && !found.isDisposed()) {
          tellFound(NLS.bind(Messages.found, share));
        }
      });
      return Status.OK_STATUS;
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == OpenSession.current();
    }
  }

  private void navigated() {
    back.setEnabled(flames.canGoBack());
    forward.setEnabled(flames.canGoForward());
    all.setEnabled(flames.zoom().caller() != null);
    List<Node> path = path();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < path.size(); i++) {
      boolean last = i == path.size() - 1;
      boolean leftOut = i > 0 && i < path.size() - MOST_CRUMBS;
      String name = MessagePage.escape(path.get(i).name());
      if (!leftOut) {
        text.append(i == 0 ? "" : " \u203a ")
            .append(last ? name : "<a href=\"" + i + "\">" + name + "</a>");
      } else if (i == 1) {
        text.append(" \u203a \u2026");
      }
    }
    crumbs.setText(text.toString());
    crumbs.requestLayout();
  }

  /** From the root to the frame that is zoomed to. */
  private List<Node> path() {
    List<Node> path = new ArrayList<>();
    for (Node node = flames.zoom(); node != null; node = node.caller()) {
      path.add(0, node);
    }
    return path;
  }

  private void zoomUp(int depth) {
    if (flames.zoom() != null) {
      flames.zoomTo(path().get(depth));
    }
  }

  private void openSource() {
    if (flames.focus() != null && flames.focus().procedure() != null) {
      SourceOpener.open(getSite().getPage(), SourceLocation.of(flames.focus().procedure()));
    }
  }

  @Override
  protected void focusOnResult() {
    flames.canvas().setFocus();
  }

  FlameCanvas flames() {
    return flames;
  }

  RunChoice runs() {
    return runs;
  }

  Button normalized() {
    return normalized;
  }

  Text searchField() {
    return search;
  }

  String foundText() {
    return found.getText();
  }

  Link crumbs() {
    return crumbs;
  }

  Combo subjectChoice() {
    return subjectCombo;
  }

  Combo weightChoice() {
    return weightCombo;
  }
}
