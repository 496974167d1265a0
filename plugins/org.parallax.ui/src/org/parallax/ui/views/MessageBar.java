package org.parallax.ui.views;

import java.util.List;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.osgi.util.NLS;
import org.parallax.ui.Messages;

/** A line of a view that is there only while there is something to tell, such as warnings. */
final class MessageBar extends Composite {
  private final Label icon;
  private final Label text;

  /** The parent has a grid layout of one column. */
  MessageBar(Composite parent) {
    super(parent, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(this);
    GridLayoutFactory.fillDefaults().numColumns(2).margins(5, 4).spacing(5, 0).applyTo(this);
    setVisible(false);
    icon = new Label(this, SWT.NONE);
    GridDataFactory.swtDefaults().align(SWT.BEGINNING, SWT.BEGINNING).applyTo(icon);
    text = new Label(this, SWT.WRAP);
    GridDataFactory.fillDefaults().grab(true, false).hint(100, SWT.DEFAULT).applyTo(text);
  }

  /** Shows the first message and how many more there are; all of them in the tool tip. */
  void show(Image image, List<String> messages) {
    boolean visible = !messages.isEmpty();
    if (visible) {
      icon.setImage(image);
      text.setText(messages.size() == 1 ? messages.get(0)
          : NLS.bind(Messages.messageAndMore, messages.get(0), messages.size() - 1));
      String all = String.join("\n", messages);
      text.setToolTipText(all);
      icon.setToolTipText(all);
    }
    ((GridData) getLayoutData()).exclude = !visible;
    setVisible(visible);
    getParent().layout(true, true);
  }

  /** What is shown, empty when there is nothing. */
  String message() {
    return getVisible() ? text.getText() : "";
  }
}
