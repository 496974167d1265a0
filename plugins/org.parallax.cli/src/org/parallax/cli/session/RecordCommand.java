package org.parallax.cli.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.reports.DilationReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.UsageException;
import org.parallax.record.Agent;
import org.parallax.record.CommandLine;
import org.parallax.trace.TraceException;

/** Records a program several times, by turns with runs without the agent, and tells what the agent added. */
public final class RecordCommand implements Command {
  private static final int LEAST = 2;
  private static final String DILATION = "--dilation";

  @Override
  public String name() {
    return "record";
  }

  @Override
  public String usage() {
    return "--dilation N [OPTIONS] -- COMMAND [ARGUMENTS]";
  }

  @Override
  public String summary() {
    return "Runs a program with and without the agent, and compares the times with the estimate";
  }

  @Override
  public String description() {
    return """

        COMMAND runs N times in each way, in pairs whose order alternates. The interval is that of
        Student's t for the N differences of pairs. What COMMAND prints is discarded, and its input
        is empty. The last trace is kept. Without --dilation, COMMAND is recorded once.""";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.of(DILATION, "N", "number of pairs of runs, at least 2"),
        Option.of("-o", "DIR", "the trace directory (parallax-dilation-N in the current directory)"),
        Option.of("--confidence", "PERCENT", "confidence level of the intervals (95)"),
        Option.choice("--format", "FORMAT", TableFormat.NAMES, "format of the table (text)")));
    options.addAll(RecordOptions.ALL);
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of("parallax record --dilation 10 -- ./solver input.dat",
        "parallax record --dilation 20 --sample-hz 1000 --format json -- mpirun -n 2 ./solver");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, TraceException {
    if (!arguments.has(DILATION)) {
      throw new UsageException("a single run is recorded by the script parallax; here, " + DILATION + " is missing");
    }
    int pairs = arguments.number(DILATION, LEAST, LEAST);
    int percent = arguments.number("--confidence", 95, 1);
    if (percent > 99) {
      throw new UsageException("option --confidence cannot be " + percent + "; the maximum is 99");
    }
    if (arguments.positional().isEmpty()) {
      throw new UsageException("the program to run is missing; name it after --");
    }
    TableFormat format = TableFormat.of(arguments.get("--format", "text"));
    DilationRuns runs = new DilationRuns(Agent.named().recorder(), RecordOptions.words(arguments),
        arguments.positional(), directory(arguments.get("-o", "")));
    List<DilationReport.Pair> measured = runs.make(pairs, console.progress());
    String shown = runs.trace().toString();
    Set<String> warnings = new LinkedHashSet<>(runs.warnings());
    Table table = DilationReport.of(CommandLine.join(arguments.positional()), shown, measured,
        percent / 100.0, List.copyOf(warnings));
    console.out().print(format.print(table, Integer.MAX_VALUE, table.warnings()));
    console.out().flush();
    if (!format.holdsWarnings()) {
      table.warnings().forEach(console::warn);
    }
    console.note("the last trace is in " + shown + "; next: parallax report intrusion " + shown);
    return 0;
  }

  private static Path directory(String wanted) throws CommandFailure {
    if (!wanted.isEmpty()) {
      Path directory = Path.of(wanted);
      if (Files.exists(directory)) {
        throw new CommandFailure(
            "cannot write a trace to " + wanted + ": it exists; remove it, or choose another directory with -o");
      }
      return directory;
    }
    for (int i = 1; ; i++) {
      Path directory = Path.of("parallax-dilation-" + i);
      if (Files.notExists(directory)) {
        return directory;
      }
    }
  }
}
