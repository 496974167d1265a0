package org.parallax.source;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jface.text.DefaultInformationControl;
import org.eclipse.jface.text.IInformationControlCreator;
import org.eclipse.jface.text.source.AbstractRulerColumn;
import org.eclipse.jface.text.source.CompositeRuler;
import org.eclipse.jface.text.source.IAnnotationHover;
import org.eclipse.jface.text.source.IAnnotationHoverExtension;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.jface.text.source.ILineRange;
import org.eclipse.jface.text.source.ISourceViewer;
import org.eclipse.jface.text.source.LineRange;
import org.eclipse.swt.SWT;
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
import org.parallax.analysis.source.SourceLines.Numbers;

/**
 * The column beside the text that shows the numbers of each line: a bar by its heat, then the numbers
 * that a person has chosen; bold those of functions, at the line where they are declared. It takes no
 * room while nothing is known of the file.
 */
public final class ProfileColumn extends AbstractRulerColumn
    implements IContributedRulerColumn {
  static final String ID = "org.parallax.source.profile";
  /** The widest bar, in characters. */
  private static final int BAR_CHARS = 4;
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
    control.addDisposeListener(event -> disposeBold());
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
  }

  @Override
  public void dispose() {
    columnRemoved();
    disposeBold();
    super.dispose();
  }

  private void disposeBold() {
    if (bold != null) {
      bold.dispose();
      bold = null;
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
    shown = SourceNumber.shown().stream().filter(each -> each.isIn(file.parts())).toList();
    widths = new int[shown.size() + 1];
    if (file.isEmpty()) {
      setWidth(0);
      return;
    }
    GC gc = new GC(control);
    gc.setFont(bold());
    gap = gc.textExtent("0").x;
    widths[0] = BAR_CHARS * gap;
    int width = widths[0] + gap;
    for (int i = 0; i < shown.size(); i++) {
      widths[i + 1] = gc.textExtent(file.longest().get(shown.get(i))).x;
      width += widths[i + 1] + gap;
    }
    gc.dispose();
    setWidth(width);
    redraw();
  }

  private String text(SourceNumber number, Numbers line) {
    return number.of(line) == 0 ? "" : number.text(line, numbers.numbers().source());
  }

  private Font bold() {
    if (bold == null) {
      Font font = getFont() != null ? getFont() : getControl().getFont();
      FontData[] data = font.getFontData();
      for (FontData each : data) {
        each.setStyle(each.getStyle() | SWT.BOLD);
      }
      bold = new Font(getControl().getDisplay(), data);
    }
    return bold;
  }

  private Control text() {
    return getParentRuler().getTextViewer().getTextWidget();
  }

  @Override
  protected void paint(GC gc, ILineRange lines) {
    if (!text().getBackground().equals(getDefaultBackground())) {
      setDefaultBackground(text().getBackground());
    }
    super.paint(gc, lines);
  }

  @Override
  protected void paintLine(GC gc, int modelLine, int widgetLine, int y, int height) {
    gc.setBackground(text().getBackground());
    gc.fillRectangle(0, y, getWidth(), height);
    FileNumbers.Entry entry = numbers == null ? null : numbers.entry(modelLine);
    if (entry == null) {
      return;
    }
    paintBar(gc, entry, numbers.type(modelLine), y, height);
    boolean function = !entry.functions().isEmpty();
    gc.setFont(function ? bold() : getFont());
    gc.setForeground(text().getForeground());
    int right = widths[0];
    for (int i = 0; i < shown.size(); i++) {
      right += gap + widths[i + 1];
      String text = text(shown.get(i), entry.shown());
      Point size = gc.textExtent(text);
      gc.drawText(text, right - size.x, y + (height - size.y) / 2, true);
    }
  }

  private void paintBar(GC gc, FileNumbers.Entry entry, String type, int y, int height) {
    long heat = SourceNumber.heat().of(entry.ofLine());
    if (heat > 0 && most > 0) {
      int width = (int) Math.max(1, Math.round((double) widths[0] * heat / most));
      gc.setBackground(EditorNumbers.HOT.equals(type) ? HOT
          : EditorNumbers.WARM.equals(type) ? WARM : MILD);
      gc.fillRectangle(widths[0] - width, y + height / 8, width, height - height / 4);
    }
  }

  /** The texts of a line, as they are painted; for tests. */
  List<String> texts(int line) {
    FileNumbers.Entry entry = numbers.entry(line);
    List<String> texts = new ArrayList<>();
    if (entry != null) {
      shown.forEach(number -> texts.add(text(number, entry.shown())));
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
