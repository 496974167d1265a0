package org.parallax.ui.widgets;

import java.util.List;
import java.util.function.Function;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;

/**
 * A part of a view that is there only while there is something to tell, such as warnings. It shows a
 * summary; the messages themselves are in the tool tip and in a dialog.
 */
public final class MessageBar extends Composite {
  private static final int SUMMARY_CHARACTERS = 160;

  private final Function<List<String>, String> summary;
  private final Label icon;
  private final Link text;
  private List<String> messages = List.of();
  private String subject = "";

  /**
   * @param parent has a grid layout of one column
   * @param summary makes a text of the messages; a link in it shows them all
   */
  public MessageBar(Composite parent, Function<List<String>, String> summary) {
    super(parent, SWT.NONE);
    this.summary = summary;
    GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(this);
    GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 4).spacing(5, 0).applyTo(this);
    setVisible(false);
    icon = new Label(this, SWT.NONE);
    GridDataFactory.swtDefaults().align(SWT.BEGINNING, SWT.BEGINNING).applyTo(icon);
    text = new Link(this, SWT.WRAP);
    GridDataFactory.fillDefaults().grab(true, false).hint(100, SWT.DEFAULT).applyTo(text);
    text.addListener(SWT.Selection, event -> MessageDialog.openInformation(getShell(),
        Messages.warningsTitle, details()));
  }

  /** Says in the dialog what the messages are about, such as the name of a trace. */
  public void setSubject(String about) {
    subject = about;
  }

  /** What the dialog tells. */
  public String details() {
    return (subject.isEmpty() ? "" : subject + ":\n\n") + String.join("\n\n", messages);
  }

  /** The first message, shortened, and how many more there are. */
  public static String summary(List<String> messages) {
    String first = messages.get(0);
    boolean whole = first.length() <= SUMMARY_CHARACTERS;
    String shown = MessagePage.escape(
        whole ? first : first.substring(0, SUMMARY_CHARACTERS).stripTrailing() + "\u2026");
    return messages.size() > 1 ? NLS.bind(Messages.messageAndMore, shown, messages.size() - 1)
        : whole ? shown : NLS.bind(Messages.messageAll, shown);
  }

  /** Shows messages, or nothing when there are none. */
  public void show(Image image, List<String> told) {
    boolean visible = !told.isEmpty();
    if (told.equals(messages) && (!visible || icon.getImage() == image)) {
      return;
    }
    messages = List.copyOf(told);
    if (visible) {
      icon.setImage(image);
      text.setText(summary.apply(messages));
      String all = String.join("\n", messages);
      text.setToolTipText(all);
      icon.setToolTipText(all);
    }
    ((GridData) getLayoutData()).exclude = !visible;
    setVisible(visible);
    getParent().layout(true, true);
  }

  /** All messages that there are. */
  public List<String> messages() {
    return messages;
  }
}
