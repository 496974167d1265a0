package org.parallax.ui.reports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.window.Window;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Spinner;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.RunComparison;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.DifferenceTable;
import org.parallax.analysis.text.ReportText;
import org.parallax.model.files.SessionFile;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.Procedure;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.DifferenceCharts;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.views.InstalledReports;
import org.parallax.ui.views.SessionView;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.ViewHeader;

/**
 * By how much some of the open runs differ from others, and whether that is more than noise: as a
 * table of one measure, and as charts of the largest differences and over time.
 */
public final class ComparisonView extends SessionView<ComparisonView.Result> {
  private static final ParameterValues OVER_TIME =
      ParameterValues.NONE.with(Parameter.METRIC.name(), "utilization")
          .with(Parameter.BINS.name(), "120");
  private static final int CONFIDENCE = 95;
  private static final int MOST_NEAR = 8;
  private static final int LEAST_TABLE_WIDTH = 480;
  private static final int LEAST_CHART_WIDTH = 360;
  private static final int LEAST_TABLE_HEIGHT = 160;
  private static final int LEAST_CHART_HEIGHT = 200;

  /** What a run is in the comparison. */
  enum Part {
    BASE, NEW, NONE
  }

  /**
   * What is shown.
   *
   * @param table null where there is nothing to compare
   * @param time the differences over time; null if they were not asked for
   * @param warnings what must be known of the runs
   * @param fault why there is nothing; empty where there is
   * @param near traces beside those that are open, which could be compared
   */
  record Result(
      Table table, Table time, Set<String> warnings, String fault, List<Path> near) {

    static Result none(String fault, List<Path> near) {
      return new Result(null, null, Set.of(), fault, near);
    }
  }

  /** What a person has chosen. */
  private final Map<Trace, Part> chosen = new LinkedHashMap<>();
  private OpenRun newest;
  /** What of an earlier run is being opened to be the base: a trace, or that of a launch. */
  private Path earlier;
  private Button runs;
  private Combo kinds;
  private Combo columns;
  private Combo charts;
  private Spinner confidence;
  private Composite pages;
  private MessagePage nothing;
  private SashForm sash;
  private ResultTable table;
  private ChartCanvas canvas;
  private Result result;
  private String column = "";

  @Override
  protected boolean sharesWhatIsRead() {
    return false;
  }

  @Override
  protected String subject() {
    return Messages.subjectComparison;
  }

  @Override
  protected boolean choosesApplication() {
    return false;
  }

  @Override
  protected void createChoices(Composite parent) {
    runs = new Button(parent, SWT.PUSH);
    runs.setText(Messages.comparisonRuns);
    runs.setToolTipText(Messages.comparisonRunsTip);
    runs.addListener(SWT.Selection, event -> chooseRuns());
    kinds = Choices.combo(parent, Messages.comparisonKind, () -> {
      column = "";
      refresh();
    }, reports().stream().map(ReportKind::title).toArray(String[]::new));
    kinds.select(reports().indexOf(StandardReport.PROFILE));
    columns = Choices.combo(parent, Messages.comparisonColumn, () -> {
      column = columns.getText();
      showColumn();
    });
    confidence = new Spinner(ViewHeader.labelled(parent, Messages.comparisonConfidence), SWT.BORDER);
    confidence.setValues(CONFIDENCE, 50, 99, 0, 1, 5);
    confidence.setToolTipText(Messages.comparisonConfidenceTip);
    confidence.addListener(SWT.Selection, event -> refresh());
    charts = Choices.combo(parent, Messages.comparisonChart, this::chooseChart,
        Messages.comparisonLargest, Messages.comparisonTime);
  }

  private static List<ReportKind> reports() {
    return InstalledReports.catalogue().comparable();
  }

  @Override
  protected void createContent(Composite parent) {
    pages = new Composite(parent, SWT.NONE);
    pages.setLayout(new StackLayout());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(pages);
    nothing = new MessagePage(pages, this::follow);
    sash = new SashForm(pages, SWT.HORIZONTAL);
    table = new ResultTable(sash, this::icon);
    table.setKind("comparison");
    table.setWhole(() -> result.table());
    table.setTraceWarnings(() -> result.warnings());
    TableMenu menu = new TableMenu(table);
    menu.contribute(getViewSite().getActionBars());
    menu.installOnRows(manager -> {
      Action source = new RunAction(Messages.openSource, this::openSource);
      source.setEnabled(selectedProcedure() != null);
      manager.add(source);
    });
    table.widget().addListener(SWT.DefaultSelection, event -> openSource());
    canvas = new ChartCanvas(sash, OpenSession.current());
    sash.setWeights(6, 5);
    sash.addListener(SWT.Resize, event -> arrange());
  }

  /** The chart stands beside the table, below it in a narrow view, and is left out of a small one. */
  private void arrange() {
    Point size = sash.getSize();
    boolean isNarrow = size.x < LEAST_TABLE_WIDTH + LEAST_CHART_WIDTH;
    boolean isSmall = isNarrow && size.y < LEAST_TABLE_HEIGHT + LEAST_CHART_HEIGHT;
    int orientation = isNarrow ? SWT.VERTICAL : SWT.HORIZONTAL;
    if (sash.getOrientation() != orientation) {
      sash.setOrientation(orientation);
    }
    Control alone = isSmall ? sash.getChildren()[0] : null;
    if (sash.getMaximizedControl() != alone) {
      sash.setMaximizedControl(alone);
    }
  }

  private void chooseChart() {
    if (isOverTime() && result != null && result.time() == null) {
      refresh();
    } else {
      showChart();
    }
  }

  private boolean isOverTime() {
    return charts.getSelectionIndex() == 1;
  }

  private void chooseRuns() {
    RunsDialog dialog = new RunsDialog(getSite().getShell(), current());
    if (dialog.open() == Window.OK) {
      setParts(dialog.parts());
    } else if (dialog.earlier() != null) {
      openEarlier(dialog.earlier());
    }
  }

  /** Compares with a run that was closed, or was never open. */
  void openEarlier(Path run) {
    earlier = run;
    OpenSession.current().open(List.of(run), OpenRun.Series.EARLIER);
  }

  /** Compares these runs. */
  void setParts(Map<Trace, Part> parts) {
    chosen.clear();
    chosen.putAll(parts);
    OpenSession.current().setBaseline(chosen.keySet().stream()
        .filter(trace -> chosen.get(trace) == Part.BASE).map(Trace::directory).toList());
    refresh();
  }

  /** What each of the open runs is: as a person says, as long as there is no newer run. */
  private Map<Trace, Part> current() {
    List<Trace> open = OpenSession.current().state().traces();
    List<OpenRun> runs = OpenSession.current().runs().all();
    chosen.keySet().retainAll(open);
    OpenRun latest = Sides.newest(runs, open);
    if (latest != newest) {
      newest = latest;
      chosen.values().removeIf(part -> part != Part.BASE);
    }
    List<Trace> base = open.stream().filter(trace -> trace.directory().equals(earlier)
        || runs.stream().anyMatch(run -> run.isBase() && run.source().equals(earlier)
            && run.traces().contains(trace.directory()))).toList();
    if (!base.isEmpty()) {
      earlier = null;
      chosen.replaceAll((other, part) -> part == Part.BASE ? Part.NONE : part);
      base.forEach(trace -> chosen.put(trace, Part.BASE));
    }
    return Sides.of(open, runs, chosen);
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    chosen.keySet().retainAll(now.traces());
    // What is selected in the trees is of one run.
    if (now.trees() != before.trees() || now.isOpen() != before.isOpen()
        || !now.opening().equals(before.opening()) || !now.error().equals(before.error())) {
      super.stateChanged(before, now);
    }
  }

  @Override
  protected Computation<Result> computation() {
    Map<Trace, Part> parts = current();
    List<OpenRun> runs = OpenSession.current().runs().all();
    ReportKind kind = reports().get(kinds.getSelectionIndex());
    double share = confidence.getSelection() / 100.0;
    boolean overTime = isOverTime();
    return (analysis, selection, progress) -> compare(parts, runs, kind, share, overTime, progress);
  }

  private static Result compare(Map<Trace, Part> parts, List<OpenRun> runs, ReportKind kind,
      double confidence, boolean overTime, Progress progress) {
    if (!parts.containsValue(Part.BASE) || !parts.containsValue(Part.NEW)) {
      return Result.none(parts.size() > 1 ? Messages.comparisonOthers : Messages.comparisonNothing,
          near(parts.keySet()));
    }
    Path file = Path.of("comparison" + SessionFile.SUFFIX).toAbsolutePath();
    try (ComparedRuns comparison = ComparedRuns.open(Sides.document(parts, runs), file,
        progress)) {
      RunComparison compared =
          new RunComparison(comparison, comparison.others().get(0), confidence);
      Table table = compared.table(kind, ParameterValues.NONE, null, progress);
      Table time = overTime
          ? compared.table(StandardReport.HISTOGRAM, OVER_TIME, null, progress) : null;
      Set<String> warnings = new LinkedHashSet<>(compared.warnings());
      return new Result(table, time, warnings, "", List.of());
    } catch (TraceException | ReportException | IllegalArgumentException e) {
      return Result.none(MessagePage.escape(Texts.sentence(e.getMessage())), List.of());
    }
  }

  /** Traces in the folders of those that are open. */
  private static List<Path> near(Set<Trace> open) {
    Set<Path> found = new TreeSet<>();
    for (Trace trace : open) {
      Path folder = trace.directory().toAbsolutePath().getParent();
      try (var beside = Files.list(folder)) {
        beside.filter(each -> Files.isRegularFile(each.resolve("manifest"))).forEach(found::add);
      } catch (IOException e) {
        // Then none is offered.
      }
    }
    open.forEach(trace -> found.remove(trace.directory().toAbsolutePath()));
    return found.stream().limit(MOST_NEAR).toList();
  }

  @Override
  protected void show(Result computed, Selection selection) {
    result = computed;
    columns.removeAll();
    boolean compared = computed.table() != null;
    for (Control choice : List.of(kinds, columns, confidence, charts)) {
      choice.setEnabled(compared);
    }
    ((StackLayout) pages.getLayout()).topControl = compared ? sash : nothing;
    pages.layout(true, true);
    if (!compared) {
      nothing.show(null, fault(computed));
      table.clear();
      canvas.show(Messages.comparisonNone, null);
      return;
    }
    showColumns(computed);
  }

  /** What there is in place of a comparison, with what can be done. */
  private static String fault(Result computed) {
    StringBuilder text = new StringBuilder(computed.fault());
    for (int i = 0; i < computed.near().size(); i++) {
      text.append(i == 0 ? "\n" : "").append('\n').append(NLS.bind(Messages.comparisonNear, i,
          MessagePage.escape(String.valueOf(computed.near().get(i).getFileName()))));
    }
    return text.toString();
  }

  /** A link in the message: the number of a trace, or what empty views have. */
  private void follow(String target) {
    if (target.chars().allMatch(Character::isDigit)) {
      OpenSession.current().open(List.of(result.near().get(Integer.parseInt(target))));
    } else {
      TraceOpening.followLink(getSite(), target);
    }
  }

  private void showColumns(Result computed) {
    List<String> compared = ComparisonReport.comparedColumns(computed.table());
    columns.setItems(compared.toArray(String[]::new));
    if (compared.isEmpty()) {
      // No run has anything of this kind, as clocks of a single machine.
      table.show(computed.table());
      canvas.show(Messages.comparisonNone, null);
      return;
    }
    if (!compared.contains(column)) {
      column = ComparisonReport.mainComparedColumn(computed.table());
    }
    columns.select(compared.indexOf(column));
    columns.requestLayout();
    showColumn();
  }

  @Override
  protected void clear() {
    result = null;
    table.clear();
    canvas.show(Messages.comparisonNone, null);
  }

  /** The differences of the column that is chosen, as the command line prints them. */
  private void showColumn() {
    if (result == null || result.table() == null) {
      return;
    }
    table.show(DifferenceTable.of(
        result.table(), column, ReportText.unseen(result.table())));
    showChart();
  }

  private void showChart() {
    if (result == null || result.table() == null) {
      return;
    }
    Table shown = result.table();
    Table time = result.time();
    String of = column;
    boolean mixed = shown.columns().get(shown.column(of + ".base")).unit()
        == Unit.OF_ROW;
    if (isOverTime() && time != null) {
      canvas.show(time.title(), theme -> DifferenceCharts.histogram(time, theme));
    } else if (mixed) {
      // Bars of seconds and of bytes cannot stand beside each other.
      canvas.show(shown.title(), null);
    } else {
      canvas.showDrawing(shown.title(), theme -> DifferenceCharts.bars(shown, of, theme));
    }
  }

  @Override
  protected List<String> warnings(Result computed) {
    List<String> told = new ArrayList<>();
    if (computed.table() == null) {
      return told;
    }
    computed.table().warnings().forEach(warning -> told.add(Texts.sentence(warning)));
    computed.warnings().forEach(warning -> told.add(Texts.sentence(warning)));
    return told;
  }

  @Override
  protected String scopeText(Selection selection) {
    if (result == null || result.table() == null) {
      return "";
    }
    Map<String, String> parameters = result.table().parameters();
    return NLS.bind(Messages.comparisonOf, parameters.get("new"), parameters.get("base"));
  }

  @Override
  protected String warningsAbout() {
    return scopeText(null);
  }

  /** The icon of a row tells its verdict. */
  private Image icon(Row row) {
    int verdict = table.table().column("verdict");
    int difference = table.table().column("difference");
    if (verdict < 0) {
      return difference < 0 ? null : Icons.image("no_effect");
    }
    Object value = row.values().get(verdict);
    return "more".equals(value) ? Icons.image("slower")
        : "less".equals(value) ? Icons.image("faster") : Icons.image("no_effect");
  }

  private Procedure selectedProcedure() {
    List<Row> selected = table.selection();
    return selected.size() == 1 && selected.get(0).subject() instanceof Procedure procedure
        ? procedure : null;
  }

  private void openSource() {
    Procedure procedure = selectedProcedure();
    if (procedure != null) {
      SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
    }
  }

  @Override
  protected void focusOnResult() {
    (nothing.isVisible() ? nothing : table.widget()).setFocus();
  }

  ResultTable table() {
    return table;
  }

  ChartCanvas canvas() {
    return canvas;
  }

  /** What there is in place of a comparison. */
  String fault() {
    return nothing.message();
  }

  Combo kindChoice() {
    return kinds;
  }

  Combo columnChoice() {
    return columns;
  }

  Combo chartChoice() {
    return charts;
  }

  /** What each open trace is in the comparison. */
  Map<Trace, Part> parts() {
    return current();
  }

  Result comparison() {
    return result;
  }
}
