package org.parallax.experiment.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Response;
import org.parallax.model.TreatmentCount;
import org.parallax.model.Trial;
import org.parallax.model.TrialStatus;

/** The trials of an experiment as tables; {@code docs/experiments.md} has their keys. */
public final class TrialTables {
  private TrialTables() {}

  /** All trials in the order of time, with their settings, what went wrong, and their responses. */
  public static Table trials(String file, Experiment experiment) {
    List<Column> columns = new ArrayList<>(List.of(
        Column.info("kind", "kind", Unit.TEXT), Column.info("run", "run", Unit.COUNT),
        Column.info("replicate", "replicate", Unit.COUNT),
        Column.info("settings", "settings", Unit.TEXT),
        Column.info("status", "status", Unit.TEXT),
        Column.info("failures", "failures", Unit.COUNT)));
    for (Response response : experiment.getResponses()) {
      columns.add(new Column(response.getName(), response.getName(), unit(response)));
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < experiment.getTrials().size(); i++) {
      Trial trial = experiment.getTrials().get(i);
      List<Object> values = new ArrayList<>(List.of(lower(trial.getKind().getName()),
          trial.getRun() < 0 ? (Object) "" : trial.getRun() + 1L, trial.getReplicate() + 1L, settings(experiment, trial),
          lower(trial.getStatus().getName()), (long) trial.getFailures().size()));
      for (Response response : experiment.getResponses()) {
        Double value = trial.getStatus() == TrialStatus.DONE
            ? ExperimentData.value(trial, response) : null;
        values.add(value == null ? ""
            : unit(response) == Unit.NANOSECONDS ? (Object) Math.round(value) : value);
      }
      rows.add(new Row(Integer.toString(i + 1), trial, null, values));
    }
    return new Table("trials", "Trials", file, new LinkedHashMap<>(), "trial", Unit.COUNT,
        rows.size(), -1, columns, rows, List.of());
  }

  /**
   * Counted, requested and achieved delays of each factor: the mean of the trials in which it was at
   * its highest level, all threads together.
   */
  public static Table counts(String file, Experiment experiment) {
    List<Column> columns = List.of(new Column("count", "calls", Unit.COUNT),
        new Column("requested", "requested", Unit.NANOSECONDS),
        new Column("achieved", "achieved", Unit.NANOSECONDS),
        new Column("percent", "% achieved", Unit.PERCENT),
        new Column("skipped", "skipped", Unit.COUNT));
    List<Row> rows = new ArrayList<>();
    int highest = experiment.getLevels() == 2 ? 1 : experiment.getLevels() - 1;
    for (int i = 0; i < experiment.getFactors().size(); i++) {
      Factor factor = experiment.getFactors().get(i);
      int place = i;
      List<TreatmentCount> at = experiment.getTrials().stream()
          .filter(trial -> trial.getStatus() == TrialStatus.DONE
              && Schedule.codes(experiment, trial)[place] == highest)
          .map(trial -> FactorCounts.of(trial, factor.getName()))
          .filter(count -> count != null).toList();
      long requested = mean(at.stream().map(TreatmentCount::getRequestedNs).toList());
      long achieved = mean(at.stream().map(TreatmentCount::getAchievedNs).toList());
      rows.add(new Row(factor.getName(), factor, null,
          List.of(mean(at.stream().map(TreatmentCount::getCount).toList()), requested, achieved,
              requested == 0 ? (Object) "" : 100.0 * achieved / requested,
              mean(at.stream().map(TreatmentCount::getSkipped).toList()))));
    }
    return new Table("counts", "Delays of a trial at the highest level", file,
        new LinkedHashMap<>(), "factor", Unit.NANOSECONDS, 0, -1, columns, rows, List.of());
  }

  /** Nanoseconds that a factor adds to all threads at its highest level; the mean of its trials. */
  public static long addedNs(Experiment experiment, String factor) {
    Row row = counts("", experiment).rows().stream().filter(each -> each.name().equals(factor))
        .findFirst().orElseThrow();
    return (Long) row.values().get(2);
  }

  private static long mean(List<Long> values) {
    return Math.round(values.stream().mapToLong(Long::longValue).average().orElse(0));
  }

  private static String settings(Experiment experiment, Trial trial) {
    if (trial.getRun() < 0) {
      return (trial.getRun() == Schedule.BASELINE ? "all lowest" : "all highest");
    }
    String settings = experiment.getRuns().get(trial.getRun()).getSettings();
    return experiment.getLevels() != 2 ? settings
        : settings.replace("-1", "-").replace("1", "+").replace(" ", "");
  }

  private static Unit unit(Response response) {
    return "ns".equals(response.getUnit()) ? Unit.NANOSECONDS : Unit.NUMBER;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
