package org.parallax.model.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.parallax.model.DesignRun;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Trial;
import org.parallax.trace.TraceException;

/**
 * Experiments as files: factors, design, trials and what was measured, in one XMI document for version
 * control. What trials print and their traces are in a directory beside it.
 */
public final class ExperimentFile {
  /** What the names of experiments' files end with. */
  public static final String SUFFIX = ".experiment";

  private static final String MAKE =
      "parallax perturb design FILE" + SUFFIX + " --factor PLACE -- COMMAND";

  private ExperimentFile() {}

  /** @return true if this is the name of an experiment's file, whether there is one or not */
  public static boolean isNamed(Path file) {
    return file.getFileName() != null && file.getFileName().toString().endsWith(SUFFIX);
  }

  /**
   * Reads an experiment.
   *
   * @throws TraceException when there is none, it contradicts itself, and where, or it is not whole
   */
  public static Experiment read(Path file) throws TraceException {
    Experiment experiment = readDraft(file);
    check(file, experiment.getArguments().isEmpty() ? "it has no command"
        : experiment.getFactors().isEmpty() ? "it has no factors"
        : experiment.getRuns().isEmpty() ? "it has no runs" : null);
    return experiment;
  }

  /**
   * Reads an experiment that need not be whole: command, factors and runs may be missing.
   *
   * @throws TraceException when there is none, or it contradicts itself, and where
   */
  public static Experiment readDraft(Path file) throws TraceException {
    if (!Files.exists(file)) {
      throw new TraceException("there is no experiment " + file, "Create one: " + MAKE);
    }
    Experiment experiment = XmiFile.read(file, Experiment.class, "experiment", MAKE);
    check(file, contradiction(experiment));
    return experiment;
  }

  private static void check(Path file, String wrong) throws TraceException {
    if (wrong != null) {
      throw new TraceException("the experiment file " + file + " is wrong: " + wrong,
          "Correct the file, or create a new one: " + MAKE);
    }
  }

  private static String contradiction(Experiment experiment) {
    Set<String> names = new HashSet<>();
    for (Factor factor : experiment.getFactors()) {
      if (factor.getName() == null || factor.getPlace() == null || factor.getSettings() == null) {
        return "a factor has no name, place or settings";
      }
      if (!names.add(factor.getName())) {
        return "two factors have the name " + factor.getName();
      }
      if (factor.getSettings().split(" ").length != experiment.getLevels()) {
        return "the factor " + factor.getName() + " must have " + experiment.getLevels()
            + " settings, but it has \"" + factor.getSettings() + "\"";
      }
    }
    return experiment.getLevels() < 2 ? "a factor needs at least 2 levels"
        : experiment.getReplicates() < 1 ? "the number of replicates must be at least 1"
        : experiment.getAttempts() < 1 ? "the number of attempts must be at least 1"
        : experiment.getWarmups() < 0 ? "the number of warm-ups is negative"
        : experiment.getResponses().isEmpty() ? "it has no response"
        : contradictionOfRuns(experiment, names.size());
  }

  private static String contradictionOfRuns(Experiment experiment, int factors) {
    int levels = experiment.getLevels();
    String setting = levels == 2 ? "-1|0|1" : IntStream.range(0, levels)
        .mapToObj(Integer::toString).collect(Collectors.joining("|"));
    for (DesignRun run : experiment.getRuns()) {
      if (run.getSettings() == null || run.getSettings().split(" ").length != factors) {
        return "each run needs a setting for each of the " + factors + " factors, but one run has "
            + "\""
            + run.getSettings() + "\"";
      }
      for (String code : run.getSettings().split(" ")) {
        if (!code.matches(setting)) {
          return "the setting \"" + code + "\" of a run is not one of " + setting.replace(
              "|", ", ");
        }
      }
    }
    for (Trial trial : experiment.getTrials()) {
      if (trial.getRun() >= experiment.getRuns().size()) {
        return "a trial belongs to run " + trial.getRun() + ", which the design does not have";
      }
    }
    return null;
  }

  /** Writes an experiment, as a whole or not at all. */
  public static void write(Experiment experiment, Path file) throws IOException {
    XmiFile.write(experiment, file);
  }

  /** @return the directory in which trials keep their output, traces and plans */
  public static Path trials(Path file) {
    String name = file.getFileName().toString();
    return file.toAbsolutePath().normalize().resolveSibling(
        name.substring(0, name.length() - SUFFIX.length()) + ".trials");
  }
}
