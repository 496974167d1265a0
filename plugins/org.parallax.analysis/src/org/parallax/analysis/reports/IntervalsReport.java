package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.SampleIntervals;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * How long the intervals between samples are, with the time in calls and without it (Szebenyi et al.
 * 2011, Figure 3).
 *
 * <p>Columns: {@code from} and {@code to} of the bin in nanoseconds, {@code before} and
 * {@code after}: how many intervals were in it before and after the time in calls was taken away.
 * The counts of either add up to the total, the number of samples. Bins without any are left out.
 * The parameters tell what the intervals add up to: {@code sampledNs}, with {@code insideNs} in
 * calls and {@code restNs} for which no sample speaks, is {@code totalNs}.
 */
public final class IntervalsReport {
  /** Where the distance of samples is not known. */
  private static final long DEFAULT_BIN_NS = 1_000_000;
  private static final int BINS_IN_AN_INTERVAL = 10;

  private static final List<Column> COLUMNS = List.of(
      Column.key("from", "from", Unit.NANOSECONDS),
      Column.key("to", "to", Unit.NANOSECONDS),
      new Column("before", "before", Unit.COUNT),
      new Column("after", "after", Unit.COUNT));
  private static final int AFTER = 3;

  private IntervalsReport() {}

  /**
   * Makes a histogram.
   *
   * @param weight the clock: CPU or wall time
   * @param node to which it is limited; null for all threads
   * @param thread the number of the threads in their processes, -1 for all
   * @param binNs the width of the bins, 0 for a tenth of the distance that samples should have
   */
  public static Table of(ApplicationAnalysis analysis, Weight weight, TreeNode node, int thread,
      long binNs, Progress progress) {
    Scope scope = new Scope(analysis, node);
    List<ThreadRecord> records = records(analysis, node, thread);
    long width = binNs > 0 ? binNs : width(records);
    Map<Long, long[]> bins = new TreeMap<>();
    long[] sums = new long[4];
    long samples = 0;
    for (ThreadRecord record : records) {
      SampleIntervals intervals = SampleIntervals.of(record.thread(), progress);
      for (long i = 0; i < intervals.count(); i++) {
        bin(bins, intervals.intervalNs(weight, i) / width)[0]++;
        bin(bins, intervals.effectiveNs(weight, i) / width)[1]++;
      }
      samples += intervals.count();
      sums[0] += intervals.sampledNs(weight);
      sums[1] += intervals.insideNs(weight);
      sums[2] += intervals.restNs(weight);
      sums[3] += intervals.totalNs(weight);
    }
    List<Row> rows = new ArrayList<>();
    bins.forEach((bin, counts) -> rows.add(Row.of(Long.toString(bin), null, bin * width,
        (bin + 1) * width, counts[0], counts[1])));
    Map<String, String> parameters = analysis.parameters();
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    if (thread >= 0) {
      parameters.put("thread", Integer.toString(thread));
    }
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    parameters.put("binNs", Long.toString(width));
    parameters.put("threads", Integer.toString(records.size()));
    parameters.put("sampledNs", Long.toString(sums[0]));
    parameters.put("insideNs", Long.toString(sums[1]));
    parameters.put("restNs", Long.toString(sums[2]));
    parameters.put("totalNs", Long.toString(sums[3]));
    return new Table("intervals", "Sample intervals (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "bin", Unit.COUNT, samples, AFTER,
        COLUMNS, rows, List.of());
  }

  /** @return the width of the bins that are made without one being asked for */
  public static long binNs(ApplicationAnalysis analysis, TreeNode node, int thread) {
    return width(records(analysis, node, thread));
  }

  private static List<ThreadRecord> records(
      ApplicationAnalysis analysis, TreeNode node, int thread) {
    Scope scope = new Scope(analysis, node);
    return analysis.threads().stream().filter(scope::has)
        .filter(record -> thread < 0 || record.thread().id() == thread).toList();
  }

  private static long width(List<ThreadRecord> records) {
    int hz = records.stream().mapToInt(record -> record.process().sampleHz()).max().orElse(0);
    return hz == 0 ? DEFAULT_BIN_NS : Math.max(1, 1_000_000_000L / hz / BINS_IN_AN_INTERVAL);
  }

  private static long[] bin(Map<Long, long[]> bins, long number) {
    return bins.computeIfAbsent(number, k -> new long[2]);
  }
}
