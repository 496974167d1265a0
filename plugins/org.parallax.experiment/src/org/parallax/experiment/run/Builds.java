package org.parallax.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.parallax.model.Experiment;
import org.parallax.model.TrialStatus;

/** Of which binaries the trials of an experiment are: those of different ones are no replicates. */
final class Builds {
  private Builds() {}

  /**
   * Keeps the builds with the first trial, and compares them later.
   *
   * @throws ExperimentException when a binary is another one than in trials that were made
   */
  static void check(Path file, Experiment experiment, Places places) throws ExperimentException {
    List<String> now = of(places);
    List<String> before = experiment.getBuilds();
    long made = experiment.getTrials().stream()
        .filter(trial -> trial.getStatus() == TrialStatus.DONE).count();
    if (made > 0 && !before.isEmpty() && !before.equals(now)) {
      List<String> changed = new ArrayList<>(now);
      changed.removeAll(before);
      throw new ExperimentException("the program has changed since the " + made + " trials were "
          + "made: " + String.join(", ", changed.isEmpty() ? before : changed) + (changed.isEmpty()
              ? " no longer exists" : " is new") + ", before it was " + String.join(", ", before)
          + ". Restore the old program, or make all trials again: parallax perturb run --again "
          + file);
    }
    before.clear();
    before.addAll(now);
  }

  private static List<String> of(Places places) throws ExperimentException {
    List<String> builds = new ArrayList<>();
    for (Places.Module module : places.modules()) {
      builds.add(module.path() + " " + (module.buildId().isEmpty() ? checksum(module.path())
          : module.buildId()));
    }
    return builds;
  }

  /** Some linkers make no build ids. */
  private static String checksum(String path) throws ExperimentException {
    try {
      CRC32 sum = new CRC32();
      sum.update(Files.readAllBytes(Path.of(path)));
      return String.format("crc32 %08x", sum.getValue());
    } catch (IOException e) {
      throw new ExperimentException("the program cannot be read: " + Reasons.of(e), e);
    }
  }
}
