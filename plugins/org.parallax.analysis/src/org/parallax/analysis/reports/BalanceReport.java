package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Distribution;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * How the time of each procedure is spread over the processes: lowest, mean and highest, with those that
 * stand apart.
 *
 * <p>Columns: {@code time}, without what is called, adds up to the total; {@code percent}; {@code least},
 * {@code mean} and {@code most} of the processes in scope, of which those without the procedure have 0;
 * {@code excess}, most less mean: what a perfect balance would save; {@code imbalance}, excess by mean;
 * {@code slowest}, the process with the most; {@code outliers}, the processes outside of Tukey's fences
 * (Tukey 1977): 1.5 interquartile ranges beyond the quartiles; {@code distribution}, a bar for each
 * process, or for each group of neighbours, in their order. Rows stand by falling excess. Cost: that of the
 * profiles, and O(P log P) for each procedure of P processes.
 */
public final class BalanceReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      Column.mean("least", "min", Unit.NANOSECONDS),
      Column.mean("mean", "mean", Unit.NANOSECONDS),
      Column.mean("most", "max", Unit.NANOSECONDS),
      Column.mean("excess", "max - mean", Unit.NANOSECONDS),
      Column.mean("imbalance", "imbalance %", Unit.PERCENT),
      new Column("slowest", "slowest", Unit.TEXT),
      new Column("outliers", "outliers", Unit.TEXT),
      Distribution.COLUMN);
  private static final int MOST_NAMED = 4;

  private BalanceReport() {
  }

  /**
   * Makes the report.
   *
   * @param node to which it is limited; null for the whole application
   */
  public static Table of(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> records = analysis.threads();
    Scope scope = new Scope(analysis, node);
    Map<Integer, Integer> places = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (ThreadRecord record : records) {
      if (scope.has(record) && places.putIfAbsent(record.process().index(), names.size()) == null) {
        names.add(Names.where(analysis.thread(record), Level.PROCESS));
      }
    }
    Map<Integer, long[]> times = new HashMap<>();
    for (int i = 0; i < profiles.size(); i++) {
      progress.check();
      if (scope.has(records.get(i))) {
        add(analysis, records.get(i).process().index(), profiles.get(i), scope, places, times);
      }
    }
    return table(analysis, scope, names, times);
  }

  private static void add(ApplicationAnalysis analysis, int process, CallPathProfile profile, Scope scope,
      Map<Integer, Integer> places, Map<Integer, long[]> times) {
    int place = places.get(process);
    for (int path = 0; path < profile.wallNs().length; path++) {
      long wallNs = profile.wallNs()[path];
      int leaf = wallNs == 0 ? 0 : analysis.procedures().leaf(process, path);
      if (wallNs != 0 && scope.hasProcedure(leaf)) {
        times.computeIfAbsent(leaf, missing -> new long[places.size()])[place] += wallNs;
      }
    }
  }

  private static Table table(ApplicationAnalysis analysis, Scope scope, List<String> names,
      Map<Integer, long[]> times) {
    long total = times.values().stream().flatMapToLong(Arrays::stream).sum();
    int excess = COLUMNS.stream().map(Column::key).toList().indexOf("excess");
    List<Row> rows = new ArrayList<>();
    times.forEach((procedure, each) -> rows.add(row(analysis, procedure, each, names, total)));
    rows.sort(Comparator.<Row>comparingLong(row -> -(Long) row.values().get(excess))
        .thenComparing(Row::name, NaturalOrder.INSTANCE));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("processes", Integer.toString(names.size()));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("balance", "Balance of " + names.size() + (names.size() == 1 ? " process ("
        : " processes (") + analysis.name() + ")", analysis.traceNames(), parameters, "name",
        Unit.NANOSECONDS, total, 0, COLUMNS, rows, List.of());
  }

  private static Row row(ApplicationAnalysis analysis, int procedure, long[] times, List<String> names,
      long total) {
    long sum = Arrays.stream(times).sum();
    int slowest = 0;
    long least = times[0];
    for (int i = 1; i < times.length; i++) {
      slowest = times[i] > times[slowest] ? i : slowest;
      least = Math.min(least, times[i]);
    }
    long mean = Math.round((double) sum / times.length);
    long excess = Math.max(0, times[slowest] - mean);
    return Row.of(analysis.procedures().get(procedure).name(), analysis.procedure(procedure), sum,
        total == 0 ? 0.0 : 100.0 * sum / total, least, mean, times[slowest], excess,
        mean == 0 ? 0.0 : 100.0 * excess / mean, names.get(slowest), outliers(times, names), Distribution.bars(times));
  }

  /** @return the names of those that stand apart, the farthest ones first; empty if there are none */
  static String outliers(long[] times, List<String> names) {
    List<Integer> found = Outliers.of(times);
    List<String> told = new ArrayList<>(found.stream().limit(MOST_NAMED).map(names::get).toList());
    if (found.size() > MOST_NAMED) {
      told.add(found.size() - MOST_NAMED + " more");
    }
    return String.join(", ", told);
  }
}
