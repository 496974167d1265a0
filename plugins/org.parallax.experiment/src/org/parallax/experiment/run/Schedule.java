package org.parallax.experiment.run;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.RunOrder;
import org.parallax.model.Experiment;
import org.parallax.model.ModelFactory;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.model.TrialStatus;

/**
 * The trials of an experiment in the order of time: warm-ups, pilots, then each replicate with an
 * order of its own within its blocks (Lyon, Snelick, Kacker 1992, section 2.1, steps 2 and 3).
 */
final class Schedule {
  /** The run of trials with all factors at their lowest level. */
  static final int BASELINE = -1;
  /** The run of trials with all factors at their highest level. */
  static final int HIGHEST = -2;
  /** How many pilots without treatments tell the noise. */
  static final int NOISE_PILOTS = 4;

  private Schedule() {}

  /** Plans all trials; those that there were are forgotten. */
  static void plan(Experiment experiment) {
    List<Trial> trials = experiment.getTrials();
    trials.clear();
    for (int i = 0; i < experiment.getWarmups(); i++) {
      trials.add(trial(TrialKind.WARMUP, BASELINE, 0, 0));
    }
    for (int i = 0; i < NOISE_PILOTS; i++) {
      trials.add(trial(TrialKind.PILOT, BASELINE, 0, 0));
    }
    trials.add(trial(TrialKind.PILOT, HIGHEST, 0, 0));
    Design design = ExperimentData.design(experiment);
    for (int replicate = 0; replicate < experiment.getReplicates(); replicate++) {
      replicate(experiment, design, replicate);
    }
  }

  /** In each block there is a trial without treatments, for percentages and drift. */
  private static void replicate(Experiment experiment, Design design, int replicate) {
    List<int[]> blocks = RunOrder.of(design, experiment.getSeed(), replicate);
    RunOrder places = new RunOrder(~experiment.getSeed(), replicate);
    for (int[] runs : blocks) {
      int block = replicate * blocks.size() + design.blocks()[runs[0]];
      int baseline = places.shuffled(IntStream.rangeClosed(0, runs.length).toArray())[0];
      for (int i = 0; i <= runs.length; i++) {
        if (i == baseline) {
          experiment.getTrials().add(trial(TrialKind.BASELINE, BASELINE, replicate, block));
        }
        if (i < runs.length) {
          experiment.getTrials().add(trial(TrialKind.DESIGN, runs[i], replicate, block));
        }
      }
    }
  }

  /** The coded level of each factor in a trial. */
  static int[] codes(Experiment experiment, Trial trial) {
    int[] codes = new int[experiment.getFactors().size()];
    boolean two = experiment.getLevels() == 2;
    if (trial.getRun() == BASELINE) {
      Arrays.fill(codes, two ? -1 : 0);
    } else if (trial.getRun() == HIGHEST) {
      Arrays.fill(codes, two ? 1 : experiment.getLevels() - 1);
    } else {
      String[] texts = experiment.getRuns().get(trial.getRun()).getSettings().split(" ");
      Arrays.setAll(codes, i -> Integer.parseInt(texts[i]));
    }
    return codes;
  }

  private static Trial trial(TrialKind kind, int run, int replicate, int block) {
    Trial trial = ModelFactory.eINSTANCE.createTrial();
    trial.setKind(kind);
    trial.setRun(run);
    trial.setReplicate(replicate);
    trial.setBlock(block);
    trial.setStatus(TrialStatus.PLANNED);
    return trial;
  }
}
