package org.parallax.launch.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.custom.CTabItem;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Text;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.tuning.live.ActionState;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.LiveTables;
import org.parallax.tuning.live.PointState;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.RateCharts;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.ResultTable;

/** The pages of the view of live tuning, each with a table; only the one in sight is filled. */
final class TuningPages {
  private static final double NS_PER_SECOND = 1e9;
  private static final int[] DETAIL_WEIGHTS = {7, 3};
  /** The places of two pages. */
  private static final int ACTIONS = 0;
  private static final int METRICS = 2;
  /** How many there are. */
  static final int COUNT = 5;

  /** A page: what it shows of a session, and more of the selected row. */
  private record Page(ResultTable table, Function<LiveState, Table> contents, Text details, Function<Row, String> detail) {
  }

  private final CTabFolder folder;
  private final List<Page> pages = new ArrayList<>();
  private final ChartCanvas chart;
  private final Runnable selected;
  /** Read by the jobs that draw. */
  private volatile LiveState state;
  private String drawn;

  /** @param selected told when a person selects a row or a page */
  TuningPages(Composite parent, Runnable selected) {
    this.selected = selected;
    folder = new CTabFolder(parent, SWT.BOTTOM | SWT.FLAT);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(folder);
    add(Messages.tuningActions, LiveTables::actions, TuningPages::detail, TuningPages::icon);
    add(Messages.tuningConditions, LiveTables::conditions, row -> values(row, 1, 3), row -> null);
    SashForm metrics = new SashForm(folder, SWT.HORIZONTAL);
    ResultTable points = table(metrics, row -> null);
    chart = new ChartCanvas(metrics, OpenSession.current());
    metrics.setWeights(3, 2);
    page(Messages.tuningMetrics, metrics, new Page(points, LiveTables::points, null, null));
    add(Messages.tuningProcesses, LiveTables::processes, null, row -> null);
    add(Messages.tuningDecisions, LiveTables::decisions, row -> values(row, 4, 5), row -> null);
    folder.setSelection(0);
    folder.addListener(SWT.Selection, event -> {
      show(state);
      selected.run();
    });
  }

  private static String values(Row row, int... columns) {
    List<String> texts = new ArrayList<>();
    for (int column : columns) {
      String text = String.valueOf(row.values().get(column));
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    return String.join("\n", texts);
  }

  private static String detail(Row row) {
    ActionState action = (ActionState) row.subject();
    return action.change() + "\n" + action.reason() + (action.outcome().isEmpty() ? "" : "\n" + action.shown() + ": "
        + action.outcome());
  }

  private static Image icon(Row row) {
    return switch (((ActionState) row.subject()).state()) {
      case ADVISED -> Icons.image("trial_planned");
      case TRYING -> Icons.image("trial_repeated");
      case KEPT -> Icons.image("trial_done");
      case UNDONE, GIVEN_UP, RESTORED -> Icons.image("trial_failed");
    };
  }

  private ResultTable table(Composite parent, Function<Row, Image> icons) {
    ResultTable table = new ResultTable(parent, icons);
    table.setLive(true);
    table.widget().addListener(SWT.Selection, event -> {
      showSelected();
      selected.run();
    });
    return table;
  }

  private void add(String title, Function<LiveState, Table> contents, Function<Row, String> detail,
      Function<Row, Image> icons) {
    if (detail == null) {
      ResultTable table = table(folder, icons);
      page(title, table.control(), new Page(table, contents, null, null));
      return;
    }
    SashForm sash = new SashForm(folder, SWT.VERTICAL);
    ResultTable table = table(sash, icons);
    Text details = new Text(sash, SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
    details.setToolTipText(Messages.tuningDetails);
    sash.setWeights(DETAIL_WEIGHTS);
    page(title, sash, new Page(table, contents, details, detail));
  }

  private void page(String title, Composite control, Page page) {
    CTabItem item = new CTabItem(folder, SWT.NONE);
    item.setText(title);
    item.setControl(control);
    pages.add(page);
  }

  private Page page() {
    return pages.get(Math.max(0, folder.getSelectionIndex()));
  }

  /** Shows the page in sight as a session is now. */
  void show(LiveState now) {
    state = now;
    if (state == null) {
      return;
    }
    page().table().show(page().contents().apply(state));
    if (page() == pages.get(METRICS) && page().table().selection().isEmpty() && !page().table().rows().isEmpty()) {
      page().table().select(page().table().rows().get(0));
    }
    showSelected();
  }

  private void showSelected() {
    Page page = page();
    List<Row> rows = page.table().selection();
    if (page.details() != null) {
      String text = rows.isEmpty() ? "" : page.detail().apply(rows.get(0));
      if (!text.equals(page.details().getText())) {
        page.details().setText(text);
      }
    }
    if (page == pages.get(METRICS)) {
      draw(rows.isEmpty() ? null : rows.get(0).name());
    }
  }

  private void draw(String point) {
    if (point != null && point.equals(drawn)) {
      chart.refresh();
      return;
    }
    drawn = point;
    chart.show(point == null ? Messages.tuningChart : NLS.bind(Messages.tuningChartOf, point),
        point == null ? null : theme -> RateCharts.visits(rates(point), theme));
  }

  /** Called by the job that draws. */
  private List<RateCharts.Rate> rates(String point) {
    LiveState now = state;
    return now.points().stream().filter(each -> each.name().equals(point)).map(PointState::rates).findFirst()
        .orElse(List.of()).stream().map(rate -> new RateCharts.Rate(rate.fromNs() / NS_PER_SECOND,
            rate.toNs() / NS_PER_SECOND, rate.visits(), rate.bytes())).toList();
  }

  /** @return the selected actions that are on, if the page of actions is in sight */
  List<ActionState> selectedActions() {
    return page() != pages.get(ACTIONS) || state == null ? List.of()
        : page().table().selection().stream().map(row -> (ActionState) row.subject()).filter(ActionState::canBeUndone).toList();
  }

  void setFocus() {
    page().table().widget().setFocus();
  }

  /** @return the table of a page, from 0 */
  ResultTable table(int page) {
    return pages.get(page).table();
  }

  /** Brings a page into sight, from 0. */
  void select(int page) {
    folder.setSelection(page);
    show(state);
  }

  /** Selects a row of the page in sight alone, as a person does. */
  void selectRow(Row row) {
    page().table().widget().deselectAll();
    page().table().select(row);
    showSelected();
    selected.run();
  }

  ChartCanvas chart() {
    return chart;
  }

  /** @return what is told of the selected row; empty when nothing is */
  String details() {
    return page().details() == null ? "" : page().details().getText();
  }
}
