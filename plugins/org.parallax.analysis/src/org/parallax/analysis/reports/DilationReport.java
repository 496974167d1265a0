package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.Difference;
import org.parallax.analysis.intrusion.MeasuringCosts;
import org.parallax.analysis.intrusion.SharedProcessors;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * By how much the agent dilates a program, measured by runs with and without it, beside the estimate of
 * {@link IntrusionReport}.
 *
 * <p>Rows: elapsed time and CPU time. Columns: {@code plain} and {@code recorded}, the means; {@code dilation},
 * their difference, and {@code percent} of {@code plain}; {@code low} and {@code high}, its confidence interval by
 * Student's method for pairs of runs; {@code estimate}; {@code within} tells whether the estimate is in the
 * interval.
 */
public final class DilationReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("plain", "plain", Unit.NANOSECONDS),
      new Column("recorded", "recorded", Unit.NANOSECONDS),
      new Column("dilation", "dilation", Unit.NANOSECONDS),
      new Column("percent", "%", Unit.PERCENT),
      new Column("low", "low", Unit.NANOSECONDS),
      new Column("high", "high", Unit.NANOSECONDS),
      new Column("estimate", "estimate", Unit.NANOSECONDS),
      new Column("within", "estimate is", Unit.TEXT));

  /** Elapsed and CPU time of a run. */
  public record Times(long elapsedNs, long cpuNs) {}

  /**
   * A run without the agent and the one with it that was made next to it.
   *
   * @param estimate of what the agent added to the recorded run
   */
  public record Pair(Times plain, Times recorded, Times estimate) {}

  private DilationReport() {}

  /**
   * Estimates what the agent added to a run: to CPU time the intrusion of all threads, to elapsed time that by
   * which the path through the run, weighed by wall time, is longer, and the start of one process. Where a machine has more
   * running threads than processors, it is at least what {@link SharedProcessors} tells.
   *
   * @param applications of the run
   */
  public static Times estimate(Trace trace, List<Application> applications, Progress progress) {
    long cpuNs = 0;
    long elapsedNs = 0;
    Map<String, SharedProcessors> machines = new HashMap<>();
    for (Application application : applications) {
      ApplicationAnalysis analysis = new ApplicationAnalysis(application);
      cpuNs += IntrusionReport.of(analysis, Level.APPLICATION, null, progress).total();
      long lengthNs = analysis.criticalPath(Weight.WALL, progress).lengthNs();
      long withoutNs = analysis.withoutIntrusion().criticalPath(Weight.WALL, progress).lengthNs();
      elapsedNs = Math.max(elapsedNs, lengthNs - withoutNs);
      SharedProcessors.add(
          analysis.threads(), analysis.intrusion(progress), analysis.profiles(progress), machines);
    }
    int modules = trace.processes().stream().mapToInt(process -> process.modules().size()).max().orElse(0);
    long startNs = applications.isEmpty() ? 0 : Math.round(MeasuringCosts.of(trace.manifest()).start(modules));
    double sharedNs = machines.values().stream().mapToDouble(SharedProcessors::elapsedNs).max().orElse(0);
    return new Times(Math.max(elapsedNs + startNs, Math.round(sharedNs)), cpuNs);
  }

  /**
   * Makes the report.
   *
   * @param pairs at least two
   * @param confidence of the intervals, between 0 and 1
   */
  public static Table of(
      String command, String trace, List<Pair> pairs, double confidence, List<String> warnings) {
    List<Row> rows = new ArrayList<>();
    rows.add(row("elapsed time", pairs, Times::elapsedNs, confidence));
    rows.add(row("CPU time", pairs, Times::cpuNs, confidence));
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("command", command);
    parameters.put("pairs", Integer.toString(pairs.size()));
    parameters.put("confidence", Double.toString(confidence));
    parameters.put("method", "Student's t of paired differences");
    return new Table("dilation", "Dilation of " + command + " in " + pairs.size() + " pairs of runs", trace,
        parameters, "time", Unit.NANOSECONDS, 0, -1, COLUMNS, rows, List.copyOf(warnings));
  }

  private static Row row(String name, List<Pair> pairs, ToLongFunction<Times> time, double confidence) {
    Difference measured = Difference.paired(values(pairs, pair -> time.applyAsLong(pair.plain())),
        values(pairs, pair -> time.applyAsLong(pair.recorded())), confidence);
    double estimate = pairs.stream().mapToLong(pair -> time.applyAsLong(pair.estimate())).average().orElse(0);
    String within = estimate < measured.low() ? "below the interval"
        : estimate > measured.high() ? "above the interval" : "in the interval";
    return Row.of(name, null, Math.round(measured.base()), Math.round(measured.other()),
        Math.round(measured.value()),
        measured.base() == 0 ? 0.0 : 100 * measured.value() / measured.base(), Math.round(measured.low()),
        Math.round(measured.high()), Math.round(estimate), within);
  }

  private static double[] values(List<Pair> pairs, ToDoubleFunction<Pair> value) {
    return pairs.stream().mapToDouble(value).toArray();
  }
}
