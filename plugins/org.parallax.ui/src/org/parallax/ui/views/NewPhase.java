package org.parallax.ui.views;

import java.util.List;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.widgets.Shell;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.Window;
import org.parallax.ui.charts.TimeLabel;
import org.parallax.ui.session.OpenSession;

/** Asks for the name of a phase of a part of the time, and makes it the selected one. */
public final class NewPhase {
  private NewPhase() {
  }

  /** Selects a part of the time in all views at once, without keeping it. */
  public static void select(Window window) {
    OpenSession.current().setPhase(
        new Phase(TimeLabel.range(window.beginNs(), window.endNs()), window));
  }

  /** Asks for the name of the selected part of the time if it is not kept, else of another part. */
  public static boolean keep(Shell shell, Window other) {
    Phase selected = OpenSession.current().state().selection().phase();
    boolean isKept =
        selected == null || OpenSession.current().state().phases().contains(selected);
    return ask(shell, isKept ? other : selected.window());
  }

  /** @return false if the person does not want it */
  public static boolean ask(Shell shell, Window window) {
    OpenSession session = OpenSession.current();
    List<String> names = session.state().phases().stream().map(Phase::name).toList();
    int number = 1;
    while (names.contains(NLS.bind(Messages.phaseName, number))) {
      number++;
    }
    InputDialog dialog = new InputDialog(shell, Messages.phaseTitle,
        NLS.bind(Messages.phaseQuestion, TimeLabel.range(window.beginNs(), window.endNs())),
        NLS.bind(Messages.phaseName, number),
        name -> name.isBlank() ? Messages.phaseNameMissing
            : names.contains(name.trim()) ? NLS.bind(Messages.phaseNameTaken, name.trim())
            : null);
    if (dialog.open() != org.eclipse.jface.window.Window.OK) {
      return false;
    }
    Phase phase = new Phase(dialog.getValue().trim(), window);
    session.definePhase(phase);
    session.setPhase(phase);
    return true;
  }
}
