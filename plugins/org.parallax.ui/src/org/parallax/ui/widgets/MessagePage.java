package org.parallax.ui.widgets;

import java.util.function.Consumer;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;

/** Fills a view that has nothing to show with a text that says why and what to do. */
public final class MessagePage extends Composite {
  private final Label icon;
  private final Link text;

  /** @param onLink told the target of a link in the text that was clicked */
  public MessagePage(Composite parent, Consumer<String> onLink) {
    super(parent, SWT.NONE);
    GridLayoutFactory.swtDefaults().numColumns(2).margins(12, 12).spacing(8, 8).applyTo(this);
    icon = new Label(this, SWT.NONE);
    GridDataFactory.swtDefaults().align(SWT.BEGINNING, SWT.BEGINNING).applyTo(icon);
    text = new Link(this, SWT.WRAP);
    GridDataFactory.fillDefaults().grab(true, true).hint(120, SWT.DEFAULT).applyTo(text);
    text.addListener(SWT.Selection, event -> onLink.accept(event.text));
  }

  /** @param image null for none */
  public void show(Image image, String message) {
    icon.setImage(image);
    text.setText(message);
    layout(true, true);
  }

  /** A text as it must stand in a link, where {@code &} is a mnemonic and {@code <} begins a tag. */
  public static String escape(String plain) {
    return plain.replace("&", "&&").replace("<", "\u2039").replace(">", "\u203a");
  }

  public String message() {
    return text.getText();
  }
}
