package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.experiment.design.Fraction;
import org.parallax.experiment.design.Generator;
import org.parallax.experiment.design.Term;
import org.parallax.experiment.effects.Effect;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Options;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentRunner;
import org.parallax.experiment.run.Factors;
import org.parallax.experiment.run.Tools;
import org.parallax.model.Experiment;
import org.parallax.model.ModelFactory;
import org.parallax.model.Response;
import org.parallax.model.ResponseKind;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;

/** Experiments on a real program whose elapsed time is a known function of the delays. */
class PlantedExperimentTest {
  private static final Path NATIVE =
      Path.of(System.getProperty("parallax.native", "native/build")).toAbsolutePath().normalize();
  private static final int EXPERIMENTS = 20;
  private static final double DELAY_NS = 200_000;
  /** Of the median of all experiments, beside a fifth of the effect. */
  private static final double BIAS_NS = 300_000;
  /** Which are beyond the 99.9 % point of a binomial distribution with 5 %. */
  private static final double MOST_OUTSIDE = 0.125;

  @TempDir
  private Path directory;

  private static Experiment experiment(long seed) throws Exception {
    Experiment experiment = ModelFactory.eINSTANCE.createExperiment();
    experiment.getArguments().add(Recording.program("planted_delays"));
    for (String place : List.of("macro:serial", "left", "right", "exit:last", "hidden")) {
      experiment.getFactors().add(Factors.make(place, experiment.getFactors()));
    }
    for (var factor : experiment.getFactors()) {
      Factors.treat(factor, "spin 200us", 2);
    }
    Response elapsed = ModelFactory.eINSTANCE.createResponse();
    elapsed.setName("elapsed");
    elapsed.setKind(ResponseKind.ELAPSED);
    elapsed.setUnit("ns");
    experiment.getResponses().add(elapsed);
    List<String> names = experiment.getFactors().stream().map(f -> f.getName()).toList();
    // left&right is aliased with nothing that there is: hidden does nothing.
    ExperimentData.setDesign(experiment, Fraction.of(
        Generator.parse("last=serial*left,hidden=serial*right", names), names).design());
    experiment.setReplicates(2);
    experiment.setSeed(seed);
    return experiment;
  }

  /** What delays took of what was requested: more where others take the processors in between. */
  private static double achieved(Experiment experiment, int factor) {
    long requested = 0;
    long achieved = 0;
    for (Trial trial : experiment.getTrials()) {
      requested += trial.getCounts().get(factor).getRequestedNs();
      achieved += trial.getCounts().get(factor).getAchievedNs();
    }
    return (double) achieved / requested;
  }

  @Test
  void effectsAreInTheirIntervalsAtTheStatedRate() throws Exception {
    QuietMachine.measure(attempt ->
        experiment(Files.createDirectory(directory.resolve("attempt" + attempt))));
  }

  private static void experiment(Path into) throws Exception {
    double[] truth = {40 * DELAY_NS, 15 * DELAY_NS, 15 * DELAY_NS, 20 * DELAY_NS, 0};
    long seed = 1992;
    int outside = 0;
    int all = 0;
    double[][] errors = new double[truth.length][EXPERIMENTS];
    double[] givenNs = new double[truth.length];
    List<String> wrong = new ArrayList<>();
    Tools tools = new Tools(NATIVE.resolve("parallax-record"), NATIVE.resolve("parallax-points"));
    for (int i = 0; i < EXPERIMENTS; i++) {
      Experiment experiment = experiment(seed + i);
      Path file = into.resolve(i + ".experiment");
      new ExperimentRunner(file, experiment, tools).run(false, new SoundTrials(), Progress.NONE);
      for (Trial trial : experiment.getTrials()) {
        if (trial.getKind() == TrialKind.DESIGN) {
          assertEquals(List.of(40L, 30L, 30L, 20L, 25L),
              trial.getCounts().stream().map(count -> count.getCount()).toList());
        }
      }
      Effects effects = Effects.of(
          ExperimentData.responses(experiment, experiment.getResponses().get(0)), Options.of(5));
      for (int factor = 0; factor < truth.length; factor++) {
        double given = truth[factor] * achieved(experiment, factor);
        Effect effect = effects.effect(Term.of(factor)).orElseThrow();
        errors[factor][i] = effect.estimate() - given;
        givenNs[factor] += given / EXPERIMENTS;
        all++;
        if (given < effect.interval().low() || given > effect.interval().high()) {
          outside++;
          wrong.add(String.format("%s %.3f ms, not %.3f", effect.name(), effect.estimate() / 1e6,
              given / 1e6));
        }
      }
    }
    int found = outside;
    int looked = all;
    QuietMachine.times(() -> assertTrue(found <= MOST_OUTSIDE * looked,
        found + " of " + looked + " outside: " + wrong));
    for (int factor = 0; factor < truth.length; factor++) {
      Arrays.sort(errors[factor]);
      double median = (errors[factor][EXPERIMENTS / 2 - 1] + errors[factor][EXPERIMENTS / 2]) / 2;
      double tolerance = 0.2 * givenNs[factor] + BIAS_NS;
      String message = "median error of factor " + factor;
      QuietMachine.times(() -> assertEquals(0, median, tolerance, message));
    }
  }
}
