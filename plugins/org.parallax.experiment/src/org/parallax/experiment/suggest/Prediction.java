package org.parallax.experiment.suggest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.reports.WhatIfReport.Extent;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.effects.Effect;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.run.TrialTables;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.trace.Progress;

/**
 * What the graph of a trace predicts of delays: the length of the critical path when a function takes
 * longer by what an experiment adds to it. Delays are spread over the function's work as it was
 * sampled; what a delay changes in the order of events, such as who gets a lock, is not foreseen.
 */
public final class Prediction {
  private static final List<Column> COLUMNS = List.of(
      new Column("effect", "measured", Unit.NANOSECONDS),
      new Column("error", "std. error", Unit.NANOSECONDS),
      new Column("predicted", "predicted", Unit.NANOSECONDS),
      new Column("added", "added to all threads", Unit.NANOSECONDS));

  private Prediction() {}

  /**
   * Measured effects with those that the graph predicts.
   *
   * @param functions of the factors' places, by their names; empty where none is known
   */
  public static Table of(String file, ApplicationAnalysis analysis, Experiment experiment,
      Effects effects, Map<String, Set<String>> functions, Progress progress) {
    List<Row> rows = new ArrayList<>();
    for (Factor factor : experiment.getFactors()) {
      long added = TrialTables.addedNs(experiment, factor.getName());
      Set<String> own = functions.get(factor.getName());
      OptionalLong predicted = own.size() == 1
          ? effectNs(analysis, own.iterator().next(), added, progress) : OptionalLong.empty();
      Optional<Effect> effect =
          effects.effect(effects.responses().factors().indexOf(factor.getName()));
      rows.add(new Row(factor.getName(), factor, null, List.of(
          effect.isPresent() ? (Object) Math.round(effect.get().estimate()) : "",
          effect.isPresent() && !Double.isNaN(effect.get().standardError())
              ? (Object) Math.round(effect.get().standardError()) : "",
          predicted.isPresent() ? (Object) predicted.getAsLong() : "", added)));
    }
    return new Table("prediction", "Measured and predicted by the graph", file,
        new LinkedHashMap<>(Map.of("trace", analysis.traceNames())), "effect of",
        Unit.NANOSECONDS, 0, -1, COLUMNS, rows, List.of());
  }

  /**
   * By how much longer the critical path would be.
   *
   * @param analysis of a trace of the unperturbed program, with the same input
   * @param function the name of the function with the delays
   * @param addedNs all delays together, of all threads
   * @return nanoseconds; empty when no sample is in the function, so that nothing is known of where
   *     it works
   */
  public static OptionalLong effectNs(ApplicationAnalysis analysis, String function, long addedNs,
      Progress progress) {
    long work = WhatIfReport.cpuNs(analysis, function, Extent.INCLUSIVE, progress);
    if (work == 0) {
      return OptionalLong.empty();
    }
    double slower = (double) work / (work + addedNs);
    Object saved = WhatIfReport.of(analysis, List.of(new WhatIfReport.Change(function, slower)),
        Extent.INCLUSIVE, Weight.CPU, progress).rows().get(0).values().get(2);
    return OptionalLong.of(-(Long) saved);
  }
}
