package org.parallax.ui.widgets;

import java.util.List;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;

/**
 * A part of a view that is there only while there is something to tell, such as warnings. It shows a
 * summary, of one line in a low view; the messages themselves are in the tool tip and in a dialog.
 */
public final class MessageBar extends Composite {
  private static final int SUMMARY_CHARACTERS = 160;
  private static final int LEAST_CHARACTERS = 20;
  /** Around the text, with the icon. */
  private static final int MARGINS = 40;

  /** Makes a text of messages. */
  public interface Summary {
    /**
     * @param messages at least one
     * @param most characters of a message
     * @return with a link that shows all messages, where one is needed
     */
    String of(List<String> messages, int most);
  }

  private final Summary summary;
  private final Label icon;
  private final Link text;
  private List<String> messages = List.of();
  private String subject = "";
  private int most = SUMMARY_CHARACTERS;

  /**
   * @param parent has a grid layout of one column
   * @param summary a link in it shows all messages
   */
  public MessageBar(Composite parent, Summary summary) {
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
    parent.addListener(SWT.Resize, event -> fit());
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
  public static String summary(List<String> messages, int most) {
    String first = messages.get(0);
    boolean whole = first.length() <= most;
    String shown = MessagePage.escape(
        whole ? first : first.substring(0, most).stripTrailing() + "\u2026");
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
      most = wanted();
      text.setText(summary.of(messages, most));
      String all = String.join("\n", messages);
      text.setToolTipText(all);
      icon.setToolTipText(all);
    }
    ((GridData) getLayoutData()).exclude = !visible;
    setVisible(visible);
    getParent().layout(true, true);
  }

  /** How many characters of a message there is room for: one line of them in a low view. */
  private int wanted() {
    if (!ViewHeader.isLow(getParent())) {
      return SUMMARY_CHARACTERS;
    }
    GC gc = new GC(text);
    try {
      String first = messages.get(0);
      String link = summary.of(List.of("", ""), 0).replaceAll("<[^>]*>", "");
      int room = getParent().getClientArea().width - MARGINS;
      if (messages.size() == 1 && first.length() <= SUMMARY_CHARACTERS && gc.textExtent(first).x <= room) {
        return SUMMARY_CHARACTERS;
      }
      room -= gc.textExtent(link).x;
      int fits = Math.min(SUMMARY_CHARACTERS, first.length());
      while (fits > LEAST_CHARACTERS && gc.textExtent(first.substring(0, fits) + "\u2026").x > room) {
        fits--;
      }
      return fits;
    } finally {
      gc.dispose();
    }
  }

  /** The view has another size. */
  private void fit() {
    int now = messages.isEmpty() ? most : wanted();
    if (now != most) {
      most = now;
      text.setText(summary.of(messages, most));
      getParent().layout(true, true);
    }
  }

  /** All messages that there are. */
  public List<String> messages() {
    return messages;
  }
}
