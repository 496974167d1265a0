package org.parallax.cli.experiment;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.experiment.suggest.Suggestions;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Proposes factors from the critical path of a trace. */
public final class PerturbSuggestCommand implements Command {
  private static final int USUAL = 6;

  @Override
  public String name() {
    return "perturb suggest";
  }

  @Override
  public String usage() {
    return "[OPTIONS] TRACE...";
  }

  @Override
  public String summary() {
    return "Proposes factors for an experiment from the critical path of a trace";
  }

  @Override
  public String description() {
    return """

        Proposes the functions with the most work on the critical path, and the calls with the most
        time. For each place, the graph predicts how much longer the critical path becomes if the
        place takes a tenth longer. "perturb design" accepts the printed places.""";
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.of("--factors", "N", "maximum number of factors (" + USUAL + ")"),
        Option.choice("--format", "FORMAT", TableFormat.NAMES, "format of the table (text)"));
  }

  @Override
  public List<String> examples() {
    return List.of("parallax perturb suggest run1", "parallax perturb suggest --factors 12 run1");
  }

  @Override
  public int run(Arguments arguments, Console console) throws UsageException, TraceException {
    int count = arguments.number("--factors", USUAL, 1);
    TableFormat format = TableFormat.of(arguments.get("--format", "text"));
    Progress progress = console.progress();
    LoadedSession session = SessionBuilder.open(Traces.paths(arguments.positional()), progress);
    try {
      ApplicationAnalysis analysis = ApplicationAnalysis.global(session.getApplications());
      Table table = Suggestions.of(analysis, count, progress);
      List<String> warnings = new ArrayList<>(table.warnings());
      warnings.addAll(analysis.traceWarnings());
      console.out().print(format.print(table, Integer.MAX_VALUE, warnings));
      if (!format.holdsWarnings()) {
        warnings.forEach(console::warn);
      }
      return 0;
    } finally {
      SessionBuilder.close(session);
    }
  }
}
