package org.parallax.ui.histogram;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.MenuItem;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.OtherRun;
import org.parallax.analysis.metrics.HistogramCurves;
import org.parallax.analysis.metrics.HistogramCurves.Part;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramTree;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.Analyses;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.RunAlignment;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.table.TableExport;
import org.parallax.ui.views.LevelNames;
import org.parallax.ui.views.NewPhase;
import org.parallax.ui.views.RunChoice;
import org.parallax.ui.views.SessionView;
import org.parallax.ui.widgets.NavigationKeys;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.ViewHeader;

/** Any metric over time, as curves of the selected nodes or of what is below them. */
public final class HistogramView extends SessionView<HistogramView.Curves> {
  private static final List<Level> LEVELS =
      List.of(Level.APPLICATION, Level.MACHINE, Level.PROCESS, Level.THREAD);
  private static final String DEFAULT_METRIC = "utilization";
  private static final int VISIBLE_ITEMS = 24;
  private static final int RESIZE_DELAY_MS = 200;

  private RunChoice runs;
  private Combo metricCombo;
  private Combo levelCombo;
  private HistogramPane pane;
  private CurveLegend legend;
  private List<HistogramMetric> metrics = List.of();
  private String metricKey = DEFAULT_METRIC;
  private Action back;
  private Action forward;
  private Action all;
  private Action definesPhases;
  private Action noPhase;
  private int resized;
  private int askedBins;

  /**
   * What is computed.
   *
   * @param metrics all that can be chosen
   */
  record Curves(HistogramCurves curves, List<HistogramMetric> metrics) {
  }

  @Override
  protected String subject() {
    return Messages.subjectHistogram;
  }

  @Override
  protected void createChoices(Composite parent) {
    metricCombo = new Combo(ViewHeader.labelled(parent, Messages.metric), SWT.READ_ONLY);
    metricCombo.setVisibleItemCount(VISIBLE_ITEMS);
    metricCombo.addListener(SWT.Selection, event -> {
      metricKey = metrics.get(metricCombo.getSelectionIndex()).key();
      refresh();
    });
    levelCombo = new Combo(ViewHeader.labelled(parent, Messages.curvesOf), SWT.READ_ONLY);
    levelCombo.add(Messages.selectedNodes);
    LEVELS.forEach(level -> levelCombo.add(LevelNames.of(level)));
    levelCombo.select(0);
    levelCombo.addListener(SWT.Selection, event -> refresh());
    runs = new RunChoice(parent, this::refresh);
  }

  @Override
  protected void createContent(Composite parent) {
    SashForm sash = new SashForm(parent, SWT.HORIZONTAL | SWT.SMOOTH);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
    pane = new HistogramPane(sash, new HistogramPane.Host() {
      @Override
      public void moved() {
        refresh();
        enableActions();
      }

      @Override
      public boolean definesPhases() {
        return definesPhases.isChecked();
      }

      @Override
      public void phaseDrawn(Window window) {
        definePhase(window);
      }

      @Override
      public void keepTime(Window visible) {
        NewPhase.keep(getSite().getShell(), visible);
      }

      @Override
      public void rangeDrawn(Window window) {
        if (!pin().isChecked()) {
          NewPhase.select(window);
        }
      }

      @Override
      public void cursorMoved(long ns) {
        if (!pin().isChecked()) {
          OpenSession.current().setCursor(ns);
        }
      }

      @Override
      public void timeCleared() {
        OpenSession.current().clearTime();
      }
    });
    legend = new CurveLegend(sash, () -> pane.setShown(legend.shown()));
    sash.setWeights(78, 22);
    pane.canvas().addListener(SWT.Resize, event -> resized());
    createActions();
  }

  private void createActions() {
    back = new RunAction(Messages.back, Icons.descriptor("navigate_back"),
        () -> pane.back());
    forward = new RunAction(Messages.forward, Icons.descriptor("navigate_forward"),
        () -> pane.forward());
    all = new RunAction(Messages.showAllTime, Icons.descriptor("show_all"),
        () -> pane.showAll());
    definesPhases = new RunAction(Messages.definePhases, Icons.descriptor("define_phase"),
        IAction.AS_CHECK_BOX,
        () -> { });
    definesPhases.setToolTipText(Messages.definePhasesTip);
    noPhase = new RunAction(Messages.noPhase, Icons.descriptor("no_phase"),
        () -> OpenSession.current().setPhase(null));
    IToolBarManager bar = getViewSite().getActionBars().getToolBarManager();
    bar.add(back);
    bar.add(forward);
    bar.add(all);
    bar.add(new Separator());
    bar.add(definesPhases);
    bar.add(noPhase);
    NavigationKeys.register(getSite(), back, forward);
    enableActions();
    MenuItem define = new MenuItem(pane.canvas().getMenu(), SWT.PUSH, 0);
    define.setText(Messages.definePhaseVisible);
    define.addListener(SWT.Selection, event -> pane.defineVisible());
    MenuItem none = new MenuItem(pane.canvas().getMenu(), SWT.PUSH, 1);
    none.setText(Messages.noPhase);
    none.addListener(SWT.Selection, event -> noPhase.run());
    MenuItem export = new MenuItem(pane.canvas().getMenu(), SWT.PUSH);
    export.setText(Messages.export);
    export.addListener(SWT.Selection, event -> export());
    pane.canvas().getMenu().addListener(SWT.Show, event -> {
      define.setEnabled(result() != null);
      none.setEnabled(noPhase.isEnabled());
    });
  }

  private void enableActions() {
    back.setEnabled(pane.canGoBack());
    forward.setEnabled(pane.canGoForward());
    all.setEnabled(pane.zoom() != null);
    noPhase.setEnabled(OpenSession.current().state().selection().phase() != null);
  }

  /** Another width has room for another number of bins. */
  private void resized() {
    int now = ++resized;
    pane.canvas().getDisplay().timerExec(RESIZE_DELAY_MS, () -> {
      if (now == resized && !pane.canvas().isDisposed() && result() != null
          && askedBins != pane.bins()) {
        refresh();
      }
    });
  }

  @Override
  protected boolean needsEvents() {
    return true;
  }

  @Override
  protected Computation<Curves> computation() {
    runs.update(OpenSession.current().state(), selection());
    Application other = runs.chosen();
    SessionState state = OpenSession.current().state();
    Analyses analyses = state.analyses();
    int index = levelCombo.getSelectionIndex();
    Level level = index == 0 ? null : LEVELS.get(index - 1);
    var zoom = pane.zoom();
    int bins = pane.bins();
    askedBins = bins;
    String key = metricKey;
    return (analysis, selection, progress) -> {
      List<Part> parts = parts(analysis.during(null), selection, level, state, progress);
      if (other != null && other != analysis.application()) {
        ApplicationAnalysis with = analyses.of(other);
        TreeNode tree = ProgramTree.logical(other);
        for (Part part : List.copyOf(parts)) {
          parts.add(new Part(with, OtherRun.node(part.node(), tree), level,
              RunChoice.name(other), laterNs(analysis, with, state, progress)));
        }
      }
      var offered = HistogramMetric.all(analysis);
      HistogramMetric metric = offered.getOrDefault(key, offered.get(DEFAULT_METRIC));
      return new Curves(HistogramCurves.of(metric, parts, zoom, bins, progress),
          List.copyOf(offered.values()));
    };
  }

  /** By how much moments are later in another run, as runs are aligned in the timeline; null for at their start. */
  private static Long laterNs(ApplicationAnalysis analysis, ApplicationAnalysis other,
      SessionState state, Progress progress) {
    if (state.alignment().equals(RunAlignment.START)) {
      return null;
    }
    List<RunAlignment.Origin> origins = state.alignment().origins(
        List.of(analysis.during(null), other), state, progress);
    return origins.get(1).ns() - origins.get(0).ns();
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    super.stateChanged(before, now);
    if (!now.alignment().equals(before.alignment())
        && (runs.chosen() != null || selection().nodes().size() > 1)) {
      refresh();
    }
  }

  /** What is selected; applications that did not run together are aligned as in the timeline. */
  private static List<Part> parts(ApplicationAnalysis analysis, Selection selection, Level level,
      SessionState state, Progress progress) {
    Analyses analyses = state.analyses();
    List<Part> parts = new ArrayList<>();
    for (TreeNode node : selection.nodes()) {
      Application application = node.application().orElse(analysis.application());
      boolean isOwn = application == analysis.application();
      boolean isSameTime = isOwn || analyses.areTogether();
      ApplicationAnalysis run = isOwn ? analysis : analyses.of(application);
      parts.add(isSameTime ? new Part(run, node, level, "") : new Part(run, node, level,
          RunChoice.name(application), laterNs(analysis, run, state, progress)));
    }
    return parts;
  }

  @Override
  protected void show(Curves result, Selection selection) {
    if (!result.metrics().equals(metrics)) {
      metrics = result.metrics();
      metricCombo.setItems(metrics.stream().map(HistogramMetric::label).toArray(String[]::new));
      metricCombo.requestLayout();
    }
    metricCombo.select(metrics.indexOf(result.curves().metric()));
    legend.show(result.curves(), pane.canvas().theme());
    pane.show(NLS.bind(Messages.histogramTitle, result.curves().metric().label(),
        selection.scope().path()), result.curves(), legend.shown(), selection.phase());
    pane.setCursor(cursorNs());
    resized();
    enableActions();
  }

  @Override
  protected void cursorMoved() {
    pane.setCursor(cursorNs());
  }

  @Override
  protected void clear() {
    metrics = List.of();
    metricCombo.removeAll();
    runs.clear();
    pane.clear();
  }

  @Override
  protected List<String> warnings(Curves result) {
    List<String> told = new ArrayList<>();
    result.curves().warnings().forEach(warning -> told.add(Texts.sentence(warning)));
    int hidden = result.curves().curves().size() - legend.shown().size();
    if (legend.isLimited()) {
      told.add(NLS.bind(Messages.hiddenCurves, legend.shown().size(),
          hidden + legend.shown().size()));
    }
    if (result.curves().curves().isEmpty()) {
      told.add(NLS.bind(Messages.noCurves, shown().scope().path()));
    }
    return told;
  }

  private void definePhase(Window window) {
    if (NewPhase.ask(getSite().getShell(), window)) {
      definesPhases.setChecked(false);
    }
  }

  private void export() {
    Curves made = result();
    Path file = made == null ? null
        : TableExport.ask(getSite().getShell(), made.curves().metric().label());
    if (file != null) {
      export(made.curves(), file);
    }
  }

  /** Writes the values of the bins in sight. */
  Job export(HistogramCurves curves, Path file) {
    return TableExport.write(curves.table(String.join(", ", OpenSession.current().state().traces()
        .stream().map(trace -> trace.directory().toString()).toList())), curves::warnings, file,
        getSite().getShell());
  }

  @Override
  protected void focusOnResult() {
    pane.canvas().setFocus();
  }

  /** Shows a metric by its key. */
  void chooseMetric(String key) {
    for (int i = 0; i < metrics.size(); i++) {
      if (Objects.equals(metrics.get(i).key(), key)) {
        metricCombo.select(i);
        metricCombo.notifyListeners(SWT.Selection, new org.eclipse.swt.widgets.Event());
      }
    }
  }

  HistogramPane pane() {
    return pane;
  }

  CurveLegend legend() {
    return legend;
  }

  Combo levelChoice() {
    return levelCombo;
  }

  Combo metricChoice() {
    return metricCombo;
  }

  RunChoice runs() {
    return runs;
  }

  Action phaseAction() {
    return definesPhases;
  }
}
