package org.parallax.ui.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.table.Table;
import org.parallax.experiment.design.DesignRequest;
import org.parallax.experiment.design.PlannedDesign;
import org.parallax.experiment.design.Power;
import org.parallax.experiment.effects.EffectTables;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Places;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.ui.platform.Texts;

/**
 * What can be said of an experiment before it is run.
 *
 * @param program what is wrong with the command, or empty
 * @param problems of the place of each factor, or of its treatment; empty when nothing is
 * @param found where each factor's place is in the program; empty when it was not looked for
 * @param design what is wrong with the design, or empty
 * @param planned null when there is no design
 * @param lines of the design, for people
 * @param aliases null when there is no design, or it has more than two levels
 * @param power what the experiment can see, or empty
 */
record ExperimentCheck(String program, List<String> problems, List<String> found, String design,
    PlannedDesign planned, List<String> lines, Table aliases, String power) {
  private static final int ALIAS_ORDER = 2;

  /**
   * Looks for the places and makes the design; not on the UI thread.
   *
   * @param noise of a trial, in percent
   */
  static ExperimentCheck of(Path file, Experiment experiment, double noise) {
    List<Factor> factors = experiment.getFactors();
    List<String> problems = new ArrayList<>();
    List<String> found = new ArrayList<>();
    String program = places(file, experiment, problems, found);
    if (factors.isEmpty()) {
      return new ExperimentCheck(program, problems, found, Messages.noFactors, null, List.of(),
          null, "");
    }
    List<String> names = factors.stream().map(Factor::getName).toList();
    int levels = levels(factors.get(0));
    for (int i = 0; i < names.size(); i++) {
      if (levels(factors.get(i)) != levels) {
        problems.set(i, NLS.bind(Messages.otherLevels, new Object[] {names.get(i),
            levels(factors.get(i)), names.get(0), levels}));
      }
    }
    try {
      PlannedDesign planned = DesignRequest.parse(
          experiment.getDesign() == null ? "" : experiment.getDesign()).make(names, levels);
      boolean two = planned.design().levels() == 2;
      return new ExperimentCheck(program, problems, found, "", planned, planned.lines(names),
          two ? EffectTables.aliases(file.toString(), planned.design(), names, ALIAS_ORDER) : null,
          two ? Power.of(planned.design(), experiment.getReplicates(), noise)
              .text(Power.USUAL_POWER, "%") : "");
    } catch (IllegalArgumentException e) {
      return new ExperimentCheck(program, problems, found, Texts.sentence(e.getMessage()), null,
          List.of(), null, "");
    }
  }

  static int levels(Factor factor) {
    return factor.getSettings() == null ? 0 : factor.getSettings().split(" ").length;
  }

  private static String places(Path file, Experiment experiment, List<String> problems,
      List<String> found) {
    int count = experiment.getFactors().size();
    for (int i = 0; i < count; i++) {
      problems.add("");
      found.add("");
    }
    if (count == 0) {
      return "";
    }
    try {
      Places places = NativeTools.find().look(file, experiment);
      for (int i = 0; i < count; i++) {
        problems.set(i, Texts.sentence(String.join("; ", places.problems(i))));
        found.set(i, text(places, i));
      }
      return "";
    } catch (ExperimentException e) {
      return Texts.sentence(e.getMessage());
    }
  }

  private static String text(Places places, int factor) {
    Map<String, Integer> where = new LinkedHashMap<>();
    for (Places.Point point : places.points()) {
      if (point.place() == factor) {
        String function = point.function().isEmpty() ? point.method() : point.function();
        where.merge(point.file().isEmpty() ? function : function + " ("
            + Path.of(point.file()).getFileName() + ":" + point.line() + ")", 1, Integer::sum);
      }
    }
    List<String> texts = new ArrayList<>();
    where.forEach((text, times) ->
        texts.add(times == 1 ? text : NLS.bind(Messages.times, text, times)));
    texts.addAll(places.notes(factor));
    return String.join(", ", texts);
  }

  /** Whether it can be written so that it can be read again. */
  boolean hasEqualLevels(Experiment experiment) {
    List<Factor> factors = experiment.getFactors();
    return factors.stream().allMatch(factor -> levels(factor) == levels(factors.get(0)));
  }
}
