package org.parallax.cli.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.ExperimentLock;
import org.parallax.experiment.run.ExperimentRunner;
import org.parallax.experiment.run.Pilot;
import org.parallax.model.Experiment;
import org.parallax.model.Measurement;
import org.parallax.model.Trial;
import org.parallax.model.TrialStatus;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;

/** Makes the trials of an experiment that have not been made. */
public final class PerturbRunCommand implements Command {
  private static final int INTERRUPTED = 130;

  @Override
  public String name() {
    return "perturb run";
  }

  @Override
  public String usage() {
    return "[OPTIONS] FILE" + ExperimentFile.SUFFIX;
  }

  @Override
  public String summary() {
    return "Runs the trials of an experiment; continues an interrupted run";
  }

  @Override
  public String description() {
    return """

        First, a few trials without treatments and one trial with all treatments show which places the
        program reaches, and how much its results vary. Then the runs of the design follow in random
        order, a new one for each replicate. A trial that fails or times out is repeated, and its
        result is not used. Each trial is saved at its end; the next "run" continues from there.""";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.flag("--force", "continue although the program's results vary too much"),
        Option.flag("--again", "discard all trials and make them again"),
        Option.of("--trials", "N", "stop after N trials; the next run continues from there"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax perturb run qs.experiment",
        "parallax perturb run qs.experiment && parallax perturb analyse qs.experiment");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    Path file = PerturbFiles.one(arguments);
    ExperimentFile.read(file);  // nothing is made beside a file that is none
    AtomicBoolean isTold = new AtomicBoolean();
    Runnable tell = () -> {
      if (isTold.compareAndSet(false, true)) {
        console.note("interrupted; continue with: parallax perturb run " + file);
      }
    };
    Thread atExit = new Thread(tell);
    Runtime.getRuntime().addShutdownHook(atExit);
    try (ExperimentLock lock = ExperimentLock.of(file)) {
      return run(file, lock, arguments, console);
    } catch (ExperimentException e) {
      throw new CommandFailure(e.getMessage());
    } catch (CancellationException e) {
      tell.run();
      return INTERRUPTED;
    } finally {
      PerturbFiles.remove(atExit);
    }
  }

  private static int run(Path file, ExperimentLock lock, Arguments arguments, Console console)
      throws ExperimentException, UsageException, TraceException {
    Experiment experiment = lock.read();
    if (arguments.has("--again")) {
      experiment.getTrials().clear();
    }
    if (!experiment.getTrials().isEmpty() && experiment.getTrials().stream()
        .allMatch(trial -> trial.getStatus() == TrialStatus.DONE)) {
      console.out().println("all " + experiment.getTrials().size() + " trials are done; see: "
          + "parallax "
          + "perturb analyse " + file);
      return 0;
    }
    ExperimentRunner runner = new ExperimentRunner(file, experiment, PerturbFiles.tools());
    runner.limit(arguments.number("--trials", Integer.MAX_VALUE, 1));
    runner.run(lock, arguments.has("--force"), listener(experiment, console), console.progress());
    return 0;
  }

  private static ExperimentRunner.Listener listener(Experiment experiment, Console console) {
    return new ExperimentRunner.Listener() {
      @Override
      public void made(Trial trial, int done, int all, long remainingNs) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%4d/%d  %-8s", done, all,
            trial.getKind().getName().toLowerCase(Locale.ROOT)));
        line.append(trial.getRun() >= 0
            ? String.format(Locale.ROOT, " run %-3d", trial.getRun() + 1) : "        ");
        for (Measurement measurement : trial.getMeasurements()) {
          line.append("  ").append(PerturbFiles.value(experiment, measurement));
        }
        if (done < all) {
          line.append("  (").append(PerturbFiles.duration(remainingNs)).append(" left)");
        }
        console.note(line.toString());
      }

      @Override
      public void failed(Trial trial, String failure) {
        console.warn("a trial failed: " + failure + "; it is repeated");
      }

      @Override
      public void piloted(Pilot pilot) {
        console.note(PerturbFiles.text(pilot));
        pilot.warnings().forEach(console::warn);
      }
    };
  }
}
