package org.parallax.source;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.dialogs.PopupDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.handlers.HandlerUtil;

/** Shows what the ruler tells of the caret's line, for who uses the keyboard. */
public final class ShowLineProfileHandler extends AbstractHandler {
  @Override
  public Object execute(ExecutionEvent event) {
    EditorLine place = EditorLine.of(event);
    if (place == null) {
      return null;
    }
    EditorNumbers numbers = EditorNumbers.of(place.editor());
    String text = numbers == null ? "" : numbers.text(place.line());
    if (text.isEmpty()) {
      place.tell(numbers == null ? Messages.noNumbers : numbers.reason(place.line()));
      return null;
    }
    new Popup(HandlerUtil.getActiveShell(event),
        NLS.bind(Messages.profileOfLine, place.line() + 1), text).open();
    return null;
  }

  /** A text that goes with Escape, or with a click elsewhere. */
  private static final class Popup extends PopupDialog {
    private final String text;

    Popup(Shell parent, String title, String text) {
      super(parent, INFOPOPUPRESIZE_SHELLSTYLE, true, false, false, false, false, title, null);
      this.text = text;
    }

    @Override
    protected Control createDialogArea(Composite parent) {
      Composite area = (Composite) super.createDialogArea(parent);
      Text shown = new Text(area, SWT.MULTI | SWT.READ_ONLY | SWT.WRAP);
      shown.setText(text);
      return area;
    }
  }
}
