package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Measurement;
import org.parallax.model.ModelFactory;
import org.parallax.model.Treatment;
import org.parallax.model.Trial;
import org.parallax.model.TrialKind;
import org.parallax.model.TrialStatus;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.Progress;

/**
 * Runs the trials of an experiment that have not been made, and writes its file after each: what was
 * interrupted goes on where it stopped. A trial that fails or hangs is told and made again; what it
 * measured is never used.
 */
public final class ExperimentRunner {
  /** Is told of each trial. */
  public interface Listener {
    /**
     * A trial was made.
     *
     * @param done how many of {@code all} there are
     * @param remainingNs about how long the others will take
     */
    void made(Trial trial, int done, int all, long remainingNs);

    /** An attempt failed; the trial is made again. After the last attempt the run ends instead. */
    void failed(Trial trial, String failure);

    /** What the pilots tell, before the first run of the design. */
    void piloted(Pilot pilot);
  }

  private final Path file;
  private final Experiment experiment;
  private final Tools tools;
  private final Path directory;
  private Places places;
  private long longestNs;
  private int most = Integer.MAX_VALUE;
  private FileTime known;

  /**
   * An experiment that was read from a file.
   *
   * @param tools the native programs
   */
  public ExperimentRunner(Path file, Experiment experiment, Tools tools) {
    this.file = file;
    this.experiment = experiment;
    this.tools = tools;
    directory = ExperimentFile.trials(file);
    known = lastChange();
  }

  /** Of the next run: it ends after so many trials, and the one after it goes on from there. */
  public void limit(int trials) {
    most = trials;
  }

  /**
   * Makes all trials that are planned, or as many as the limit; plans them when none are. Meanwhile
   * nobody else makes trials of the same file.
   *
   * @param force go on although the pilots say that it is hopeless
   * @throws ExperimentException when others are making its trials, or have made some since this was
   *     made, a place is not there or is never
   *     reached, the program is not repeatable enough, or all attempts of a trial failed
   */
  public void run(boolean force, Listener listener, Progress progress) throws ExperimentException {
    try (ExperimentLock lock = ExperimentLock.of(file)) {
      if (!Objects.equals(known, lastChange())) {
        throw new ExperimentException(file + " was changed during the run; start the run again");
      }
      run(lock, force, listener, progress);
    }
  }

  /**
   * The same, for who holds the lock of the file, and has read the experiment since.
   *
   * @throws ExperimentException as above
   */
  public void run(ExperimentLock lock, boolean force, Listener listener, Progress progress)
      throws ExperimentException {
    lock.check(file);
    TrialResponses.check(experiment);
    places = tools.places(file, experiment);
    if (experiment.getTrials().isEmpty()) {
      Schedule.plan(experiment);
    }
    Builds.check(file, experiment, places);
    try {
      save();
      List<Trial> trials = experiment.getTrials();
      progress.begin("Trials", trials.size());
      boolean judged = trials.stream().anyMatch(
          trial -> trial.getKind() == TrialKind.DESIGN && trial.getStatus() == TrialStatus.DONE);
      int made = 0;
      for (int i = 0; i < trials.size() && made < most; i++) {
        Trial trial = trials.get(i);
        boolean isPilot = trial.getKind() == TrialKind.WARMUP || trial.getKind() == TrialKind.PILOT;
        if (!isPilot && !judged) {
          Pilot pilot = Pilot.of(experiment, places);
          listener.piloted(pilot);
          pilot.check(force);
          judged = true;
        }
        if (trial.getStatus() != TrialStatus.DONE) {
          make(i, trial, listener, progress);
          made++;
          save();
          listener.made(trial, i + 1, trials.size(), remainingNs(i + 1));
        }
        longestNs = Math.max(longestNs, durationNs(trial));
        progress.worked(1);
      }
    } catch (IOException e) {
      throw new ExperimentException("the experiment cannot be saved: " + Reasons.of(e)
          + "; the results up to now are in " + file, e);
    }
  }

  private void save() throws IOException {
    ExperimentFile.write(experiment, file);
    known = lastChange();
  }

  /** @return null when there is no file */
  private FileTime lastChange() {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return null;
    }
  }

  private void make(int number, Trial trial, Listener listener, Progress progress)
      throws IOException, ExperimentException {
    Path own = directory.resolve(String.format("%04d", number));
    for (int attempt = 1; ; attempt++) {
      progress.check();
      deleteAll(own);
      Files.createDirectories(own);
      String failure = attempt(trial, own, progress);
      if (failure == null) {
        trial.setStatus(TrialStatus.DONE);
        return;
      }
      trial.getFailures().add(failure);
      if (attempt >= experiment.getAttempts()) {
        trial.setStatus(TrialStatus.FAILED);
        save();
        throw new ExperimentException("trial " + (number + 1) + " (" + describe(trial)
            + ") failed " + attempt + " times, the last time: " + failure
            + "; its output is in " + own + ". Correct the cause and continue with: parallax "
            + "perturb run " + file);
      }
      listener.failed(trial, failure);
    }
  }

  /** @return what was wrong, or null */
  private String attempt(Trial trial, Path own, Progress progress)
      throws IOException, ExperimentException {
    Path result = own.resolve("counts");
    Path plan = own.resolve("plan");
    Path trace = TrialResponses.needTrace(experiment) ? own.resolve("trace") : null;
    TrialPlan.write(plan, result, experiment, places, Schedule.codes(experiment, trial));
    List<String> options = new ArrayList<>(List.of("--perturb", plan.toString()));
    options.addAll(trace == null ? List.of("--no-trace") : List.of("--no-calibration", "-o", trace.toString()));
    trial.setStarted(Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    TrialProcess.Outcome outcome = TrialProcess.run(tools.recorder(), options,
        experiment.getArguments(), Tools.workingDirectory(file, experiment), own,
        TimeLimit.ns(experiment, trial, longestNs),
        progress);
    if (outcome.hung() && experiment.getTimeoutSeconds() == 0) {
      return outcome.failure() + "; if the program needs more time, use perturb design --timeout "
          + "SECONDS";
    }
    if (outcome.failure() != null) {
      return outcome.failure();
    }
    List<String> problems = Counts.problems(result);
    if (!problems.isEmpty()) {
      return problems.get(0);
    }
    String unperturbed = Counts.unperturbed(own.resolve("errors"));
    if (unperturbed != null) {
      return "a part of the program was not perturbed: \"" + unperturbed + "\"; other hosts must "
          + "see "
          + own.getParent() + " and Parallax at the same path";
    }
    List<Path> counted = Counts.files(result);
    if (counted.size() > 1 && experiment.getFactors().stream()
        .anyMatch(factor -> factor.getTreatment() == Treatment.SPEEDUP)) {
      return "it ran on " + counted.size() + " hosts, but virtual speed-ups need processes that "
          + "pause each other on one host; use one host, or delays";
    }
    boolean isPilot = trial.getKind() == TrialKind.WARMUP || trial.getKind() == TrialKind.PILOT;
    if (!isPilot && counted.isEmpty()) {
      return "the agent was not loaded into any of its processes, so nothing was perturbed; check "
          + "whether the program is static, or starts without the environment of its parent";
    }
    Counts counts;
    double[] values;
    try {
      counts = Counts.read(result, places.ids(), experiment.getFactors().size());
      values = TrialResponses.read(experiment.getResponses(), outcome, own, trace,
          counts.virtualDelayNs());
    } catch (ExperimentException e) {
      return e.getMessage();
    }
    record(trial, counts, values, outcome);
    return null;
  }

  private void record(Trial trial, Counts counts, double[] values, TrialProcess.Outcome outcome) {
    trial.getMeasurements().clear();
    trial.setDurationNs(outcome.elapsedNs());
    for (int i = 0; i < values.length; i++) {
      Measurement measurement = ModelFactory.eINSTANCE.createMeasurement();
      measurement.setResponse(experiment.getResponses().get(i).getName());
      measurement.setValue(values[i]);
      trial.getMeasurements().add(measurement);
    }
    FactorCounts.record(trial, experiment, places, counts);
  }

  private static long durationNs(Trial trial) {
    return trial.getStatus() == TrialStatus.DONE ? trial.getDurationNs() : 0;
  }

  /** The mean of the trials made so far, for each that is left; warm-ups are like others. */
  private long remainingNs(int from) {
    List<Trial> trials = experiment.getTrials();
    double mean = trials.stream().filter(trial -> trial.getStatus() == TrialStatus.DONE)
        .mapToLong(ExperimentRunner::durationNs).average().orElse(0);
    long left = trials.subList(from, trials.size()).stream()
        .filter(trial -> trial.getStatus() != TrialStatus.DONE).count();
    return Math.round(mean * left);
  }

  private String describe(Trial trial) {
    List<String> high = new ArrayList<>();
    int[] codes = Schedule.codes(experiment, trial);
    List<Factor> factors = experiment.getFactors();
    for (int i = 0; i < codes.length; i++) {
      if (codes[i] > (experiment.getLevels() == 2 ? -1 : 0)) {
        high.add(factors.get(i).getName());
      }
    }
    return high.isEmpty() ? "without treatments" : "with " + String.join(", ", high);
  }

  private static void deleteAll(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
