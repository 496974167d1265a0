package org.parallax.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.parallax.analysis.export.ExportFormats;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.WrongParameterException;
import org.parallax.analysis.text.NearNames;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.UsageException;
import org.parallax.cli.experiment.PerturbAnalyseCommand;
import org.parallax.cli.experiment.PerturbDesignCommand;
import org.parallax.cli.experiment.PerturbRunCommand;
import org.parallax.cli.experiment.PerturbSuggestCommand;
import org.parallax.cli.export.ExportCommand;
import org.parallax.cli.export.Otf2Export;
import org.parallax.cli.report.CompareCommand;
import org.parallax.cli.report.ReportCommand;
import org.parallax.cli.session.ControlCommand;
import org.parallax.cli.session.LaunchCommand;
import org.parallax.cli.session.RecordCommand;
import org.parallax.cli.session.SessionCommand;
import org.parallax.cli.trace.CheckCommand;
import org.parallax.cli.trace.ClocksCommand;
import org.parallax.cli.trace.ImportCommand;
import org.parallax.cli.trace.InfoCommand;
import org.parallax.cli.tune.TuneCommand;
import org.parallax.record.Agent;
import org.parallax.record.formats.CaliperFormat;
import org.parallax.record.formats.CubeFormat;
import org.parallax.record.formats.Otf2Format;
import org.parallax.record.formats.ParaverFormat;
import org.parallax.record.formats.PerfFormat;
import org.parallax.record.formats.TraceEventFormat;
import org.parallax.trace.Manifest;
import org.parallax.trace.TraceException;
import org.parallax.trace.TraceFormats;

/**
 * The entry of the command line. Exit status: 0 done, 1 failed, 2 wrong use. A person never sees a
 * stack trace unless asked for with {@code --verbose}.
 */
public final class Main {
  /** The version of Parallax; a test holds it to that of the bundle. */
  static final String VERSION = "0.2.0";

  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  private static final List<Command> COMMANDS = commands();
  /** Names of two words begin so. */
  private static final String GROUP = "perturb";

  static {
    TraceFormats.add(new Otf2Format(Agent::named));
    TraceFormats.add(new ParaverFormat(Agent::named));
    TraceFormats.add(new TraceEventFormat(Agent::named));
    TraceFormats.add(new CubeFormat());
    TraceFormats.add(new CaliperFormat());
    TraceFormats.add(new PerfFormat(Agent::named));
    ExportFormats.add(new Otf2Export(Agent::named));
  }

  private final Console console;

  private static List<Command> commands() {
    List<Command> commands = new ArrayList<>(List.of(new InfoCommand(), new CheckCommand(),
        new ReportCommand(), new CompareCommand(), new ExportCommand(), new ImportCommand(), new ClocksCommand(),
        new RecordCommand(), new ControlCommand(), new SessionCommand(), new LaunchCommand(), new PerturbSuggestCommand(),
        new PerturbDesignCommand(), new PerturbRunCommand(), new PerturbAnalyseCommand(), new TuneCommand()));
    commands.add(new CompletionCommand(List.copyOf(commands)));
    return List.copyOf(commands);
  }

  Main(Console console) {
    this.console = console;
  }

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false,
        StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true,
        StandardCharsets.UTF_8);
    int status = new Main(new Console(out, err, System.console() != null))
        .run(Arrays.asList(arguments));
    if (out.checkError() && !isReaderGone()) {
      err.println("parallax: the output could not be written completely; check the free space: df "
          + "-h");
      status = status == DONE ? FAILED : status;
    }
    System.exit(status);
  }

  /** Whether what reads the output through a pipe, as {@code head} does, has had enough. */
  private static boolean isReaderGone() {
    try {
      new FileOutputStream(FileDescriptor.out).write('\n');
      return false;
    } catch (IOException e) {
      return "Broken pipe".equals(e.getMessage());
    }
  }

  /** Runs a command line and returns its exit status. */
  int run(List<String> line) {
    try {
      return dispatch(line);
    } catch (UsageException e) {
      console.error(e.getMessage());
      return WRONG_USE;
    } catch (TraceException | CommandFailure | ReportException e) {
      console.error(e.getMessage(), e);
      return FAILED;
    } catch (CancellationException e) {
      console.error("cancelled");
      return FAILED;
    } catch (OutOfMemoryError e) {
      console.error("there is not enough memory (at most "
          + Runtime.getRuntime().maxMemory() / (1 << 20)
          + " MiB may be used); set a higher limit: JAVA_TOOL_OPTIONS=-Xmx8g", e);
      return FAILED;
    } catch (InternalError e) {
      // How the virtual machine tells that mapped memory is gone.
      console.error("a file of the trace became shorter while it was read; if the program is still "
          + "running, try again, otherwise run: parallax check TRACE", e);
      return FAILED;
    } catch (RuntimeException | Error e) {
      console.error("this is an error in Parallax: " + e + "; please report it with the output of "
          + "the same command with --verbose", e);
      return FAILED;
    }
  }

  private int dispatch(List<String> line)
      throws UsageException, CommandFailure, ReportException, TraceException {
    if (line.isEmpty()) {
      console.error("a command is missing; see: parallax --help");
      return WRONG_USE;
    }
    String name = line.get(0);
    if (name.equals("--help") || name.equals("-h") || name.equals("help")) {
      return help(line.subList(1, line.size()));
    }
    if (name.equals("--version")) {
      console.out().println("parallax " + VERSION + " (trace format " + Manifest.VERSION + ")");
      return DONE;
    }
    int words = 1;
    if (name.equals(GROUP)) {
      if (line.size() == 1 || line.get(1).equals("--help") || line.get(1).equals("-h")) {
        return help(List.of(GROUP));
      }
      words = 2;
      name += " " + line.get(1);
    }
    Command command = command(name);
    Arguments arguments;
    try {
      arguments = Arguments.parse(command.allOptions(), line.subList(words, line.size()));
      if (arguments.has("--help")) {
        console.out().print(command.help());
        return DONE;
      }
      console.setQuiet(arguments.has("--quiet"));
      console.setVerbose(arguments.has("--verbose"));
      return command.run(arguments, console);
    } catch (UsageException | WrongParameterException e) {
      throw new UsageException(e.getMessage() + "\nsee: parallax " + name + " --help");
    }
  }

  private static String groupHelp() {
    StringBuilder text = new StringBuilder("usage: parallax " + GROUP + " COMMAND [OPTIONS] ...\n\n"
        + "Finds the places that matter, by designed experiments with synthetic delays.\n\n"
        + "commands:\n");
    List<String> examples = new ArrayList<>();
    for (Command command : COMMANDS) {
      if (command.name().startsWith(GROUP + " ")) {
        text.append(String.format("  %-16s  %s%n", command.name(), command.summary()));
        examples.add(command.examples().get(0));
      }
    }
    text.append("\n\"parallax " + GROUP + " COMMAND --help\" describes a command.\n\nexamples:\n");
    examples.forEach(example -> text.append("  ").append(example).append('\n'));
    return text.toString();
  }

  private static Command command(String name) throws UsageException {
    for (Command command : COMMANDS) {
      if (command.name().equals(name)) {
        return command;
      }
    }
    throw new UsageException("unknown " + (name.startsWith("-") ? "option " : "command ") + name
        + NearNames.hint(name, COMMANDS.stream().map(Command::name).toList())
        + "\nsee: parallax --help");
  }

  private int help(List<String> rest) throws UsageException {
    if (rest.equals(List.of(GROUP))) {
      console.out().print(groupHelp());
      return DONE;
    }
    if (!rest.isEmpty()) {
      console.out().print(command(String.join(" ", rest)).help());
      return DONE;
    }
    StringBuilder text = new StringBuilder("usage: parallax COMMAND [OPTIONS] [ARGUMENTS]\n\n"
        + "Reads traces of parallel programs and shows what made the programs slow.\n\ncommands:\n");
    int width = COMMANDS.stream().mapToInt(command -> command.name().length()).max().orElse(0);
    for (Command command : COMMANDS) {
      text.append(String.format("  %-" + width + "s  %s%n", command.name(), command.summary()));
    }
    text.append("\n  --help, --version; \"parallax COMMAND --help\" describes a "
        + "command\n\nexamples:\n");
    for (Command command : COMMANDS) {
      text.append("  ").append(command.examples().get(0)).append('\n');
    }
    console.out().print(text);
    return DONE;
  }
}
