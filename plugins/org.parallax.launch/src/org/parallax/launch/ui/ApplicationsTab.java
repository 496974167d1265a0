package org.parallax.launch.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchConfigurationWorkingCopy;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.layout.TableColumnLayout;
import org.eclipse.jface.viewers.ArrayContentProvider;
import org.eclipse.jface.viewers.ColumnLabelProvider;
import org.eclipse.jface.viewers.ColumnWeightData;
import org.eclipse.jface.viewers.TableViewer;
import org.eclipse.jface.viewers.TableViewerColumn;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.parallax.model.RunMode;
import org.parallax.record.ApplicationSettings;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.record.Problem;
import org.parallax.ui.platform.Texts;

/** The applications of a launch: a table of all, and the fields of the selected one. */
public final class ApplicationsTab extends ParallelTab {
  private static final int LINES = 4;

  private final List<ApplicationSettings> applications = new ArrayList<>();
  private final LaunchCheckJob check = new LaunchCheckJob(this::checked);
  private TableViewer table;
  private ApplicationFields fields;
  private Button remove;
  private Button up;
  private Button down;
  private Map<String, Object> checkedAttributes = Map.of();
  private List<Problem> problems = List.of();

  public ApplicationsTab() {
    super(Messages.applicationsTab, "applications");
  }

  @Override
  void createFields(Form form) {
    Composite top = new Composite(form.composite(), SWT.NONE);
    GridLayoutFactory.fillDefaults().applyTo(top);
    GridDataFactory.fillDefaults().grab(true, false).span(3, 1).applyTo(top);
    createTable(top);
    Composite buttons = new Composite(top, SWT.NONE);
    GridLayoutFactory.fillDefaults().numColumns(5).equalWidth(true).applyTo(buttons);
    GridDataFactory.fillDefaults().align(SWT.END, SWT.BEGINNING).applyTo(buttons);
    button(buttons, Messages.add, this::add);
    button(buttons, Messages.duplicate, this::duplicate);
    remove = button(buttons, Messages.remove, this::remove);
    up = button(buttons, Messages.up, () -> move(-1));
    down = button(buttons, Messages.down, () -> move(1));
    fields = new ApplicationFields(form, this::edited);
  }

  private void createTable(Composite parent) {
    Composite area = new Composite(parent, SWT.NONE);
    TableColumnLayout layout = new TableColumnLayout();
    area.setLayout(layout);
    table = new TableViewer(area, SWT.BORDER | SWT.FULL_SELECTION | SWT.SINGLE);
    table.getTable().setHeaderVisible(true);
    table.getTable().getAccessible().addAccessibleListener(
        new org.eclipse.swt.accessibility.AccessibleAdapter() {
          @Override
          public void getName(org.eclipse.swt.accessibility.AccessibleEvent event) {
            if (event.childID == org.eclipse.swt.accessibility.ACC.CHILDID_SELF) {
              event.result = Messages.applicationsTab;
            }
          }
        });
    table.setContentProvider(ArrayContentProvider.getInstance());
    column(layout, Messages.nameColumn, 20, index -> applications.get(index).name());
    column(layout, Messages.modeColumn, 14, index -> modeName(applications.get(index).mode()));
    column(layout, Messages.whatColumn, 44, index -> what(applications.get(index)));
    column(layout, Messages.processesColumn, 12, index -> processes(applications.get(index)));
    column(layout, Messages.hostsColumn, 14, index -> applications.get(index).get(Field.HOSTS));
    GridDataFactory.fillDefaults().grab(true, false).hint(Form.letters(area, 70),
        table.getTable().getItemHeight() * LINES + table.getTable().getHeaderHeight() + 4)
        .applyTo(area);
    table.addSelectionChangedListener(event -> show());
  }

  private interface Cell {
    String text(int index);
  }

  /** Rows are numbers of applications, so that a row stays selected when it is edited. */
  private void column(TableColumnLayout layout, String title, int weight, Cell cell) {
    TableViewerColumn column = new TableViewerColumn(table, SWT.LEFT);
    column.getColumn().setText(title);
    layout.setColumnData(column.getColumn(), new ColumnWeightData(weight));
    column.setLabelProvider(new ColumnLabelProvider() {
      @Override
      public String getText(Object element) {
        int index = (Integer) element;
        return index < applications.size() ? cell.text(index) : "";
      }
    });
  }

  static String modeName(RunMode mode) {
    return mode == null ? "?" : mode == RunMode.ACTIVE ? Messages.modeActive
        : mode == RunMode.REPLAY ? Messages.modeReplay : Messages.modeComparison;
  }

  private static String what(ApplicationSettings application) {
    return application.mode() == RunMode.ACTIVE
        ? (application.get(Field.PROGRAM) + " " + application.get(Field.ARGUMENTS)).strip()
        : application.get(Field.TRACE);
  }

  private static String processes(ApplicationSettings application) {
    return application.get(Field.LAUNCHER).isEmpty() || application.mode() != RunMode.ACTIVE ? ""
        : application.get(Field.PROCESSES).isEmpty() ? "1" : application.get(Field.PROCESSES);
  }

  private static Button button(Composite parent, String text, Runnable action) {
    Button button = new Button(parent, SWT.PUSH);
    button.setText(text);
    GridDataFactory.fillDefaults().align(SWT.FILL, SWT.CENTER).applyTo(button);
    button.addListener(SWT.Selection, event -> action.run());
    return button;
  }

  private int selected() {
    return table.getTable().getSelectionIndex();
  }

  private void add() {
    applications.add(ApplicationSettings.EMPTY);
    refresh(applications.size() - 1);
    fields.focus();
    changed();
  }

  private void duplicate() {
    if (selected() >= 0) {
      applications.add(selected() + 1, applications.get(selected()));
      refresh(selected() + 1);
      changed();
    }
  }

  private void remove() {
    int index = selected();
    applications.remove(index);
    refresh(Math.min(index, applications.size() - 1));
    changed();
  }

  private void move(int by) {
    int index = selected();
    applications.add(index + by, applications.remove(index));
    refresh(index + by);
    changed();
  }

  /** Shows all rows anew, with this one selected. */
  private void refresh(int index) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < applications.size(); i++) {
      rows.add(i);
    }
    table.setInput(rows);
    if (index >= 0 && index < applications.size()) {
      table.getTable().select(index);
    }
    show();
  }

  private void show() {
    int index = selected();
    fields.show(index < 0 ? null : applications.get(index));
    remove.setEnabled(index >= 0);
    up.setEnabled(index > 0);
    down.setEnabled(index >= 0 && index < applications.size() - 1);
  }

  private void edited(ApplicationSettings settings) {
    int index = selected();
    if (index >= 0 && !settings.equals(applications.get(index))) {
      applications.set(index, settings);
      table.update(index, null);
      changed();
    }
  }

  @Override
  public void setDefaults(ILaunchConfigurationWorkingCopy configuration) {
    ApplicationSettings.write(List.of(ApplicationSettings.EMPTY))
        .forEach(configuration::setAttribute);
  }

  @Override
  void fill(Map<String, String> attributes) {
    List<ApplicationSettings> read = ApplicationSettings.read(attributes);
    int before = selected();
    if (!read.equals(applications) || table.getInput() == null) {
      applications.clear();
      applications.addAll(read);
      refresh(Math.max(0, Math.min(before, applications.size() - 1)));
    }
  }

  @Override
  Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    // Attributes of applications that were removed go, too.
    for (int number = 1; number <= applications.size() + 10; number++) {
      for (Field field : Field.values()) {
        values.put(field.of(number), "");
      }
    }
    values.putAll(ApplicationSettings.write(applications));
    return values;
  }

  @Override
  public boolean isValid(ILaunchConfiguration configuration) {
    setWarningMessage(null);
    String problem = plainProblem();
    if (problem == null) {
      problem = checkedProblem(configuration);
    }
    setErrorMessage(problem);
    return problem == null;
  }

  /** What can be told without looking at files. */
  private String plainProblem() {
    if (applications.isEmpty()) {
      return Messages.noApplication;
    }
    for (ApplicationSettings each : applications) {
      boolean isActive = each.mode() == RunMode.ACTIVE;
      if (isActive && each.get(Field.PROGRAM).isBlank()) {
        return Messages.noProgram;
      }
      if (!isActive && each.get(Field.TRACE).isBlank()) {
        return Messages.noTrace;
      }
      if (!each.get(Field.LAUNCHER).isBlank()
          && !each.get(Field.PROCESSES).strip().matches("|\\$\\{.*|[1-9]\\d{0,5}")) {
        return Messages.processesWrong;
      }
    }
    return null;
  }

  /** What was found by looking, for these attributes; they are looked at in the background. */
  private String checkedProblem(ILaunchConfiguration configuration) {
    try {
      Map<String, Object> attributes = configuration.getAttributes();
      if (!attributes.equals(checkedAttributes)) {
        check.look(configuration, attributes);
        return null;
      }
    } catch (org.eclipse.core.runtime.CoreException e) {
      return e.getStatus().getMessage();
    }
    if (problems.isEmpty()) {
      return null;
    }
    String first = Texts.sentence(problems.get(0).text()) + ".";
    if (problems.get(0).isError()) {
      return first;
    }
    setWarningMessage(first);
    return null;
  }

  /** On the UI thread, when files have been looked at. */
  private void checked(Map<String, Object> attributes, List<Problem> found) {
    if (table.getTable().isDisposed()) {
      return;
    }
    checkedAttributes = attributes;
    problems = found;
    if (getLaunchConfigurationDialog() != null) {
      super.changed();
    }
  }

  @Override
  public void dispose() {
    check.cancel();
    super.dispose();
  }
}
