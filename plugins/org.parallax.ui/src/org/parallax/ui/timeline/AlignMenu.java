package org.parallax.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.dialogs.IInputValidator;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.window.Window;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.widgets.Shell;
import org.parallax.analysis.compare.Alignment;
import org.parallax.analysis.text.Moment;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.RunAlignment;
import org.parallax.ui.widgets.RunAction;

/** Lets a person choose which moments of the runs below each other are the same one, and shift single runs. */
final class AlignMenu {
  private final Supplier<Shell> shell;
  private AlignedRuns runs;

  AlignMenu(Supplier<Shell> shell) {
    this.shell = shell;
  }

  /** @param shown null for nothing */
  void setRuns(AlignedRuns shown) {
    runs = shown;
  }

  /** Adds the choices to a menu; they are made anew whenever it opens. */
  void fill(IMenuManager menu) {
    MenuManager align = new MenuManager(Messages.align);
    align.setRemoveAllWhenShown(true);
    align.addMenuListener(opened -> choices().forEach(each -> {
      if (each == null) {
        opened.add(new Separator());
      } else {
        opened.add(each);
      }
    }));
    align.add(new Separator());
    menu.add(align);
  }

  /** What can be chosen now; null stands for a line between. */
  List<Action> choices() {
    List<Action> all = new ArrayList<>();
    Alignment now = alignment().kind();
    all.add(choice(Messages.alignTime, Alignment.TIME, now));
    all.add(choice(Messages.alignStart, Alignment.START, now));
    boolean several = runs != null && runs.runs().size() > 1;
    for (String phase : several ? runs.phases() : List.<String>of()) {
      int occurrence = now.phase().equals(phase) ? now.occurrence() : 1;
      all.add(choice(NLS.bind(Messages.alignPhase, phase, occurrence),
          Alignment.of(phase, occurrence), now));
    }
    all.add(null);
    all.add(action(Messages.alignOccurrence, now.by() == Alignment.By.PHASE, this::askOccurrence));
    all.add(action(Messages.alignShift, several, this::askShift));
    all.add(action(Messages.alignReset, !alignment().shiftsNs().isEmpty(),
        () -> OpenSession.current().align(alignment().reset())));
    return all;
  }

  private static RunAlignment alignment() {
    return OpenSession.current().state().alignment();
  }

  private static Action choice(String text, Alignment kind, Alignment now) {
    Action action = new Action(text.replace("&", "&&"), IAction.AS_RADIO_BUTTON) {
      @Override
      public void run() {
        OpenSession.current().align(alignment().with(kind));
      }
    };
    action.setChecked(kind.equals(now));
    return action;
  }

  private static Action action(String text, boolean isEnabled, Runnable code) {
    Action action = new RunAction(text, code);
    action.setEnabled(isEnabled);
    return action;
  }

  private String ask(String title, String question, String text, IInputValidator validator) {
    InputDialog dialog = new InputDialog(shell.get(), title, question, text, validator);
    return dialog.open() == Window.OK ? dialog.getValue().strip() : null;
  }

  private void askOccurrence() {
    Alignment now = alignment().kind();
    String number = ask(Messages.alignOccurrenceTitle,
        NLS.bind(Messages.alignOccurrenceQuestion, now.phase()), Integer.toString(now.occurrence()),
        text -> text.strip().matches("[1-9]\\d{0,8}") ? null : Messages.alignOccurrenceWrong);
    if (number != null) {
      OpenSession.current().align(
          alignment().with(Alignment.of(now.phase(), Integer.parseInt(number))));
    }
  }

  private void askShift() {
    Trace trace = runs.selected().analysis().application().getTrace();
    String shift = ask(Messages.alignShiftTitle,
        NLS.bind(Messages.alignShiftQuestion, runs.selected().name()), "", text -> {
          try {
            Moment.signed(text.strip());
            return null;
          } catch (Moment.NoMoment e) {
            return text.isBlank() ? "" : Texts.sentence(e.getMessage());
          }
        });
    if (shift != null) {
      OpenSession.current().align(
          alignment().shifted(trace, Moment.signed(shift) - alignment().shiftNs(trace)));
    }
  }

  /** What stands above the lanes of a run: its name, and where its time 0 is; empty for a run alone. */
  static String heading(TimelineRun run, AlignedRuns runs) {
    if (runs.runs().size() == 1) {
      return "";
    }
    RunAlignment now = alignment();
    Alignment kind = now.kind();
    String origin = switch (kind.by()) {
      case TIME -> Messages.originTime;
      case START -> Messages.originStart;
      case PHASE -> NLS.bind(run.origin().isFound() ? Messages.originPhase : Messages.originNoPhase,
          kind.phase(), kind.occurrence());
    };
    long shiftNs = now.shiftNs(run.analysis().application().getTrace());
    return NLS.bind(Messages.heading, run.name(), origin)
        + (shiftNs == 0 ? "" : NLS.bind(Messages.headingShift, (shiftNs > 0 ? "+" : "")
            + TimeAxis.length(shiftNs)))
        + (run == runs.baseRun() ? Messages.headingBase : "");
  }
}
