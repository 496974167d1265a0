package org.parallax.analysis.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.source.Disassembly.Code;
import org.parallax.analysis.source.Disassembly.Line;
import org.parallax.analysis.source.Disassembly.Wanted;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader;

/**
 * The instructions of functions in their order, with the samples of each.
 *
 * <p>Columns: {@code module} and {@code function} that hold the instruction, {@code address};
 * {@code label} by which jumps name it; {@code instruction}; {@code target} of a jump or call;
 * {@code samples}; {@code time}, which adds up to the total, and {@code percent} of it; {@code low} and
 * {@code high}: see {@link SampleInterval}; {@code file} and {@code line} of the source;
 * {@code inlined}: the function whose code was inlined here; {@code part} of the function.
 */
public final class DisassemblyReport {
  public static final String ID = "disassembly";
  private static final List<Column> COLUMNS = List.of(
      Column.key("module", "module", Unit.TEXT),
      Column.key("function", "function", Unit.TEXT),
      Column.key("address", "address", Unit.TEXT),
      new Column("label", "label", Unit.TEXT),
      new Column("instruction", "instruction", Unit.TEXT),
      new Column("target", "target", Unit.TEXT),
      new Column("samples", "samples", Unit.COUNT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      Column.info("low", "low", Unit.NANOSECONDS),
      Column.info("high", "high", Unit.NANOSECONDS),
      new Column("file", "file", Unit.TEXT),
      Column.info("line", "line", Unit.COUNT),
      new Column("inlined", "inlined", Unit.TEXT),
      Column.info("part", "part", Unit.COUNT));
  private static final int TIME = 7;

  private DisassemblyReport() {}

  /**
   * Makes a table of instructions.
   *
   * @param node to which samples are limited; null for the whole application
   * @throws CodeException when no code can be shown, with the reason
   */
  public static Table of(ApplicationAnalysis analysis, TreeNode node, Wanted wanted,
      CodeReader reader, Progress progress) throws CodeException {
    Disassembly found = Disassembly.of(analysis, node, wanted, reader, progress);
    long total = found.totalNs();
    List<Row> rows = new ArrayList<>();
    for (Code code : found.functions()) {
      for (Line line : code.lines()) {
        String address = "0x" + Long.toHexString(line.instruction().offset());
        rows.add(Row.of(address, null, code.module(), code.name(), address, line.label(),
            line.instruction().text(), line.target(), line.samples(), line.ns(),
            total == 0 ? 0.0 : 100.0 * line.ns() / total, line.interval().lowNs(),
            line.interval().highNs(), line.file(), (long) line.sourceLine(), line.inlined(),
            (long) line.part()));
      }
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("syntax", wanted.syntax().name().toLowerCase(Locale.ROOT));
    Scope scope = new Scope(analysis, node);
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table(ID, "Disassembly (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "address", Unit.NANOSECONDS, total, TIME, COLUMNS, rows, found.warnings());
  }
}
