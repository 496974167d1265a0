package org.parallax.cli.trace;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.parallax.analysis.clocks.ClockCheck;
import org.parallax.analysis.clocks.ClockRepair;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.text.Quantity;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.ClockFile;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** Corrects the times of traces of machines whose clocks differ. */
public final class ClocksCommand implements Command {
  @Override
  public String name() {
    return "clocks";
  }

  @Override
  public String usage() {
    return "TRACE... [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Corrects times of machines whose clocks differ";
  }

  @Override
  public String description() {
    return """

        Moves the events of a trace in time so that no interaction ends before it begins, by a
        controlled logical clock. The corrections are written into the trace, as the file clocks; all
        commands use them from then on. The events themselves do not change. For a session file,
        the traces of all runs are corrected.""";
  }

  @Override
  public List<Option> options() {
    return List.of(Option.flag("--undo", "remove the corrections"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax report clocks run1", "parallax clocks run1", "parallax clocks --undo run1");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, CommandFailure, TraceException {
    List<Path> paths = new ArrayList<>();
    for (Path path : Traces.paths(arguments.positional())) {
      paths.addAll(RunResolver.resolve(path).orThrow().traces());
    }
    for (Path path : paths) {
      try (Trace trace = Trace.open(path, console.progress())) {
        if (arguments.has("--undo")) {
          console.out().println(trace + (ClockFile.remove(trace) ? ": times are those of the machines' clocks"
              : ": nothing to undo"));
        } else {
          correct(trace, console);
        }
      } catch (IOException e) {
        throw new CommandFailure("the corrected times of " + path + " cannot be written: " + e
            + "; check the permissions and the space of its directory, or copy the trace");
      }
    }
    return 0;
  }

  private static void correct(Trace trace, Console console) throws IOException, CommandFailure {
    if (!trace.manifest().values().isEmpty() && !trace.manifest().hasEnded()) {
      throw new CommandFailure("the run of " + trace + " has not ended, or its recorder was killed;"
          + " clocks can be corrected only after a run has ended in order");
    }
    ClockRepair repair = ClockRepair.of(trace.processes(), Window.ALL, console.progress());
    PrintStream out = console.out();
    ClockCheck before = repair.before();
    out.println(trace + ": " + Quantity.count(before.violations()) + " of " + Quantity.count(before.interactions())
        + " interactions end before they begin" + upTo(before.violations(), before.largestNs()));
    before.pairs().stream().filter(pair -> before.violations(pair.first(), pair.second()) > 0)
        .sorted(Comparator.comparing(ClockCheck.Pair::first).thenComparing(ClockCheck.Pair::second))
        .forEach(pair -> out.println("  " + pair.first() + ", " + pair.second() + ": "
            + Quantity.count(before.violations(pair.first(), pair.second()))
            + upTo(1, before.largestNs(pair.first(), pair.second()))));
    if (repair.jumps() == 0) {
      ClockFile.remove(trace);
      out.println("  Nothing to correct.");
      return;
    }
    Path file = ClockFile.write(trace, repair.processes());
    long left = repair.after().violations();
    out.println("  With the corrected times in " + file + ": " + Quantity.count(left)
        + upTo(left, repair.after().largestNs()));
  }

  private static String upTo(long violations, long ns) {
    return violations == 0 ? "" : ", by up to " + Quantity.time(ns);
  }
}
