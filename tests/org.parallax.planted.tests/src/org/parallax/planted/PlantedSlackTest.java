package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.experiment.design.DesignRequest;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Options;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentRunner;
import org.parallax.experiment.run.Factors;
import org.parallax.experiment.run.Tools;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.ModelFactory;
import org.parallax.model.Response;
import org.parallax.model.ResponseKind;
import org.parallax.model.TreatmentCount;
import org.parallax.model.Trial;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.OpenMpi;

/** Experiments under mpirun: what is delayed where somebody waits anyway costs nothing. */
class PlantedSlackTest {
  private static final Path NATIVE =
      Path.of(System.getProperty("parallax.native", "native/build")).toAbsolutePath().normalize();
  private static final int ROUNDS = 8;
  private static final double DELAY_MS = 25;

  @TempDir Path directory;

  private static void respond(Experiment experiment, String name, ResponseKind kind,
      String argument, String unit) {
    Response response = ModelFactory.eINSTANCE.createResponse();
    response.setName(name);
    response.setKind(kind);
    response.setArgument(argument);
    response.setUnit(unit);
    experiment.getResponses().add(response);
  }

  private static Experiment experiment(String mpi, String treatment) throws Exception {
    Experiment experiment = ModelFactory.eINSTANCE.createExperiment();
    experiment.setProgram(Recording.program("planted_slack." + mpi));
    experiment.getArguments().add("env");
    experiment.getArguments().addAll(OpenMpi.words());
    experiment.getArguments().addAll(List.of("mpirun." + mpi, "-n", "2", experiment.getProgram(),
        Integer.toString(ROUNDS)));
    for (String place : List.of("order=before:MPI_Recv@take_order",
        "answer=before:MPI_Recv@take_answer", "step")) {
      experiment.getFactors().add(Factors.make(place, experiment.getFactors()));
    }
    for (Factor factor : experiment.getFactors()) {
      Factors.treat(factor, factor.getName().equals("step") ? treatment : "sleep 25ms", 2);
    }
    respond(experiment, "rounds", ResponseKind.OUTPUT, "rounds took ([0-9.]+) ms", "");
    respond(experiment, "elapsed", ResponseKind.ELAPSED, null, "ns");
    respond(experiment, "path", ResponseKind.CRITICAL_PATH, null, "ns");
    respond(experiment, "messages", ResponseKind.METRIC, "Messages sent", "");
    ExperimentData.setDesign(experiment, DesignRequest.parse("4 runs")
        .make(List.of("order", "answer", "step"), 2).design());
    experiment.setSeed(1992);
    experiment.setReplicates(2);
    return experiment;
  }

  private static double effect(Experiment experiment, int response, int factor) throws Exception {
    return Effects.of(ExperimentData.responses(experiment, experiment.getResponses().get(response)),
        Options.of(3)).effect(factor).orElseThrow().estimate();
  }

  /** Whether a factor is at its high level in a run of the design. */
  private static boolean isHigh(Experiment experiment, int run, int factor) {
    String[] settings = experiment.getRuns().get(run).getSettings().split(" ");
    return Integer.parseInt(settings[factor]) > 0;
  }

  private static boolean isTreated(Experiment experiment, Trial trial) {
    return trial.getRun() < 0 ? trial.getCounts().get(0).getRequestedNs() > 0
        : isHigh(experiment, trial.getRun(), 2);  // before them is one with all treatments
  }

  /** The least of the first response, which others on the machine disturb least. */
  private static double best(Experiment experiment, int factor, boolean high) {
    return experiment.getTrials().stream()
        .filter(trial -> trial.getRun() >= 0 && isHigh(experiment, trial.getRun(), factor) == high)
        .mapToDouble(trial -> trial.getMeasurements().get(0).getValue()).min().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"openmpi,lock:gate", "mpich,message 1k"})
  void onlyDelaysOnThePathCost(String mpi, String treatment) throws Exception {
    QuietMachine.measure(attempt ->
        experiment(mpi, treatment, Files.createDirectory(directory.resolve("attempt" + attempt))));
  }

  private static void experiment(String mpi, String treatment, Path into) throws Exception {
    Experiment experiment = experiment(mpi, treatment);
    new ExperimentRunner(into.resolve("slack.experiment"), experiment,
        new Tools(NATIVE.resolve("parallax-record"), NATIVE.resolve("parallax-points")))
        .run(false, new SoundTrials(), Progress.NONE);
    for (Trial trial : experiment.getTrials()) {
      assertEquals(List.of((long) ROUNDS, (long) ROUNDS, 2L * ROUNDS),
          trial.getCounts().stream().map(TreatmentCount::getCount).toList(), "of both ranks");
      TreatmentCount step = trial.getCounts().get(2);
      assertEquals(0, step.getSkipped(), "each was applied");
      assertEquals(isTreated(experiment, trial), step.getAchievedNs() > 0, step.toString());
      assertEquals(4, trial.getMeasurements().size());
      assertTrue(trial.getMeasurements().get(3).getValue() >= 2 * ROUNDS, "messages");
    }
    double all = ROUNDS * DELAY_MS;
    QuietMachine.times(() -> {
      assertEquals(all, effect(experiment, 0, 0), all / 2, "order");
      assertEquals(0, effect(experiment, 0, 1), all / 2, "answer");
      assertEquals(all, best(experiment, 0, true) - best(experiment, 0, false), 0.3 * all, "order");
      assertEquals(0, best(experiment, 1, true) - best(experiment, 1, false), 0.3 * all, "answer");
    });
  }
}
