package org.parallax.experiment.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.effects.Observation;
import org.parallax.experiment.effects.Responses;
import org.parallax.model.DesignRun;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Measurement;
import org.parallax.model.ModelFactory;
import org.parallax.model.Response;
import org.parallax.model.Treatment;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.model.TrialStatus;

/** Experiments as analyses take them: the design, and one response of the trials that went well. */
public final class ExperimentData {
  private ExperimentData() {}

  /** @return the design whose runs an experiment has; its name is that of the experiment's design */
  public static Design design(Experiment experiment) {
    List<DesignRun> runs = experiment.getRuns();
    int[][] settings = new int[runs.size()][];
    int[] blocks = new int[runs.size()];
    for (int i = 0; i < settings.length; i++) {
      settings[i] = Arrays.stream(runs.get(i).getSettings().split(" "))
          .mapToInt(Integer::parseInt).toArray();
      blocks[i] = runs.get(i).getBlock();
    }
    return new Design(experiment.getDesignName(), experiment.getLevels(), settings, blocks);
  }

  /**
   * Puts a design into an experiment, in the place of the one it had; its trials are forgotten.
   *
   * @throws IllegalArgumentException when it has centre points, and a factor has no middle
   */
  public static void setDesign(Experiment experiment, Design design) {
    boolean hasCentre = IntStream.range(0, design.runs()).anyMatch(design::isCentre);
    for (Factor factor : experiment.getFactors()) {
      if (hasCentre && factor.getTreatment() == Treatment.LOCK) {
        throw new IllegalArgumentException("centre points need a middle setting for each factor, "
            + "but "
            + factor.getName() + " has none, because a lock is either taken or not");
      }
    }
    experiment.getTrials().clear();
    experiment.getRuns().clear();
    experiment.setDesignName(design.name());
    experiment.setLevels(design.levels());
    for (int i = 0; i < design.runs(); i++) {
      DesignRun run = ModelFactory.eINSTANCE.createDesignRun();
      run.setSettings(String.join(" ", Arrays.stream(design.settings()[i])
          .mapToObj(Integer::toString).toList()));
      run.setBlock(design.blocks()[i]);
      experiment.getRuns().add(run);
    }
  }

  /**
   * The values of a response.
   *
   * @throws ExperimentException when no trial of the design has been made
   */
  public static Responses responses(Experiment experiment, Response response)
      throws ExperimentException {
    List<Observation> observations = new ArrayList<>();
    List<Double> unperturbed = new ArrayList<>();
    List<Trial> trials = experiment.getTrials();
    for (int i = 0; i < trials.size(); i++) {
      Trial trial = trials.get(i);
      Double value = trial.getStatus() == TrialStatus.DONE ? value(trial, response) : null;
      if (value == null) {
        continue;
      }
      if (trial.getKind() == TrialKind.DESIGN) {
        observations.add(
            new Observation(trial.getRun(), trial.getReplicate(), trial.getBlock(), i, value));
      } else if (trial.getKind() != TrialKind.WARMUP && trial.getRun() == Schedule.BASELINE) {
        unperturbed.add(value);
      }
    }
    if (observations.isEmpty()) {
      throw new ExperimentException("the experiment has no trials yet; run them with: parallax "
          + "perturb run");
    }
    return new Responses(design(experiment),
        experiment.getFactors().stream().map(Factor::getName).toList(), response.getName(),
        "ns".equals(response.getUnit()) ? Unit.NANOSECONDS : Unit.NUMBER, observations, unperturbed);
  }

  /**
   * By how much the highest level of each factor is above its lowest, in nanoseconds, bytes, or
   * thousandths.
   *
   * @throws ExperimentException when a setting is none
   */
  public static double[] amounts(Experiment experiment) throws ExperimentException {
    double[] amounts = new double[experiment.getFactors().size()];
    for (int i = 0; i < amounts.length; i++) {
      Factor factor = experiment.getFactors().get(i);
      String[] settings = factor.getSettings().split(" ");
      amounts[i] = Amount.parse(factor.getTreatment(), settings[settings.length - 1])
          - Amount.parse(factor.getTreatment(), settings[0]);
    }
    return amounts;
  }

  /** @return the value of a response in a trial, or null */
  static Double value(Trial trial, Response response) {
    return trial.getMeasurements().stream()
        .filter(measurement -> response.getName().equals(measurement.getResponse()))
        .map(Measurement::getValue).findFirst().orElse(null);
  }
}
