package org.parallax.cli.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.record.Agent;
import org.parallax.record.FileVariables;
import org.parallax.record.HeadlessLaunch;
import org.parallax.record.LaunchAttributes;
import org.parallax.record.LaunchFile;
import org.parallax.record.LaunchPlan;
import org.parallax.record.RecordException;

/** Runs a launch that was saved in the IDE, as the IDE does. */
public final class LaunchCommand implements Command {
  @Override
  public String name() {
    return "launch";
  }

  @Override
  public String usage() {
    return "FILE.launch [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Runs and records a launch that the IDE saved as a file";
  }

  @Override
  public String description() {
    return """

        Records all active applications of the launch, with the number of runs that it has, and
        creates a directory with the trace, or with a session file and the traces of its runs.
        Missing parts are reported before the start. The output is that of the programs; the last
        line on the error stream names the next command. Options of record replace those of the
        launch. Launches of CDT's type C/C++ Application work, too.""";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.of("-o", "DIR", "parent of the directory of the run (from the launch)"),
        Option.of("--repetitions", "N", "number of runs (from the launch)"),
        Option.of("--workspace", "DIR", "directory of the projects that the launch names"),
        Option.flag("--check", "only check whether anything is missing")));
    options.addAll(RecordOptions.ALL);
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of("parallax launch heat.launch",
        "parallax launch heat.launch --repetitions 5 -o /tmp/traces",
        "parallax launch heat.launch --sample-hz 1000 --monitor",
        "parallax launch heat.launch --check");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, CommandFailure {
    if (arguments.positional().size() != 1) {
      throw new UsageException("name one saved launch");
    }
    Path file = Path.of(arguments.positional().get(0));
    try {
      LaunchPlan plan = plan(file, arguments);
      HeadlessLaunch.Teller teller = teller(console);
      if (!HeadlessLaunch.check(plan, Agent.named(), teller)) {
        return 1;
      }
      if (arguments.has("--check")) {
        console.out().println("ready to run: " + plan.name());
        return 0;
      }
      return HeadlessLaunch.run(plan, Agent.named(), teller);
    } catch (RecordException e) {
      throw new CommandFailure(e.getMessage());
    } catch (InterruptedException e) {
      throw new CommandFailure("cancelled");
    }
  }

  private static LaunchPlan plan(Path file, Arguments arguments) throws RecordException {
    LaunchFile launch = LaunchFile.read(file);
    String workspace = arguments.get("--workspace", null);
    FileVariables variables =
        new FileVariables(file, workspace == null ? null : Path.of(workspace));
    Map<String, String> settings = new HashMap<>(launch.settings());
    settings.putAll(RecordOptions.attributes(arguments));
    if (arguments.has("-o")) {
      settings.put(LaunchAttributes.OUTPUT,
          Path.of(arguments.get("-o", "")).toAbsolutePath().toString());
    }
    if (arguments.has("--repetitions")) {
      settings.put(LaunchAttributes.REPETITIONS, arguments.get("--repetitions", ""));
    }
    return LaunchPlan.of(launch.name(), settings, variables.base(), variables);
  }

  private static HeadlessLaunch.Teller teller(Console console) {
    return new HeadlessLaunch.Teller() {
      @Override
      public void error(String text) {
        console.error(text);
      }

      @Override
      public void warn(String text) {
        console.warn(text);
      }

      @Override
      public void note(String text) {
        console.note(text);
      }
    };
  }
}
