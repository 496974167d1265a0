package org.parallax.source;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jface.text.DefaultInformationControl;
import org.eclipse.jface.text.IInformationControlCreator;
import org.eclipse.jface.text.IViewportListener;
import org.eclipse.jface.text.source.AbstractRulerColumn;
import org.eclipse.jface.text.source.CompositeRuler;
import org.eclipse.jface.text.source.IAnnotationHover;
import org.eclipse.jface.text.source.IAnnotationHoverExtension;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.jface.text.source.ILineRange;
import org.eclipse.jface.text.source.ISourceViewer;
import org.eclipse.jface.text.source.LineRange;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.accessibility.AccessibleAdapter;
import org.eclipse.swt.accessibility.AccessibleEvent;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.Font;
import org.eclipse.swt.graphics.FontData;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.texteditor.ITextEditor;
import org.eclipse.ui.texteditor.rulers.IContributedRulerColumn;
import org.eclipse.ui.texteditor.rulers.RulerColumnDescriptor;

/**
 * The column beside the text that shows the numbers of each line: a bar by its heat, then the numbers
 * that a person has chosen; bold those of functions, at the line where they are declared. It takes no
 * room while nothing is known of the file.
 */
public final class ProfileColumn extends AbstractRulerColumn
    implements IContributedRulerColumn {
  static final String ID = "org.parallax.source.profile";
  /** The widest bar, in characters. */
  private static final int BAR_CHARS = 2;
  /** How much of the background is in what rests on few samples. */
  private static final double PALE = 0.55;
  /** Of the text's size. */
  private static final double HEADING = 0.8;
  private static final Color HOT = new Color(214, 64, 48);
  private static final Color WARM = new Color(235, 140, 52);
  private static final Color MILD = new Color(238, 198, 84);

  private RulerColumnDescriptor descriptor;
  private ITextEditor editor;
  private EditorNumbers numbers;
  private List<SourceNumber> shown = List.of();
  /** The widths of the bar and of each number, in pixels. */
  private int[] widths = new int[0];
  private int gap;
  private long most;
  private Font bold;
  private Font small;
  private final IViewportListener scrolled = pixel -> redraw();

  public ProfileColumn() {
    setHover(new Hover());
    setWidth(0);
  }

  @Override
  public Control createControl(CompositeRuler parent, Composite composite) {
    Control control = super.createControl(parent, composite);
    control.getAccessible().addAccessibleListener(new AccessibleAdapter() {
      @Override
      public void getName(AccessibleEvent event) {
        event.result = Messages.column;
      }
    });
    control.addDisposeListener(event -> disposeFonts());
    // The headings stay at the top.
    parent.getTextViewer().addViewportListener(scrolled);
    numbers = new EditorNumbers(editor, this::update);
    update();
    return control;
  }

  @Override
  public void setModel(IAnnotationModel model) {
    super.setModel(model);
    if (numbers != null) {
      numbers.inputChanged();
    }
  }

  @Override
  public void columnRemoved() {
    if (numbers != null) {
      numbers.dispose();
      numbers = null;
    }
    CompositeRuler ruler = getParentRuler();
    if (ruler != null && ruler.getTextViewer() != null) {
      ruler.getTextViewer().removeViewportListener(scrolled);
    }
  }

  @Override
  public void dispose() {
    columnRemoved();
    disposeFonts();
    super.dispose();
  }

  private void disposeFonts() {
    if (bold != null) {
      bold.dispose();
      small.dispose();
      bold = null;
      small = null;
    }
  }

  @Override
  public RulerColumnDescriptor getDescriptor() {
    return descriptor;
  }

  @Override
  public void setDescriptor(RulerColumnDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  @Override
  public ITextEditor getEditor() {
    return editor;
  }

  @Override
  public void setEditor(ITextEditor editor) {
    this.editor = editor;
  }

  @Override
  public void columnCreated() {
  }

  /** There are other numbers: finds out how wide the column must be. */
  private void update() {
    Control control = getControl();
    if (control == null || control.isDisposed() || numbers == null) {
      return;
    }
    FileNumbers file = numbers.numbers();
    most = file.most(SourceNumber.heat());
    shown = SourceNumber.shown().stream().filter(each -> each == SourceNumber.SENSITIVITY
        ? !numbers.sensitivity().isEmpty() : each.isIn(file.parts())).toList();
    widths = new int[shown.size() + 1];
    if (file.isEmpty()) {
      setWidth(0);
      return;
    }
    GC gc = new GC(control);
    makeFonts();
    gc.setFont(bold);
    gap = gc.textExtent("0").x;
    widths[0] = BAR_CHARS * gap;
    int width = widths[0] + gap;
    for (int i = 0; i < shown.size(); i++) {
      gc.setFont(bold);
      int longest = gc.textExtent(shown.get(i) == SourceNumber.SENSITIVITY
          ? numbers.sensitivity().longest() : file.longest().get(shown.get(i))).x;
      gc.setFont(small);
      widths[i + 1] = Math.max(longest, gc.textExtent(file.heading(shown.get(i))).x);
      width += widths[i + 1] + gap;
    }
    gc.dispose();
    setWidth(width);
    redraw();
  }

  private void makeFonts() {
    if (bold == null) {
      Font font = getFont() != null ? getFont() : getControl().getFont();
      FontData[] data = font.getFontData();
      for (FontData each : data) {
        each.setHeight((int) Math.max(6, Math.round(HEADING * each.getHeight())));
      }
      small = new Font(getControl().getDisplay(), data);
      data = font.getFontData();
      for (FontData each : data) {
        each.setStyle(each.getStyle() | SWT.BOLD);
      }
      bold = new Font(getControl().getDisplay(), data);
    }
  }

  private StyledText text() {
    return getParentRuler().getTextViewer().getTextWidget();
  }

  @Override
  protected void paint(GC gc, ILineRange lines) {
    if (!text().getBackground().equals(getDefaultBackground())) {
      setDefaultBackground(text().getBackground());
    }
    super.paint(gc, lines);
    if (small != null && !shown.isEmpty() && !numbers.numbers().isEmpty()) {
      paintHeadings(gc);
    }
  }

  /** Above the numbers of the first line that is visible, wherever the text is. */
  private void paintHeadings(GC gc) {
    gc.setFont(small);
    int height = Math.max(gc.getFontMetrics().getHeight() + 3, text().getLineHeight());
    gc.setBackground(mixed(text().getForeground(), text().getBackground(), 0.9));
    gc.fillRectangle(0, 0, getWidth(), height);
    gc.setForeground(text().getForeground());
    int right = widths[0];
    for (int i = 0; i < shown.size(); i++) {
      right += gap + widths[i + 1];
      String heading = numbers.numbers().heading(shown.get(i));
      gc.drawText(heading, right - gc.textExtent(heading).x,
          (height - gc.textExtent(heading).y) / 2, true);
    }
    gc.setForeground(mixed(text().getForeground(), text().getBackground(), 0.6));
    gc.drawLine(0, height - 1, getWidth(), height - 1);
  }

  private static Color mixed(Color color, Color with, double part) {
    return new Color(mixed(color.getRed(), with.getRed(), part),
        mixed(color.getGreen(), with.getGreen(), part),
        mixed(color.getBlue(), with.getBlue(), part));
  }

  private static int mixed(int value, int with, double part) {
    return (int) Math.round(value * (1 - part) + with * part);
  }

  @Override
  protected void paintLine(GC gc, int modelLine, int widgetLine, int y, int height) {
    gc.setBackground(text().getBackground());
    gc.fillRectangle(0, y, getWidth(), height);
    if (numbers == null) {
      return;
    }
    FileNumbers.Entry entry = numbers.entry(modelLine);
    if (entry != null) {
      paintBar(gc, entry, numbers.type(modelLine), y, height);
    }
    gc.setFont(entry != null && !entry.functions().isEmpty() ? bold : getFont());
    gc.setForeground(entry == null ? text().getForeground() : shade(text().getForeground(), entry));
    int right = widths[0];
    for (int i = 0; i < shown.size(); i++) {
      right += gap + widths[i + 1];
      String text = cell(shown.get(i), entry, modelLine);
      Point size = gc.textExtent(text);
      gc.drawText(text, right - size.x, y + (height - size.y) / 2, true);
    }
  }

  /** @param entry null for a line of which the trace tells nothing */
  private String cell(SourceNumber number, FileNumbers.Entry entry, int line) {
    return number == SourceNumber.SENSITIVITY ? numbers.sensitivity().text(line)
        : entry == null ? "" : numbers.numbers().cell(number, entry);
  }

  private void paintBar(GC gc, FileNumbers.Entry entry, String type, int y, int height) {
    long heat = SourceNumber.heat().of(entry.ofLine());
    if (heat > 0 && most > 0) {
      int width = (int) Math.max(1, Math.round((double) widths[0] * heat / most));
      gc.setBackground(shade(EditorNumbers.HOT.equals(type) ? HOT
          : EditorNumbers.WARM.equals(type) ? WARM : MILD, entry));
      gc.fillRectangle(widths[0] - width, y + height / 8, width, height - height / 4);
    }
  }

  /** Paler for a line of which few samples tell. */
  private Color shade(Color color, FileNumbers.Entry entry) {
    return numbers.numbers().isUncertain(entry) ? mixed(color, text().getBackground(), PALE) : color;
  }

  /** The headings, as they are painted; for tests. */
  List<String> headings() {
    return shown.stream().map(number -> numbers.numbers().heading(number)).toList();
  }

  /** Whether a line is painted paler; for tests. */
  boolean isPale(int line) {
    return numbers.numbers().isUncertain(numbers.entry(line));
  }

  /** The texts of a line, as they are painted; for tests. */
  List<String> texts(int line) {
    FileNumbers.Entry entry = numbers.entry(line);
    List<String> texts = new ArrayList<>();
    if (entry != null || !numbers.sensitivity().text(line).isEmpty()) {
      shown.forEach(number -> texts.add(cell(number, entry, line)));
    }
    return texts;
  }

  /** All that is known of a line, when the pointer rests on it. */
  private final class Hover implements IAnnotationHover, IAnnotationHoverExtension {
    @Override
    public String getHoverInfo(ISourceViewer viewer, int line) {
      String text = numbers == null ? "" : numbers.text(line);
      return text.isEmpty() ? null : text;
    }

    @Override
    public IInformationControlCreator getHoverControlCreator() {
      return parent -> new DefaultInformationControl(parent, (String) null, null);
    }

    @Override
    public boolean canHandleMouseCursor() {
      return false;
    }

    @Override
    public Object getHoverInfo(ISourceViewer viewer, ILineRange range, int lines) {
      return getHoverInfo(viewer, range.getStartLine());
    }

    @Override
    public ILineRange getHoverLineRange(ISourceViewer viewer, int line) {
      return new LineRange(line, 1);
    }
  }
}
