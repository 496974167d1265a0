package org.parallax.help;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.Platform;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyleRange;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.events.SelectionListener;
import org.eclipse.swt.graphics.GlyphMetrics;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.program.Program;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.ToolBar;
import org.eclipse.swt.widgets.ToolItem;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorSite;
import org.eclipse.ui.part.EditorPart;

/** Pages of the help book as text with live links, where neither SWT nor the desktop has a browser. */
public final class PageEditor extends EditorPart {
  public static final String ID = "org.parallax.help.page";
  private static final int INDENT_PIXELS = 18;
  private static final int MARGIN_PIXELS = 12;

  private final Deque<String> before = new ArrayDeque<>();
  private final Deque<String> after = new ArrayDeque<>();
  private String shown;
  private PageText content;
  private PagePictures pictures;
  private StyledText text;
  private ToolItem back;
  private ToolItem forward;

  @Override
  public void init(IEditorSite site, IEditorInput input) {
    setSite(site);
    setInput(input);
    setPartName(input.getName());
  }

  @Override
  public void createPartControl(Composite parent) {
    Composite all = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(all);
    ToolBar bar = new ToolBar(all, SWT.FLAT | SWT.HORIZONTAL);
    back = item(bar, Messages.back, () -> step(before, after));
    forward = item(bar, Messages.forward, () -> step(after, before));
    item(bar, Messages.contents, () -> show(HelpPages.FIRST));
    Label hint = new Label(all, SWT.WRAP);
    hint.setText(Messages.noBrowser);
    GridDataFactory.fillDefaults().grab(true, false).indent(MARGIN_PIXELS, 0).applyTo(hint);
    text = new StyledText(all, SWT.READ_ONLY | SWT.WRAP | SWT.V_SCROLL);
    text.setMargins(MARGIN_PIXELS, MARGIN_PIXELS, MARGIN_PIXELS, MARGIN_PIXELS);
    text.setLineSpacing(2);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(text);
    pictures = new PagePictures(text);
    text.addListener(SWT.MouseUp, this::click);
    text.addListener(SWT.KeyDown, this::key);
    showSteps();
  }

  private static ToolItem item(ToolBar bar, String label, Runnable action) {
    ToolItem item = new ToolItem(bar, SWT.PUSH);
    item.setText(label);
    item.addSelectionListener(SelectionListener.widgetSelectedAdapter(event -> action.run()));
    return item;
  }

  /** @param page such as {@code views.html#profile} */
  void show(String page) {
    if (page.equals(shown)) {
      return;
    }
    if (shown != null) {
      before.push(shown);
    }
    after.clear();
    turnTo(page);
  }

  /** @return the page that is shown, null before the first one */
  String shown() {
    return shown;
  }

  private void step(Deque<String> from, Deque<String> to) {
    if (!from.isEmpty()) {
      to.push(shown);
      turnTo(from.pop());
    }
  }

  private void turnTo(String page) {
    String file = page.replaceFirst("#.*", "");
    if (shown == null || !shown.replaceFirst("#.*", "").equals(file)) {
      read(file);
    }
    shown = page;
    int anchor = page.contains("#") ? content.offsetOf(page.substring(page.indexOf('#') + 1)) : 0;
    int line = text.getLineAtOffset(anchor);
    text.setTopIndex(line);
    // Lines of a text that wraps have their height only now.
    text.setTopPixel(text.getTopPixel() + text.getLinePixel(line));
    text.setCaretOffset(anchor);
    showSteps();
  }

  private void read(String file) {
    URL entry = Platform.getBundle(HelpPages.BUNDLE).getEntry(HelpPages.FOLDER + file);
    try (InputStream in = entry == null ? null : entry.openStream()) {
      if (in == null) {
        throw new IOException(NLS.bind(Messages.noPage, file));
      }
      content = PageText.of(in);
    } catch (IOException e) {
      ILog.of(PageEditor.class).error(e.getMessage(), e);
      content = PageText.ofFault(e.getMessage());
    }
    text.setText(content.text());
    pictures.clear();
    text.setStyleRanges(content.runs().stream().map(this::style).toArray(StyleRange[]::new));
    content.depths().forEach((offset, depth) -> {
      int line = text.getLineAtOffset(offset);
      text.setLineIndent(line, 1, depth * INDENT_PIXELS);
      text.setLineWrapIndent(line, 1, (depth + 1) * INDENT_PIXELS);
    });
  }

  private StyleRange style(PageText.Run run) {
    StyleRange range = new StyleRange();
    range.start = run.start();
    range.length = run.length();
    int style = run.style();
    if ((style & PageText.TITLE) != 0) {
      range.font = JFaceResources.getHeaderFont();
    } else if ((style & PageText.HEADING) != 0) {
      range.font = JFaceResources.getBannerFont();
    } else if ((style & PageText.CODE) != 0) {
      range.font = JFaceResources.getTextFont();
    } else {
      range.fontStyle = ((style & PageText.STRONG) != 0 ? SWT.BOLD : 0)
          | ((style & PageText.EMPHASIS) != 0 ? SWT.ITALIC : 0);
    }
    if ((style & PageText.LINK) != 0) {
      range.underline = true;
      range.underlineStyle = SWT.UNDERLINE_LINK;
      range.data = run.target();
    }
    if ((style & PageText.IMAGE) != 0) {
      Point size = pictures.size(run.target());
      range.metrics = new GlyphMetrics(size.y, 0, size.x);
      range.data = run.target();
    }
    return range;
  }

  private void click(Event event) {
    int offset = text.getOffsetAtPoint(new Point(event.x, event.y));
    if (event.button == 1 && offset >= 0 && text.getSelectionCount() == 0) {
      follow(offset);
    }
  }

  private void key(Event event) {
    if (event.keyCode == SWT.CR || event.keyCode == SWT.KEYPAD_CR) {
      follow(text.getCaretOffset());
    } else if (event.keyCode == SWT.BS || event.stateMask == SWT.ALT && event.keyCode == SWT.ARROW_LEFT) {
      step(before, after);
    } else if (event.stateMask == SWT.ALT && event.keyCode == SWT.ARROW_RIGHT) {
      step(after, before);
    }
  }

  /** Follows the link at an offset, if there is one. */
  void follow(int offset) {
    StyleRange range = offset < text.getCharCount() ? text.getStyleRangeAtOffset(offset) : null;
    if (range == null || !(range.data instanceof String target) || range.metrics != null) {
      return;
    }
    if (target.matches("[a-z]+:.*")) {
      Program.launch(target);
    } else if (target.startsWith("#")) {
      show(shown.replaceFirst("#.*", "") + target);
    } else {
      show(target);
    }
  }

  private void showSteps() {
    back.setEnabled(!before.isEmpty());
    forward.setEnabled(!after.isEmpty());
  }

  @Override
  public void setFocus() {
    text.setFocus();
  }

  @Override
  public void doSave(IProgressMonitor monitor) {
    // Nothing can change.
  }

  @Override
  public void doSaveAs() {
    // Nothing can change.
  }

  @Override
  public boolean isDirty() {
    return false;
  }

  @Override
  public boolean isSaveAsAllowed() {
    return false;
  }
}
