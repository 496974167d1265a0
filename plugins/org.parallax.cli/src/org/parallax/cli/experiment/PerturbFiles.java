package org.parallax.cli.experiment;

import java.nio.file.Path;
import java.util.Locale;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.UsageException;
import org.parallax.experiment.run.Pilot;
import org.parallax.experiment.run.Tools;
import org.parallax.model.Experiment;
import org.parallax.model.Measurement;
import org.parallax.model.files.ExperimentFile;
import org.parallax.record.Agent;

/** What the commands of experiments share: their file, the native programs, numbers in words. */
final class PerturbFiles {
  private static final double NS_PER_SECOND = 1e9;

  private PerturbFiles() {}

  /** The only argument, an experiment's file. */
  static Path one(Arguments arguments) throws UsageException {
    if (arguments.positional().size() != 1) {
      throw new UsageException("name one experiment file");
    }
    return named(arguments.positional().get(0));
  }

  static Path named(String name) throws UsageException {
    Path file = Path.of(name);
    if (!ExperimentFile.isNamed(file)) {
      throw new UsageException(
          "the name of an experiment file must end with " + ExperimentFile.SUFFIX + ": " + file);
    }
    return file;
  }

  /** Where they are; the script parallax tells. */
  static Tools tools() {
    Agent agent = Agent.named();
    return new Tools(agent.recorder(), agent.points());
  }

  /** Removes a hook, unless the virtual machine is ending. */
  static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It is running or has run.
    }
  }

  /** A measured value with its name and unit. */
  static String value(Experiment experiment, Measurement measurement) {
    boolean isTime = experiment.getResponses().stream().anyMatch(response ->
        response.getName().equals(measurement.getResponse()) && "ns".equals(response.getUnit()));
    return measurement.getResponse() + " " + (isTime
        ? String.format(Locale.ROOT, "%.4f s", measurement.getValue() / NS_PER_SECOND)
        : String.format(Locale.ROOT, "%.6g", measurement.getValue()));
  }

  /** A time of seconds to hours, for people who wait. */
  static String duration(long ns) {
    long seconds = Math.round(ns / NS_PER_SECOND);
    return seconds < 100 ? seconds + " s"
        : seconds < 100 * 60 ? (seconds + 30) / 60 + " min"
            : String.format(Locale.ROOT, "%.1f h", seconds / 3600.0);
  }

  /** What the pilots tell, in a line. */
  static String text(Pilot pilot) {
    boolean isTime = "ns".equals(pilot.response().getUnit());
    double unit = isTime ? NS_PER_SECOND : 1;
    String symbol = isTime ? " s" : "";
    return String.format(Locale.ROOT, "%s without treatments: %.4g%s, varies by %.2g %%; with all "
        + "treatments: "
        + "%.4g%s. %d trials detect effects of about %.2g%s (%.2g %%) or more",
        pilot.response().getName(), pilot.mean() / unit, symbol, 100 * pilot.deviation() / pilot.mean(),
        pilot.highest() / unit, symbol, pilot.trials(), pilot.visible() / unit, symbol,
        100 * pilot.visible() / pilot.mean());
  }
}
