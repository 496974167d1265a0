package org.parallax.ui.views;

import java.util.function.Supplier;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.session.Equivalents;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;

/** Keeps a view at the selection of the moment in which it was pinned. */
final class PinAction extends Action {
  private final Supplier<Selection> current;
  private final Runnable changed;
  private Selection pinned;

  /**
   * @param current the selection to keep
   * @param changed told when the view shows another selection from now on
   */
  PinAction(Supplier<Selection> current, Runnable changed) {
    super(Messages.pin, IAction.AS_CHECK_BOX);
    this.current = current;
    this.changed = changed;
    setImageDescriptor(Icons.descriptor("pin"));
    setToolTipText(Messages.pinTip);
  }

  /** The selection that is kept, null while the view follows the session's. */
  Selection pinned() {
    return pinned;
  }

  @Override
  public void run() {
    pinned = isChecked() ? current.get() : null;
    if (pinned == null) {
      changed.run();
    }
  }

  /** The traces were read again: keeps what the selection means in them. */
  void update(SessionState now) {
    if (pinned != null) {
      pinned = Equivalents.of(pinned, now.trees());
    }
  }

  /** Lets go of a selection that is of trees that are no longer there. */
  void forgetUnless(SessionState now) {
    if (pinned != null && (pinned.nodes().isEmpty() || !now.holds(pinned.nodes()))) {
      pinned = null;
      setChecked(false);
    }
  }
}
