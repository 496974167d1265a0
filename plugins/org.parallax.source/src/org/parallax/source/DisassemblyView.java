package org.parallax.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.eclipse.core.runtime.IPath;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.Font;
import org.eclipse.swt.graphics.FontData;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.parallax.analysis.source.Disassembly;
import org.parallax.analysis.source.Disassembly.Code;
import org.parallax.analysis.source.Disassembly.Line;
import org.parallax.analysis.source.Disassembly.Wanted;
import org.parallax.analysis.source.SampleInterval;
import org.parallax.model.program.Procedure;
import org.parallax.record.CodeTool;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader.Syntax;
import org.parallax.trace.code.MachineCode.Instruction;
import org.parallax.ui.platform.InstalledAgent;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.session.Selection;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.views.SessionView;
import org.parallax.ui.widgets.ViewHeader;

/**
 * The instructions of the selected procedure, or of a line of the source, with the samples of each; of
 * the procedure with the most samples while nothing is selected.
 */
public final class DisassemblyView extends SessionView<Disassembly> {
  static final String ID = "org.parallax.source.views.disassembly";
  /** The preference that holds the syntax. */
  static final String SYNTAX = "syntax";
  private static final double WARM_PERCENT = 1;
  private static final double HOT_PERCENT = 10;
  private static final Color HOT = new Color(214, 64, 48);
  private static final Color WARM = new Color(235, 140, 52);
  private static final double PALE = 0.45;
  private static final int JUMPS = 3;
  private static final int BAR_PIXELS = 40;

  /** Stands for the heading of a function among its lines. */
  private static final Line HEADING = new Line(
      new Instruction(0, 0, -1, "", "", List.of()), "", "", 0, 0, 0, new SampleInterval(0, 0));

  /** A row: an instruction, or the heading of a function where the line is null. */
  private record Row(Code code, Line line) {}

  private Combo syntax;
  private Table table;
  private Font bold;
  private final List<Row> rows = new ArrayList<>();
  private JumpArrows arrows = JumpArrows.of(List.of());
  private long most;
  /** {@code FILE:LINE}, when that is wanted and no procedure is known there. */
  private String wantedLine = "";
  /** The procedure that was selected when the line was asked for: another one replaces the line. */
  private Procedure selectedThen;
  /** The place whose instructions come into sight. */
  private String markedFile = "";
  private int markedLine;

  @Override
  protected String subject() {
    return Messages.subjectDisassembly;
  }

  @Override
  protected void createChoices(Composite parent) {
    syntax = new Combo(ViewHeader.labelled(parent, Messages.syntax), SWT.READ_ONLY);
    syntax.setItems(Messages.intel, Messages.att);
    syntax.select(
        SourcePreferences.store().getString(SYNTAX).equals(Syntax.ATT.name()) ? 1 : 0);
    syntax.addListener(SWT.Selection, event -> {
      SourcePreferences.store().setValue(SYNTAX, chosenSyntax().name());
      refresh();
    });
  }

  private Syntax chosenSyntax() {
    return syntax.getSelectionIndex() == 1 ? Syntax.ATT : Syntax.INTEL;
  }

  @Override
  protected void createContent(Composite parent) {
    table = new Table(parent, SWT.FULL_SELECTION | SWT.VIRTUAL | SWT.MULTI);
    table.setHeaderVisible(true);
    FontData[] data = JFaceResources.getTextFont().getFontData();
    for (FontData each : data) {
      each.setStyle(each.getStyle() | SWT.BOLD);
    }
    bold = new Font(table.getDisplay(), data);
    table.addDisposeListener(event -> bold.dispose());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(table);
    GC gc = new GC(table);
    gc.setFont(JFaceResources.getTextFont());
    int pixels = (int) Math.ceil(gc.getFontMetrics().getAverageCharacterWidth());
    gc.dispose();
    column(Messages.columnSamples, SWT.RIGHT, 11 * pixels, Messages.columnSamplesTip);
    column(Messages.columnTime, SWT.RIGHT, 10 * pixels, Messages.columnTimeTip);
    column(Messages.columnAddress, SWT.RIGHT, 13 * pixels, Messages.columnAddressTip);
    column("", SWT.LEFT, JumpArrows.width() + 6, Messages.columnJumpsTip);
    column(Messages.columnInstruction, SWT.LEFT, 38 * pixels, Messages.columnInstructionTip);
    column(Messages.columnSource, SWT.LEFT, 24 * pixels, Messages.columnSourceTip);
    column(Messages.columnInlined, SWT.LEFT, 20 * pixels, Messages.columnInlinedTip);
    table.addListener(SWT.SetData, event -> fill((TableItem) event.item, rows.get(event.index)));
    table.addListener(SWT.EraseItem, this::paintBar);
    table.addListener(SWT.PaintItem, this::paintJumps);
    table.addListener(SWT.DefaultSelection, event -> openSource());
  }

  private void column(String heading, int style, int width, String tip) {
    TableColumn column = new TableColumn(table, style);
    column.setText(heading);
    column.setWidth(width);
    column.setToolTipText(tip);
    column.setMoveable(false);
  }

  @Override
  protected Computation<Disassembly> computation() {
    Procedure procedure = selection().procedure();
    if (procedure != selectedThen) {
      forgetLine();
    }
    List<String> functions = !wantedLine.isEmpty() || procedure == null ? List.of()
        : List.of(procedure.getName());
    Wanted wanted = new Wanted(functions,
        wantedLine.isEmpty() ? List.of() : List.of(wantedLine), chosenSyntax());
    return (analysis, selection, progress) -> {
      try {
        return Disassembly.of(analysis, selection.scope(), wanted,
            new CodeTool(InstalledAgent::find), progress);
      } catch (CodeException e) {
        return new Disassembly(List.of(), 0, List.of(e.getMessage()));
      }
    };
  }

  /**
   * Shows the instructions of a line, within those of its procedure if the view shows that one.
   *
   * @param procedure null if it is not known
   */
  void showLine(String file, int line, Procedure procedure) {
    selectedThen = selection().procedure();
    wantedLine = procedure != null && procedure == selectedThen ? "" : file + ":" + line;
    markedFile = file;
    markedLine = line;
    refresh();
  }

  private void forgetLine() {
    wantedLine = "";
    markedLine = 0;
    selectedThen = selection().procedure();
  }

  @Override
  protected void procedureSelected(Selection selection) {
    forgetLine();
    refresh();
  }

  @Override
  protected void show(Disassembly result, Selection selection) {
    rows.clear();
    List<Line> lines = new ArrayList<>();
    for (Code code : result.functions()) {
      rows.add(new Row(code, null));
      lines.add(HEADING);
      for (Line line : code.lines()) {
        rows.add(new Row(code, line));
        lines.add(line);
      }
    }
    // Labels of several functions are alike: arrows only where there is one.
    arrows = JumpArrows.of(result.functions().size() == 1 ? lines : List.of());
    most = rows.stream().filter(row -> row.line != null).mapToLong(row -> row.line.ns()).max()
        .orElse(0);
    table.setItemCount(0);
    table.setItemCount(rows.size());
    table.clearAll();
    mark();
  }

  /** Selects the instructions of the line that was asked for, or shows the hottest one. */
  private void mark() {
    List<Integer> found = new ArrayList<>();
    int hottest = -1;
    for (int i = 0; i < rows.size(); i++) {
      Line line = rows.get(i).line;
      if (line == null) {
        continue;
      }
      if (markedLine > 0 && line.instruction().frames().stream().anyMatch(frame ->
          frame.line() == markedLine && isMarked(frame.file()))) {
        found.add(i);
      }
      if (line.samples() > 0
          && (hottest < 0 || line.samples() > rows.get(hottest).line.samples())) {
        hottest = i;
      }
    }
    int shown = found.isEmpty() ? hottest : found.stream().max((a, b) -> Long.compare(
        rows.get(a).line.samples(), rows.get(b).line.samples())).orElse(hottest);
    table.setSelection(found.stream().mapToInt(Integer::intValue).toArray());
    if (shown >= 0) {
      int visible = Math.max(1, table.getClientArea().height / table.getItemHeight() - 1);
      table.setTopIndex(Math.max(0, shown - visible / 2));
    }
  }

  private boolean isMarked(String file) {
    return file.equals(markedFile) || file.endsWith("/" + markedFile);
  }

  private void fill(TableItem item, Row row) {
    // Themes have a font of their own for tables.
    item.setFont(row.line == null ? bold : JFaceResources.getTextFont());
    if (row.line == null) {
      item.setText(0, String.format(Locale.ROOT, "%,d", row.code.samples()));
      item.setText(1, SourceNumber.time(row.code.ns()));
      item.setText(4, row.code.isWhole() ? row.code.name()
          : NLS.bind(Messages.partOf, row.code.name()));
      item.setText(5, IPath.fromOSString(row.code.module()).lastSegment());
      return;
    }
    Line line = row.line;
    if (line.samples() > 0 || line.ns() > 0) {
      item.setText(0, String.format(Locale.ROOT, "%,d", line.samples()));
      item.setText(1, SourceNumber.time(line.ns()));
    }
    if (line.interval().isUncertain(line.ns())) {
      item.setForeground(0, mixed(table.getForeground()));
      item.setForeground(1, mixed(table.getForeground()));
    }
    item.setText(2, Long.toHexString(line.instruction().offset())
        + (line.label().isEmpty() ? "" : " " + line.label() + ":"));
    item.setText(4, line.instruction().text()
        + (line.target().isEmpty() ? "" : "  \u2192 " + line.target()));
    item.setText(5, line.file().isEmpty() ? ""
        : IPath.fromOSString(line.file()).lastSegment() + ":" + line.sourceLine());
    item.setText(6, line.inlined());
  }

  private Color mixed(Color color) {
    Color with = table.getBackground();
    return new Color((int) (color.getRed() * (1 - PALE) + with.getRed() * PALE),
        (int) (color.getGreen() * (1 - PALE) + with.getGreen() * PALE),
        (int) (color.getBlue() * (1 - PALE) + with.getBlue() * PALE));
  }

  /** Behind the number of samples, by the share of the time. */
  private void paintBar(Event event) {
    int index = table.indexOf((TableItem) event.item);
    if (event.index != 0 || index < 0 || index >= rows.size() || rows.get(index).line == null
        || rows.get(index).line.ns() == 0 || most == 0) {
      return;
    }
    Line line = rows.get(index).line;
    double percent = 100.0 * line.ns() / Math.max(1, result() == null ? most : total());
    Color color = percent >= HOT_PERCENT ? HOT : WARM;
    int width = (int) Math.max(2, (double) BAR_PIXELS * line.ns() / most);
    Color before = event.gc.getBackground();
    event.gc.setBackground(percent < WARM_PERCENT || line.interval().isUncertain(line.ns())
        ? mixed(color) : color);
    event.gc.fillRectangle(event.x + 2, event.y + 2, width, event.height - 4);
    event.gc.setBackground(before);
  }

  private long total() {
    return rows.stream().filter(row -> row.line == null).mapToLong(row -> row.code.ns()).sum();
  }

  private void paintJumps(Event event) {
    if (event.index == JUMPS) {
      Color before = event.gc.getForeground();
      event.gc.setForeground(mixed(table.getForeground()));
      arrows.paint(event.gc, table.indexOf((TableItem) event.item), event.x, event.y,
          event.height);
      event.gc.setForeground(before);
    }
  }

  private void openSource() {
    int index = table.getSelectionIndex();
    if (index >= 0 && rows.get(index).line != null && !rows.get(index).line.file().isEmpty()) {
      Row row = rows.get(index);
      SourceOpener.open(getSite().getPage(), new SourceLocation(row.code.name(),
          row.line.file(), row.line.sourceLine(), row.code.module(), "",
          analysis().application().getTrace().epochNs() / 1_000_000));
    }
  }

  @Override
  protected void clear() {
    wantedLine = "";
    markedLine = 0;
    rows.clear();
    arrows = JumpArrows.of(List.of());
    table.setItemCount(0);
  }

  @Override
  protected List<String> warnings(Disassembly result) {
    return result.warnings().stream().map(Texts::sentence).toList();
  }

  @Override
  protected String scopeText(Selection selection) {
    List<String> names =
        rows.stream().filter(row -> row.line == null).map(row -> row.code.name()).toList();
    String scope = super.scopeText(selection);
    return names.isEmpty() ? scope : names.size() == 1
        ? NLS.bind(Messages.functionIn, names.get(0), scope)
        : NLS.bind(Messages.functionsIn, names.size(), scope);
  }

  @Override
  protected String total(Disassembly result) {
    return result.functions().isEmpty() ? "" : SourceNumber.time(result.totalNs());
  }

  @Override
  protected void focusOnResult() {
    table.setFocus();
  }

  /** The instructions; for tests. */
  Table table() {
    return table;
  }

  Combo syntaxChoice() {
    return syntax;
  }

  JumpArrows arrows() {
    return arrows;
  }
}
