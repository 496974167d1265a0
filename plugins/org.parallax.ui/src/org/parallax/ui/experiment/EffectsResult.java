package org.parallax.ui.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.table.Table;
import org.parallax.experiment.effects.Anova;
import org.parallax.experiment.effects.Diagnosis;
import org.parallax.experiment.effects.EffectTables;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Options;
import org.parallax.experiment.effects.Plots;
import org.parallax.experiment.effects.Proposal;
import org.parallax.experiment.effects.Ranking;
import org.parallax.experiment.effects.Responses;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.TrialTables;
import org.parallax.model.Experiment;
import org.parallax.model.Response;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;

/**
 * What an experiment tells of one response.
 *
 * @param responses the names of all responses
 * @param diagnosis null with more than two levels
 * @param tables the most important first
 * @param halfNormal points of the plots; empty with more than two levels
 */
public record EffectsResult(Path file, Experiment experiment, List<String> names, Responses responses,
    Diagnosis diagnosis, List<Proposal> proposals, List<Table> tables,
    List<Plots.HalfNormal> halfNormal, List<Plots.Bar> pareto, List<Ranking.Level> levels,
    List<Plots.Interaction> interactions, List<Plots.Point> runOrder) {
  private static final int ALIAS_ORDER = 2;

  /**
   * Reads and analyses an experiment; not on the UI thread.
   *
   * @param response its name; the first one if there is none of this name
   * @throws ExperimentException when there are no trials
   */
  static EffectsResult of(Path file, String response) throws TraceException, ExperimentException {
    Experiment experiment = ExperimentFile.readDraft(file);
    List<String> names = experiment.getResponses().stream().map(Response::getName).toList();
    Responses responses = ExperimentData.responses(experiment,
        experiment.getResponses().get(Math.max(0, names.indexOf(response))));
    Options options = Options.of(responses.design().factors());
    String path = file.toString();
    List<Table> tables = new ArrayList<>();
    Diagnosis diagnosis = null;
    Ranking ranking = Ranking.of(responses, options, Ranking.By.MEAN);
    boolean two = responses.design().levels() == 2;
    if (two) {
      diagnosis = Diagnosis.of(Effects.of(responses, options));
      tables.add(EffectTables.effects(path, diagnosis));
      tables.add(EffectTables.robust(path, diagnosis));
    }
    tables.add(EffectTables.ranking(path, ranking));
    tables.add(EffectTables.levels(path, ranking));
    tables.add(EffectTables.anova(path, responses, options, Anova.Sums.MARGINAL));
    if (two) {
      tables.add(EffectTables.aliases(path, responses.design(), responses.factors(), ALIAS_ORDER));
    }
    tables.add(TrialTables.counts(path, experiment));
    Effects effects = two ? diagnosis.effects() : null;
    return new EffectsResult(file, experiment, names, responses, diagnosis,
        two ? Proposal.of(diagnosis) : List.of(), tables,
        two ? Plots.halfNormal(effects) : List.of(), two ? Plots.pareto(effects) : List.of(),
        Plots.mainEffects(responses, options), two ? Plots.interactions(responses) : List.of(),
        Plots.runOrder(responses));
  }
}
