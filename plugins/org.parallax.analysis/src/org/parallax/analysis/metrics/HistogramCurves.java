package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.TimeBins;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Time histograms of one metric as curves of one chart: of several parts of a run, and of other runs
 * that are shown as if they had begun at the same moment (Irvin and Miller 1993, section 4.2).
 *
 * @param whole the time of all curves, on the time base of the run
 * @param visible the part of it that they are made for
 * @param borders where bins begin, and where the last one ends
 */
public record HistogramCurves(HistogramMetric metric, Window whole, Window visible, long[] borders,
    List<Curve> curves, List<String> warnings) {
  /**
   * What a curve, or several, are of.
   *
   * @param analysis of all of the time
   * @param node to which it is limited
   * @param level of the curves; null for one of the node
   * @param run what curves of another run are marked with; empty for those of the run itself
   * @param laterNs by how much a moment of the run itself is later in the time of the other run; null if both are
   *     shown as if they had begun at the same moment
   */
  public record Part(
      ApplicationAnalysis analysis, TreeNode node, Level level, String run, Long laterNs) {
    /** A part of the run itself, or of one that is shown as if it had begun at the same moment. */
    public Part(ApplicationAnalysis analysis, TreeNode node, Level level, String run) {
      this(analysis, node, level, run, null);
    }

    /** By how much times are later in this part, if the run itself begins at a time. */
    private long laterNs(Window life, long beginNs) {
      return run.isEmpty() ? 0 : laterNs != null ? laterNs : life.beginNs() - beginNs;
    }
  }

  /**
   * A curve.
   *
   * @param key the name without the run, by which curves of several runs belong together
   * @param values one for each bin; NaN where nothing is known, or the run
   *     has ended
   * @param isOther whether it is of another run
   */
  public record Curve(String name, String key, double[] values, boolean isOther) {}

  /**
   * Makes curves.
   *
   * @param parts at least one is of the run itself
   * @param zoom the part of the time that is visible; null for all
   * @param count how many bins, at most {@link HistogramReport#MOST_BINS}
   */
  public static HistogramCurves of(HistogramMetric metric, List<Part> parts, Window zoom,
      int count, Progress progress) {
    long beginNs = Long.MAX_VALUE;
    for (Part part : parts) {
      Window life = life(part);
      if (part.run.isEmpty() && life != null) {
        beginNs = Math.min(beginNs, life.beginNs());
      }
    }
    beginNs = beginNs == Long.MAX_VALUE ? 0 : beginNs;
    long firstNs = beginNs;
    long lastNs = beginNs + 1;
    for (Part part : parts) {
      Window life = life(part);
      if (life != null) {
        firstNs = Math.min(firstNs, life.beginNs() - part.laterNs(life, beginNs));
        lastNs = Math.max(lastNs, life.endNs() - part.laterNs(life, beginNs));
      }
    }
    Window whole = new Window(firstNs, lastNs);
    Window visible = zoom == null ? whole : within(zoom, whole);
    int bins = Math.min(count, HistogramReport.MOST_BINS);
    List<Curve> curves = new ArrayList<>();
    Set<String> warnings = new LinkedHashSet<>();
    for (Part part : parts) {
      warnings.addAll(part.analysis.traceWarnings());
      add(metric, part, beginNs, visible, bins, curves, warnings, progress);
    }
    TimeBins made = new TimeBins(visible, visible.beginNs(), visible.endNs(), bins);
    long[] borders = new long[made.count() + 1];
    for (int i = 0; i < borders.length; i++) {
      borders[i] = made.border(i);
    }
    return new HistogramCurves(metric, whole, visible, borders, List.copyOf(curves),
        List.copyOf(warnings));
  }

  /** Applications live as long as their threads, parts of them when their application does. */
  private static Window life(Part part) {
    return HistogramReport.lifeOf(part.analysis, null);
  }

  /** A window of the same length, if there is room for it. */
  private static Window within(Window zoom, Window whole) {
    long length = Math.min(Math.max(1, zoom.endNs() - zoom.beginNs()),
        whole.endNs() - whole.beginNs());
    long begin =
        Math.max(whole.beginNs(), Math.min(whole.endNs() - length, zoom.beginNs()));
    return new Window(begin, begin + length);
  }

  private static void add(HistogramMetric metric, Part part, long beginNs, Window visible,
      int count, List<Curve> curves, Set<String> warnings, Progress progress) {
    boolean isOther = !part.run.isEmpty();
    Window life = life(part);
    if (life == null) {
      return;
    }
    long shiftNs = part.laterNs(life, beginNs);
    Window there =
        new Window(visible.beginNs() + shiftNs, visible.endNs() + shiftNs);
    TimeBins bins = new TimeBins(there, there.beginNs(), there.endNs(), count);
    Level level = part.level != null ? part.level : level(part.node);
    Table table = HistogramReport.of(part.analysis, List.of(metric), level, part.node, bins, 0,
        progress);
    warnings.addAll(table.warnings());
    for (int column = 2; column < table.columns().size(); column++) {
      String key = table.columns().get(column).label();
      double[] values = new double[table.rows().size()];
      for (int bin = 0; bin < values.length; bin++) {
        boolean ended = bins.border(bin) >= life.endNs()
            || isOther && bins.border(bin + 1) <= life.beginNs();
        values[bin] = !ended && table.rows().get(bin).values().get(column) instanceof Number number
            ? number.doubleValue() : Double.NaN;
      }
      curves.add(new Curve(isOther && !key.equals(part.run) ? key + " (" + part.run + ")" : key,
          key, values, isOther));
    }
  }

  /** The level at which there is one curve for a node. */
  private static Level level(TreeNode node) {
    return switch (node.level()) {
      case WORKLOAD, APPLICATION -> Level.APPLICATION;
      case PROCEDURE -> Level.THREAD;
      default -> node.level();
    };
  }

  /**
   * The curves as a table: bins with {@code from} and {@code to}, then a column for each curve, empty
   * where nothing is known.
   *
   * @param trace directories, for people
   */
  public Table table(String trace) {
    List<Column> columns = new ArrayList<>(List.of(Column.key("from", "from", Unit.NANOSECONDS),
        Column.key("to", "to", Unit.NANOSECONDS)));
    curves.forEach(curve ->
        columns.add(new Column(metric.key() + " " + curve.name(), curve.name(), metric.unit())));
    List<Row> rows = new ArrayList<>();
    for (int bin = 0; bin + 1 < borders.length; bin++) {
      List<Object> values = new ArrayList<>(List.of(borders[bin], borders[bin + 1]));
      for (Curve curve : curves) {
        values.add(value(curve.values()[bin]));
      }
      rows.add(new Row(Integer.toString(bin), null, null, values));
    }
    return new Table("histogram", metric.label() + " over time", trace,
        Map.of("metric", metric.key(), "bins", Integer.toString(rows.size())), "bin", Unit.COUNT,
        0, -1, columns, rows, List.of());
  }

  private Object value(double value) {
    return switch (metric.unit()) {
      case NANOSECONDS, COUNT, BYTES -> Double.isNaN(value) ? "" : Math.round(value);
      default -> Double.isNaN(value) ? "" : value;
    };
  }

  /** @return the bin of a moment, the nearest for those outside */
  public int bin(long timeNs) {
    int low = 0;
    int high = borders.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (borders[middle] <= timeNs) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
