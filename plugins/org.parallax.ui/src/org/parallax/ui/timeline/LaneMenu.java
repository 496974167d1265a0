package org.parallax.ui.timeline;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Shell;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.model.program.Procedure;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.widgets.RunAction;

/** Lets a person choose which lanes there are, how they stand, and how high they are. */
final class LaneMenu {
  private final Supplier<Shell> shell;
  private final Runnable changed;
  private final Consumer<LaneHeight> height;
  private final Action fit;
  private LaneArrangement arrangement = LaneArrangement.PLAIN;
  /** The keys of the groups that are shown. */
  private List<String> groups = List.of();
  /** The name of the procedure that is selected, or null. */
  private String procedure;

  /**
   * @param changed is run when lanes are to be arranged in another way
   * @param height is told how high lanes are to be
   */
  LaneMenu(Supplier<Shell> shell, Runnable changed, Consumer<LaneHeight> height) {
    this.shell = shell;
    this.changed = changed;
    this.height = height;
    fit = new RunAction(Messages.laneFit, Icons.descriptor("fit_lanes"),
        () -> height.accept(LaneHeight.FIT));
    fit.setToolTipText(Messages.laneFitTip);
  }

  LaneArrangement arrangement() {
    return arrangement;
  }

  /** Shows all lanes at once. */
  Action fit() {
    return fit;
  }

  /**
   * Keeps nothing of the trace.
   *
   * @param looked the procedure that is selected, or null
   */
  void setShown(Lanes lanes, Procedure looked) {
    groups = lanes.groups();
    procedure = looked == null ? null : looked.getName();
  }

  void arrange(LaneArrangement wanted) {
    if (!wanted.equals(arrangement)) {
      arrangement = wanted;
      changed.run();
    }
  }

  /** Folds a group that is unfolded, and the other way round. */
  void turn(String group) {
    arrange(arrangement.turned(group));
  }

  /** Adds the choices to a menu; they are made anew whenever it opens. */
  void fill(IMenuManager menu) {
    menu.add(submenu(Messages.laneGroup, this::fillGrouping));
    menu.add(submenu(Messages.laneSort, this::fillSorting));
    menu.add(new RunAction(Messages.laneFilter, this::askFilter));
    menu.add(new RunAction(Messages.laneFoldAll, this::foldAll));
    menu.add(new RunAction(Messages.laneUnfoldAll,
        () -> arrange(arrangement.withFolded(Set.of()))));
    menu.add(fit);
    menu.add(new RunAction(Messages.laneReadable, () -> height.accept(LaneHeight.READABLE)));
    menu.add(new Separator());
  }

  private static MenuManager submenu(String text, Consumer<IMenuManager> filler) {
    MenuManager menu = new MenuManager(text);
    menu.setRemoveAllWhenShown(true);
    menu.addMenuListener(filler::accept);
    menu.add(new Separator());
    return menu;
  }

  private void fillGrouping(IMenuManager menu) {
    for (LaneArrangement.Grouping each : LaneArrangement.Grouping.values()) {
      menu.add(choice(label(each), arrangement.with(each), each == arrangement.grouping()));
    }
  }

  private static String label(LaneArrangement.Grouping grouping) {
    return switch (grouping) {
      case PROCESS -> Messages.laneGroupProcess;
      case MACHINE -> Messages.laneGroupMachine;
      case ROLE -> Messages.laneGroupRole;
      case NONE -> Messages.laneGroupNone;
    };
  }

  private void fillSorting(IMenuManager menu) {
    LaneArrangement.Order now = arrangement.order();
    menu.add(order(Messages.laneRecorded, LaneArrangement.Order.RECORDED));
    menu.add(order(Messages.laneName, LaneArrangement.Order.NAMES));
    if (procedure != null) {
      menu.add(sort(LaneMetric.timeIn(procedure)));
    }
    if (now.metric() != null && now.metric().procedure() != null
        && (procedure == null || !procedure.equals(now.metric().procedure()))) {
      menu.add(sort(now.metric()));
    }
    menu.add(new Separator());
    Arrays.stream(ThreadMetric.values()).map(LaneMetric::of).forEach(each -> menu.add(sort(each)));
    menu.add(new Separator());
    Action lowest = new RunAction(Messages.laneLowestFirst, null, IAction.AS_CHECK_BOX,
        () -> arrange(arrangement.with(new LaneArrangement.Order(
            now.byName(), now.metric(), !now.lowestFirst()))));
    lowest.setChecked(now.lowestFirst());
    lowest.setEnabled(now.metric() != null);
    menu.add(lowest);
  }

  private Action sort(LaneMetric metric) {
    return order(metric.label(),
        new LaneArrangement.Order(false, metric, arrangement.order().lowestFirst()));
  }

  private Action order(String text, LaneArrangement.Order order) {
    return choice(text, arrangement.with(order), order.equals(arrangement.order()));
  }

  private Action choice(String text, LaneArrangement wanted, boolean isNow) {
    Action action = new Action(text.replace("&", "&&"), IAction.AS_RADIO_BUTTON) {
      @Override
      public void run() {
        if (isChecked()) {
          arrange(wanted);
        }
      }
    };
    action.setChecked(isNow);
    return action;
  }

  /** Folds the groups of all lanes that are shown. */
  private void foldAll() {
    Set<String> all = new HashSet<>(arrangement.folded());
    all.addAll(groups);
    arrange(arrangement.withFolded(all));
  }

  private void askFilter() {
    LaneFilterDialog dialog =
        new LaneFilterDialog(shell.get(), arrangement.filter(), procedure);
    if (dialog.open() == Window.OK) {
      arrange(arrangement.with(dialog.filter()));
    }
  }
}
