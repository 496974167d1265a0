package org.parallax.experiment.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.Treatment;
import org.parallax.record.ElfFile;
import org.parallax.record.Programs;

/**
 * The native programs that experiments need.
 *
 * @param recorder starts programs under the agent ({@code parallax-record})
 * @param points finds places in binaries ({@code parallax-points})
 */
public record Tools(Path recorder, Path points) {
  /** In which the command of an experiment runs. */
  static Path workingDirectory(Path file, Experiment experiment) {
    Path own = file.toAbsolutePath().normalize().getParent();
    String directory = experiment.getDirectory();
    return directory == null || directory.isEmpty() ? own : own.resolve(directory).normalize();
  }

  /**
   * Looks the places of all factors up; {@link Places#problems} tells which are not there, by the
   * position of the factor.
   *
   * @throws ExperimentException when the program is not there
   */
  public Places look(Path file, Experiment experiment) throws ExperimentException {
    List<Path> libraries = new ArrayList<>();
    for (String library : experiment.getLibraries()) {
      libraries.add(workingDirectory(file, experiment).resolve(library));
    }
    return Places.find(points, program(file, experiment), libraries,
        TrialPlan.request(experiment.getFactors()));
  }

  /**
   * Finds the places of all factors.
   *
   * @throws ExperimentException when one is not there: all that are not, with near names
   */
  public Places places(Path file, Experiment experiment) throws ExperimentException {
    List<String> request = TrialPlan.request(experiment.getFactors());
    Places places = look(file, experiment);
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < request.size(); i++) {
      problems.addAll(places.problems(i));
    }
    List<Factor> factors = experiment.getFactors();
    for (int i = 0; i < factors.size(); i++) {
      if (factors.get(i).getTreatment() == Treatment.SPEEDUP && places.ranges(i) == 0
          && places.problems(i).isEmpty()) {
        problems.add(factors.get(i).getPlace() + " has no code that can be sped up; name a "
            + "function or a line");
      }
    }
    if (!problems.isEmpty()) {
      throw new ExperimentException(String.join("\n", problems));
    }
    return places;
  }

  /**
   * The executable in which the places of an experiment are.
   *
   * @throws ExperimentException when it cannot be told from the command
   */
  public static Path program(Path file, Experiment experiment) throws ExperimentException {
    Path directory = workingDirectory(file, experiment);
    if (experiment.getProgram() != null) {
      Path program = Programs.find(experiment.getProgram(), directory, System.getenv("PATH"));
      if (program != null && ElfFile.isElf(program)) {
        return program;
      }
      throw new ExperimentException(experiment.getProgram() + (program != null
          ? " is a script" : " does not exist") + "; name the executable that contains the places "
          + "with --program PATH");
    }
    List<String> command = experiment.getArguments();
    if (command.isEmpty()) {
      throw new ExperimentException("the experiment has no command; give it after --");
    }
    String search = System.getenv("PATH");
    if (Programs.find(command.get(0), directory, search) == null) {
      throw new ExperimentException("the program " + command.get(0) + " does not exist"
          + (command.get(0).contains("/") ? "" : ", not even in PATH"));
    }
    Path executable = Programs.executable(command, directory, search);
    if (executable != null) {
      return executable;
    }
    throw new ExperimentException("cannot find out which program " + String.join(" ", command)
        + " runs; name the program with --program PATH");
  }
}
