package org.parallax.launch.ui;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.parallax.launch.ParallelLaunchDelegate;
import org.parallax.record.RecordException;
import org.parallax.record.RunningProgram;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiThread;

/**
 * The processes of this machine with a filter: those that can be recorded first, the newest at the top. The others are
 * grey, and their reasons are told. The list is read by a job.
 */
final class ProcessList extends Composite {
  /** A column: its text, and the order of its rows. */
  private record Column(String name, int letters, boolean isNumber,
      Function<RunningProgram, String> text, Comparator<RunningProgram> order) {
    static Column text(String name, int letters, Function<RunningProgram, String> text) {
      return new Column(name, letters, false, text,
          Comparator.comparing(text, String.CASE_INSENSITIVE_ORDER));
    }

    static Column number(String name, int letters, Function<RunningProgram, String> text,
        Function<RunningProgram, Long> value) {
      return new Column(name, letters, true, text, Comparator.comparing(value));
    }
  }

  private static final List<Column> COLUMNS = List.of(
      Column.number(Messages.attachPid, 10, each -> Long.toString(each.pid()), RunningProgram::pid),
      Column.text(Messages.attachName, 18, RunningProgram::name),
      Column.text(Messages.attachCommand, 38, RunningProgram::command),
      Column.text(Messages.attachUser, 10, RunningProgram::user),
      Column.number(Messages.attachThreads, 11, each -> Integer.toString(each.threads()),
          each -> (long) each.threads()),
      Column.text(Messages.attachPart, 14, RunningProgram::part),
      Column.number(Messages.attachAge, 10, each -> age(each.ageMs()), RunningProgram::ageMs));

  private final Runnable changed;
  private final Text filter;
  private final Table table;
  private final Label count;
  private List<RunningProgram> all = List.of();
  private Column sorted = COLUMNS.get(COLUMNS.size() - 1);
  private boolean isReversed;
  private String failure;

  /**
   * @param wanted the text of the filter at first
   * @param changed is told of another selection, and of another list
   */
  ProcessList(Composite parent, String wanted, Runnable changed) {
    super(parent, SWT.NONE);
    this.changed = changed;
    GridLayoutFactory.fillDefaults().applyTo(this);
    filter = new Text(this, SWT.SEARCH | SWT.ICON_SEARCH | SWT.ICON_CANCEL);
    filter.setMessage(Messages.attachFilter);
    filter.setToolTipText(Messages.attachFilterTip);
    filter.setText(wanted);
    named(filter, Messages.attachFilter);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(filter);
    filter.addListener(SWT.Modify, event -> fill());
    table = new Table(this, SWT.BORDER | SWT.MULTI | SWT.FULL_SELECTION);
    table.setHeaderVisible(true);
    named(table, Messages.attachProcesses);
    GridDataFactory.fillDefaults().grab(true, true)
        .hint(SWT.DEFAULT, table.getItemHeight() * 12).applyTo(table);
    for (Column each : COLUMNS) {
      TableColumn column = new TableColumn(table, each.isNumber() ? SWT.RIGHT : SWT.LEFT);
      column.setText(each.name());
      column.setWidth(Form.letters(table, each.letters()));
      column.addListener(SWT.Selection, event -> sort(each));
    }
    table.addListener(SWT.Selection, event -> changed.run());
    count = new Label(this, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(count);
    refresh();
  }

  private static void named(org.eclipse.swt.widgets.Control control, String name) {
    control.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = name;
      }
    });
  }

  private static String age(long ms) {
    long seconds = ms / 1000;
    return seconds < 60 ? seconds + " s" : seconds < 3600 ? seconds / 60 + " min"
        : seconds < 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  /** Reads the list again; returns at once. */
  void refresh() {
    count.setText(Messages.attachReading);
    Job.createSystem(Messages.attachReading, (ICoreRunnable) monitor -> {
      List<RunningProgram> found = List.of();
      String problem = null;
      try {
        found = RunningProgram.list(ParallelLaunchDelegate.agent());
      } catch (RecordException e) {
        problem = Texts.sentence(e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      List<RunningProgram> listed = found;
      String told = problem;
      UiThread.later(() -> {
        if (!isDisposed()) {
          all = listed;
          failure = told;
          fill();
        }
      });
    }).schedule();
  }

  /** Why there is no list; null if there is one. */
  String failure() {
    return failure;
  }

  private void sort(Column by) {
    isReversed = by == sorted && !isReversed;
    sorted = by;
    table.setSortColumn(table.getColumn(COLUMNS.indexOf(by)));
    table.setSortDirection(isReversed ? SWT.DOWN : SWT.UP);
    fill();
  }

  private void fill() {
    Set<Long> before = pids(selection());
    List<RunningProgram> shown = new ArrayList<>(all.stream().filter(this::isWanted).toList());
    shown.sort(Comparator.comparing((RunningProgram each) -> !each.isPossible())
        .thenComparing(isReversed ? sorted.order().reversed() : sorted.order()));
    table.setRedraw(false);
    try {
      table.removeAll();
      for (RunningProgram each : shown) {
        TableItem item = new TableItem(table, SWT.NONE);
        item.setData(each);
        item.setText(COLUMNS.stream().map(column -> column.text().apply(each)).toArray(String[]::new));
        if (!each.isPossible()) {
          item.setForeground(getDisplay().getSystemColor(SWT.COLOR_WIDGET_DISABLED_FOREGROUND));
        }
      }
    } finally {
      table.setRedraw(true);
    }
    select(before);
    count.setText(NLS.bind(Messages.attachCount, new Object[] {
        shown.stream().filter(RunningProgram::isPossible).count(), shown.size(), all.size()}));
  }

  /** All words of the filter are in its columns, or in the reason why it cannot be recorded. */
  private boolean isWanted(RunningProgram program) {
    String text = (COLUMNS.stream().map(column -> column.text().apply(program))
        .collect(Collectors.joining(" ")) + " " + program.problem()).toLowerCase(Locale.ROOT);
    return Arrays.stream(filter.getText().toLowerCase(Locale.ROOT).split("\\s+"))
        .allMatch(text::contains);
  }

  private static Set<Long> pids(List<RunningProgram> programs) {
    return programs.stream().map(RunningProgram::pid).collect(Collectors.toSet());
  }

  /** What is selected, also what cannot be recorded. */
  List<RunningProgram> selection() {
    return Arrays.stream(table.getSelection()).map(item -> (RunningProgram) item.getData()).toList();
  }

  /** Whether more belongs to what is selected than is selected. */
  boolean hasTogether() {
    Set<Long> more = pids(RunningProgram.together(selection(), all));
    return !more.isEmpty() && !more.equals(pids(selection()));
  }

  /** Selects what belongs to what is selected: children, and ranks of the same program. */
  void selectTogether() {
    Set<Long> wanted = pids(RunningProgram.together(selection(), all));
    filter.setText("");
    select(wanted);
  }

  private void select(Set<Long> pids) {
    Set<TableItem> items = new HashSet<>();
    for (TableItem item : table.getItems()) {
      if (pids.contains(((RunningProgram) item.getData()).pid())) {
        items.add(item);
      }
    }
    table.setSelection(items.toArray(TableItem[]::new));
    table.showSelection();
    changed.run();
  }
}
