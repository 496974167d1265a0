package org.parallax.ui.reports;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Sash;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.actions.ActionFactory;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.catalogue.ParameterValues;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Procedure;
import org.parallax.ui.session.Selection;
import org.parallax.ui.table.CellText;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.widgets.NavigationHistory;
import org.parallax.ui.widgets.RunAction;

/**
 * The entries of a gprof table, and of one of them the callers above and what it calls below. A click
 * on one of these goes to its entry.
 */
public final class GprofView extends ReportView {
  private static final List<String> SHOWN = List.of("percent", "self", "descendants", "called",
      "calledExact", "selfCalls", "cycle", "throttled", "index");
  private static final List<String> OF_ARCS = List.of("self", "descendants", "called",
      "calledExact", "total", "totalExact", "cycle", "throttled", "index");

  /** What most programs have none of. */
  private static final List<String> MAY_LACK = List.of("cycle", "selfCalls");

  private final NavigationHistory<Long> history = new NavigationHistory<>();
  private Combo weights;
  private ResultTable callers;
  private ResultTable callees;
  private Label heading;
  private Label numbers;
  private Action back;
  private Action forward;
  private Table whole;
  /** The index of the entry that is shown, 0 for none. */
  private long entry;
  private boolean going;
  /** Whether a person has said how much room the sides have. */
  private boolean divided;
  private SashForm sash;

  @Override
  protected ReportKind kind() {
    return StandardReport.GPROF;
  }

  @Override
  protected String subject() {
    return Messages.subjectGprof;
  }

  @Override
  protected void createChoices(Composite parent) {
    weights = Choices.weight(parent, this::refresh);
  }

  @Override
  protected void createContent(Composite parent) {
    sash = new SashForm(parent, SWT.HORIZONTAL);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
    super.createContent(sash);
    table().setKind("gprof-entries");
    table().setWhole(() -> whole);
    table().widget().addListener(SWT.Selection, event -> {
      List<Row> selected = table().selection();
      if (!going && selected.size() == 1) {
        go(index(selected.get(0), table()));
      }
    });
    SashForm around = new SashForm(sash, SWT.VERTICAL);
    callers = arcs(around, Messages.callers, "gprof-callers");
    Composite lower = new Composite(around, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(lower);
    Composite middle = new Composite(lower, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(middle);
    GridLayoutFactory.fillDefaults().margins(6, 5).spacing(0, 2).applyTo(middle);
    heading = new Label(middle, SWT.NONE);
    heading.setFont(JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT));
    GridDataFactory.fillDefaults().grab(true, false).hint(40, SWT.DEFAULT).applyTo(heading);
    numbers = new Label(middle, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).hint(40, SWT.DEFAULT).applyTo(numbers);
    Composite below = new Composite(lower, SWT.NONE);
    below.setLayout(new FillLayout());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(below);
    callees = arcs(below, Messages.callees, "gprof-callees");
    around.setWeights(4, 6);
    sash.setWeights(5, 6);
    sash.addListener(SWT.Resize, event -> divide());
    List.of(table(), callers, callees).forEach(each -> each.setColumnsListener(this::divide));
    for (Control child : sash.getChildren()) {
      if (child instanceof Sash) {
        child.addListener(SWT.Selection, event -> divided = true);
      }
    }
    createNavigation();
  }

  private ResultTable arcs(Composite parent, String label, String kind) {
    ResultTable made = new ResultTable(parent, this::icon);
    made.setKind(kind);
    made.setNameLabel(label);
    made.widget().addListener(SWT.DefaultSelection, event -> follow(made));
    made.widget().addListener(SWT.MouseUp, event -> {
      if (event.button == 1 && made.widget().getItem(new Point(event.x, event.y)) != null) {
        follow(made);
      }
    });
    new TableMenu(made).installOnRows(menu -> {
      Action go = new RunAction(Messages.goTo, () -> follow(made));
      go.setEnabled(made.selection().size() == 1 && index(made.selection().get(0), made) > 0);
      menu.add(go);
      menu.add(sourceAction(made));
    });
    return made;
  }

  private void createNavigation() {
    back = navigation(ActionFactory.BACK, ISharedImages.IMG_TOOL_BACK, Messages.back,
        () -> history.back(entry));
    forward = navigation(ActionFactory.FORWARD, ISharedImages.IMG_TOOL_FORWARD, Messages.forward,
        () -> history.forward(entry));
    updateNavigation();
  }

  private Action navigation(ActionFactory factory, String image, String text,
      Supplier<Long> target) {
    Action action = new RunAction(text, () -> {
      showEntry(target.get());
      updateNavigation();
    });
    action.setToolTipText(text);
    action.setImageDescriptor(
        PlatformUI.getWorkbench().getSharedImages().getImageDescriptor(image));
    getViewSite().getActionBars().setGlobalActionHandler(factory.getId(), action);
    getViewSite().getActionBars().getToolBarManager().add(action);
    return action;
  }

  private void updateNavigation() {
    back.setEnabled(history.canGoBack());
    forward.setEnabled(history.canGoForward());
  }

  @Override
  protected ParameterValues values() {
    return Choices.values(weights);
  }

  @Override
  protected void show(Table result, Selection selection) {
    history.clear();
    whole = result;
    Table entries = part(result, row -> isEntry(row, result), SHOWN);
    table().show(entries);
    Row first = entries.rows().isEmpty() ? null : entries.rows().get(0);
    Row wanted = selection.procedure() == null ? null : entries.rows().stream()
        .filter(row -> row.subject() == selection.procedure()).findFirst().orElse(null);
    entry = 0;
    showEntry(wanted != null ? index(wanted, table()) : first == null ? 0 : index(first, table()));
    updateNavigation();
    divide();
  }

  /** Gives both sides the room that their columns need, as far as there is. */
  private void divide() {
    int left = table().neededWidth();
    int right = Math.max(callers.neededWidth(), callees.neededWidth());
    int spare = sash.getClientArea().width - left - right;
    if (!divided && left > 0 && right > 0) {
      sash.setWeights(left + Math.max(0, spare / 2), right + Math.max(0, spare / 2));
    }
  }

  @Override
  protected void clear() {
    super.clear();
    callers.clear();
    callees.clear();
    history.clear();
    whole = null;
    entry = 0;
  }

  @Override
  protected void procedureSelected(Selection selection) {
    if (whole == null || going) {
      return;
    }
    Procedure procedure = selection.procedure();
    table().table().rows().stream().filter(row -> row.subject() == procedure && procedure != null)
        .findFirst().ifPresent(row -> go(index(row, table())));
  }

  private static boolean isEntry(Row row, Table table) {
    Object role = row.values().get(table.column("role"));
    return role.equals(GprofReport.SELF) || role.equals(GprofReport.CYCLE);
  }

  /** Some rows and columns of the table. */
  private static Table part(Table table, Predicate<Row> which, List<String> keys) {
    List<Integer> columns = keys.stream().map(table::column)
        .filter(column -> !MAY_LACK.contains(table.columns().get(column).key())
            || table.rows().stream().anyMatch(row -> !row.values().get(column).equals(0L)))
        .toList();
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), 0, -1, columns.stream().map(table.columns()::get).toList(),
        table.rows().stream().filter(which).map(row -> new Row(row.name(), row.subject(), null,
            columns.stream().map(row.values()::get).toList())).toList(), List.of());
  }

  /** The index of the entry of what a row is about; 0 for what has none. */
  private static long index(Row row, ResultTable of) {
    return number(row, of.table(), "index");
  }

  private static long number(Row row, Table table, String key) {
    return (Long) row.values().get(table.column(key));
  }

  private void follow(ResultTable from) {
    if (from.selection().size() == 1) {
      go(index(from.selection().get(0), from));
    }
  }

  /** Goes to an entry, so that one can go back. */
  void go(long index) {
    if (index > 0 && index != entry) {
      history.leave(entry, index);
      showEntry(index);
      updateNavigation();
    }
  }

  private void showEntry(long index) {
    entry = index;
    Row self = whole.rows().stream().filter(row -> isEntry(row, whole)
        && number(row, whole, "entry") == index).findFirst().orElse(null);
    callers.show(part(whole, row -> isOf(row, GprofReport.PARENT), OF_ARCS));
    callees.show(part(whole, row -> isOf(row, GprofReport.CHILD)
        || isOf(row, GprofReport.MEMBER), OF_ARCS));
    heading.setText(self == null ? "" : self.name().replace("&", "&&"));
    heading.setToolTipText(self == null ? null : self.name());
    numbers.setText(self == null ? "" : text(self, whole));
    numbers.getParent().layout();
    if (self != null) {
      going = true;
      try {
        table().table().rows().stream().filter(row -> index(row, table()) == index).findFirst()
            .ifPresent(table()::select);
        selectProcedure(self.subject() instanceof Procedure procedure ? procedure : null);
      } finally {
        going = false;
      }
    }
  }

  private boolean isOf(Row row, String role) {
    return number(row, whole, "entry") == entry
        && row.values().get(whole.column("role")).equals(role);
  }

  private static String text(Row row, Table table) {
    CellText text = new CellText(table);
    return NLS.bind(Messages.entryNumbers, new Object[] {
        text.cellWithUnit(row, table.column("percent")), text.cellWithUnit(row, table.column("self")),
        text.cellWithUnit(row, table.column("descendants")), text.cell(row, table.column("called"))});
  }

  Combo weightChoice() {
    return weights;
  }

  ResultTable callers() {
    return callers;
  }

  ResultTable callees() {
    return callees;
  }

  String heading() {
    return heading.getText();
  }

  Action backAction() {
    return back;
  }

  Action forwardAction() {
    return forward;
  }
}
