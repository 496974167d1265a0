package org.parallax.analysis.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * The lines of the source, those with the most time first: what editors show beside them.
 *
 * <p>Columns: {@code file} as the compiler recorded it, {@code line} (0 where only the file is known),
 * {@code procedure}; {@code time} without what is called, which adds up to the total, and
 * {@code percent} of it; {@code inclusive} time with what is called; {@code path}: time on the
 * critical path, and {@code pathPercent} of its length; {@code wait} time; {@code cpu}: CPU time
 * without what is called; {@code samples};
 * {@code low}, {@code high} and {@code uncertain}: how sure {@code time} is, see
 * {@link SampleInterval}. {@link SourceLines} says what belongs to a line.
 */
public final class SourceReport {
  private static final List<Column> COLUMNS = List.of(
      Column.key("file", "file", Unit.TEXT),
      Column.key("line", "line", Unit.COUNT),
      new Column("procedure", "procedure", Unit.TEXT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("inclusive", "inclusive", Unit.NANOSECONDS),
      new Column("path", "critical path", Unit.NANOSECONDS),
      new Column("pathPercent", "%path", Unit.PERCENT),
      new Column("wait", "wait", Unit.NANOSECONDS),
      new Column("cpu", "cpu", Unit.NANOSECONDS),
      new Column("samples", "samples", Unit.COUNT),
      Column.info("low", "low", Unit.NANOSECONDS),
      Column.info("high", "high", Unit.NANOSECONDS),
      new Column("uncertain", "uncertain", Unit.FLAG));
  private static final int TIME = 3;

  private SourceReport() {}

  /**
   * Makes a table of lines.
   *
   * @param weight of the critical path
   * @param node to which it is limited; null for the whole application
   */
  public static Table of(
      ApplicationAnalysis analysis, Weight weight, TreeNode node, Progress progress) {
    SourceLines source = SourceLines.of(
        analysis, node, weight, EnumSet.allOf(SourceLines.Part.class), progress);
    List<SourceLines.Line> lines = new ArrayList<>();
    source.files().forEach(file -> lines.addAll(source.lines(file)));
    lines.sort(Comparator.<SourceLines.Line>comparingLong(line -> -line.numbers().exclusiveNs())
        .thenComparing(SourceLines.Line::file).thenComparingInt(SourceLines.Line::line));
    long total = lines.stream().mapToLong(line -> line.numbers().exclusiveNs()).sum();
    List<Row> rows = new ArrayList<>();
    for (SourceLines.Line line : lines) {
      SourceLines.Numbers numbers = line.numbers();
      SampleInterval interval = source.interval(numbers);
      rows.add(Row.of(shortName(line.file()) + (line.line() > 0 ? ":" + line.line() : ""),
          line.procedure(), line.file(), (long) line.line(), line.function(),
          numbers.exclusiveNs(), total == 0 ? 0.0 : 100.0 * numbers.exclusiveNs() / total,
          numbers.inclusiveNs(), numbers.pathNs(), source.pathPercent(numbers), numbers.waitNs(),
          numbers.cpuNs(), numbers.samples(), interval.lowNs(), interval.highNs(),
          interval.isUncertain(numbers.exclusiveNs())));
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    Scope scope = new Scope(analysis, node);
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("source", "Source lines (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "source", Unit.NANOSECONDS, total, TIME, COLUMNS, rows, source.warnings());
  }

  private static String shortName(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }
}
