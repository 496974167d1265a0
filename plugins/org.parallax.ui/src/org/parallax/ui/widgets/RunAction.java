package org.parallax.ui.widgets;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.resource.ImageDescriptor;

/** An action of a tool bar or menu that runs a piece of code. */
public final class RunAction extends Action {
  private final Runnable code;

  public RunAction(String text, Runnable code) {
    this(text, null, code);
  }

  /** @param icon null for none */
  public RunAction(String text, ImageDescriptor icon, Runnable code) {
    this(text, icon, IAction.AS_PUSH_BUTTON, code);
  }

  /** @param style as of {@link IAction#AS_CHECK_BOX} */
  public RunAction(String text, ImageDescriptor icon, int style, Runnable code) {
    super(text, style);
    this.code = code;
    setImageDescriptor(icon);
  }

  @Override
  public void run() {
    code.run();
  }
}
