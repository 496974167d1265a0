package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.trace.Progress;

/**
 * The efficiency factors of the POP Centre of Excellence, of one run or of a series: a row for each
 * factor and a column for each run. Factors multiply to the one above them; {@code
 * docs/efficiency.md} has the formulas and the names.
 */
public final class EfficiencyReport {
  private static final String GLOBAL = "Global efficiency";

  private EfficiencyReport() {}

  /**
   * Makes the table.
   *
   * @param runs each application and run is a column, in this order; at least one
   * @param weak true if the problem of a run is as large as its number of places
   */
  public static Table of(List<ApplicationAnalysis> runs, boolean weak, Progress progress) {
    List<Efficiency> columns = new ArrayList<>();
    Set<String> warnings = new LinkedHashSet<>();
    for (ApplicationAnalysis run : runs) {
      Efficiency efficiency = new Efficiency(run, progress);
      columns.add(efficiency);
      warnings.addAll(efficiency.warnings());
    }
    Efficiency reference =
        columns.stream().min(Comparator.comparingLong(Efficiency::places)).orElseThrow();
    List<Row> rows = new ArrayList<>();
    count(rows, columns, "Processes", Efficiency::processes);
    count(rows, columns, "Places", Efficiency::places);
    time(rows, columns, "Elapsed time", Efficiency::elapsedNs);
    time(rows, columns, "Useful time", Efficiency::usefulNs);
    time(rows, columns, "Most useful time of a place", Efficiency::mostUsefulNs);
    time(rows, columns, "Time outside of routines", Efficiency::possibleNs);
    time(rows, columns, "Elapsed time on an ideal network", Efficiency::idealNs);
    factor(rows, columns, GLOBAL, run ->
        run.parallel() * run.computationScaling(reference, weak));
    factor(rows, columns, "Parallel efficiency", Efficiency::parallel);
    factor(rows, columns, "Load balance", Efficiency::loadBalance);
    factor(rows, columns, "Communication efficiency", Efficiency::communication);
    factor(rows, columns, "Serialization efficiency", Efficiency::serialization);
    factor(rows, columns, "Transfer efficiency", Efficiency::transfer);
    factor(rows, columns, "Computation scaling", run ->
        run.computationScaling(reference, weak));
    if (columns.stream().anyMatch(Efficiency::hasThreads)) {
      factor(rows, columns, "Process parallel efficiency", Efficiency::processParallel);
      factor(rows, columns, "Process load balance", Efficiency::processLoadBalance);
      factor(rows, columns, "Process communication efficiency", Efficiency::processCommunication);
      factor(rows, columns, "Thread parallel efficiency", Efficiency::threadParallel);
      factor(rows, columns, "Thread load balance", Efficiency::threadLoadBalance);
      factor(rows, columns, "Thread communication efficiency", Efficiency::threadCommunication);
    }
    factor(rows, columns, "Processor availability", Efficiency::availability);
    if (columns.size() > 1) {
      factor(rows, columns, "Speedup", run -> run.elapsedNs() == 0 ? 0
          : (double) reference.elapsedNs() / run.elapsedNs());
    }
    Map<String, String> parameters = new LinkedHashMap<>(runs.get(0).parameters());
    parameters.put("application", runs.stream().map(ApplicationAnalysis::name)
        .collect(Collectors.joining(", ")));
    parameters.put("reference", reference.name());
    parameters.put("scaling", weak ? "weak" : "strong");
    parameters.put("notAvailable", "IPC scaling, instruction scaling and frequency scaling, which "
        + "need hardware counters");
    return new Table("efficiency", "Efficiency (" + columns.stream().map(Efficiency::name)
        .collect(Collectors.joining(", ")) + ")", runs.stream()
        .map(ApplicationAnalysis::traceNames).distinct().collect(Collectors.joining(", ")),
        parameters, "factor", Unit.OF_ROW, 0, -1,
        columns.stream().map(run -> new Column(run.name(), run.name(), Unit.OF_ROW)).toList(), rows,
        List.copyOf(warnings));
  }

  private static void count(
      List<Row> rows, List<Efficiency> runs, String name, ToLongFunction<Efficiency> value) {
    add(rows, runs, name, Unit.COUNT, value);
  }

  private static void time(
      List<Row> rows, List<Efficiency> runs, String name, ToLongFunction<Efficiency> value) {
    add(rows, runs, name, Unit.NANOSECONDS, value);
  }

  private static void add(List<Row> rows, List<Efficiency> runs, String name, Unit unit,
      ToLongFunction<Efficiency> value) {
    rows.add(new Row(name, null, unit,
        runs.stream().map(run -> (Object) value.applyAsLong(run)).toList()));
  }

  private static void factor(
      List<Row> rows, List<Efficiency> runs, String name, ToDoubleFunction<Efficiency> value) {
    rows.add(new Row(name, null, Unit.PERCENT,
        runs.stream().map(run -> (Object) (100 * value.applyAsDouble(run))).toList()));
  }
}
