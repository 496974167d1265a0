package org.parallax.cli.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Overlap;
import org.parallax.analysis.catalogue.NeededEvents;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportCatalogue;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportKind.Comparability;
import org.parallax.analysis.catalogue.ReportKind.Subject;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.Command;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.model.Session;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** Prints a table of an analysis. */
public final class ReportCommand implements Command {
  private static final int HELP_WIDTH = 90;
  private static final int INDENT = 16;

  @Override
  public String name() {
    return "report";
  }

  @Override
  public String usage() {
    return "KIND TRACE... [OPTIONS]";
  }

  @Override
  public String summary() {
    return "Prints metrics, profiles, call trees and critical paths";
  }

  @Override
  public String description() {
    StringBuilder text = new StringBuilder("\nKIND is one of\n");
    for (ReportKind kind : ReportOptions.catalogue().all()) {
      text.append(String.format("  %-15s%s%n", kind.id(), kind.summary()));
    }
    text.append(String.format("%nAll reports take --format, --top, --app and --scope, and these options:%n"));
    for (ReportKind kind : ReportOptions.catalogue().all()) {
      text.append(takenBy(kind));
    }
    return text.append("""

        TRACE is the directory of a trace, of a launch or of several traces, or a session file. For
        a session with a base to compare with, reports show the differences; see:
        parallax compare --help""").toString();
  }

  /** The options of a report by their names, in lines of the help. */
  private static String takenBy(ReportKind kind) {
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder(String.format("  %-14s", kind.id()));
    for (Parameter parameter : kind.parameters()) {
      if (line.length() + 1 + parameter.option().length() > HELP_WIDTH) {
        text.append(line).append(System.lineSeparator());
        line = new StringBuilder(" ".repeat(INDENT));
      }
      line.append(' ').append(parameter.option());
    }
    return text.append(line).append(System.lineSeparator()).toString();
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.choice("--format", "FORMAT", TableFormat.NAMES, "output format (text)")));
    options.addAll(ChosenPart.OPTIONS);
    options.addAll(ReportOptions.options().stream()
        .filter(option -> !ChosenPart.OPTIONS.contains(option)).toList());
    options.add(Option.of("--top", "N", "only the first N rows; for gprof as text, N entries"));
    options.addAll(ComparedReport.OPTIONS);
    return options;
  }

  @Override
  public List<String> examples() {
    return List.of("parallax report critical-path run1",
        "parallax report critical-path --level process --format csv run1 > path.csv",
        "parallax report critical-path --scope inter --app client run1 run2",
        "parallax report critical-path --scope global run1",
        "parallax report profile --phase 10%..20% run1",
        "parallax report phases --propose run1",
        "parallax report profile --phase proposed[2] run1",
        "parallax report metrics --level machine run1",
        "parallax report calltree --min-percent 5 run1",
        "parallax report calltree --inverted run1",
        "parallax report disassembly --function relax_rows --syntax att run1",
        "parallax report what-if --faster 'refine_cells=2' --faster Msg=10 run1",
        "parallax report gprof --node 'node1/heat[2]/main' run1",
        "parallax report histogram --metric cpu,wait --level process --bins 1000 --format csv run1",
        "parallax report events --at 1.5s --count 20 --node node1 run1",
        "parallax report events --kind Send,Receive --text 'rank.3' run1",
        "parallax report histogram --align start run1 run2",
        "parallax report intervals --weight wall run1",
        "parallax report waits --level procedure run1",
        "parallax report efficiency run1 run2 run3",
        "parallax report waits --causes --node 'node1/heat[2]' run1",
        "parallax report profile --node 'node1/heat[2]' --top 10 run1");
  }

  @Override
  public int run(Arguments arguments, Console console)
      throws UsageException, CommandFailure, ReportException, TraceException {
    ReportCatalogue catalogue = ReportOptions.catalogue();
    catalogue.faults().forEach(console::warn);
    if (arguments.positional().isEmpty()) {
      throw new UsageException("the kind of report is missing; choose from: "
          + String.join(", ", catalogue.ids()));
    }
    ReportKind kind = catalogue.find(arguments.positional().get(0));
    catalogue.check(kind, ReportOptions.values(arguments));
    List<Path> traces = Traces.paths(arguments.positional().subList(1,
        arguments.positional().size()));
    ResolvedRuns compared = Traces.comparison(traces);
    if (compared != null && kind.comparability() != Comparability.NONE) {
      return compare(kind, compared.document(), compared.path(), arguments, console);
    }
    ComparedReport.checkNone(arguments);
    TableFormat format = TableFormat.of(arguments.get("--format", "text"));
    int top = arguments.number("--top", Integer.MAX_VALUE, 1);
    ReportRequest whole = ReportOptions.request(kind, arguments, format);
    boolean ofAll = kind.joinsApplications(whole.level()) && !arguments.has("--node");
    Progress progress = console.progress();
    LoadedSession session = SessionBuilder.open(traces, progress);
    boolean damaged;
    try {
      String separator = "";
      List<ChosenPart> all = ChosenPart.of(session, arguments, kind,
          format == TableFormat.TEXT || ofAll ? ""
              : arguments.get("--format", "") + " contains only one table", progress);
      if (format == TableFormat.TEXT) {
        console.out().print(Traces.absences(session.traces()) + ChosenPart.joining(all));
      }
      for (ChosenPart selected : ofAll ? all.subList(0, Math.min(1, all.size())) : all) {
        ApplicationAnalysis analysis = selected.analysis();
        ReportRequest request = whole.withNode(selected.node());
        List<ApplicationAnalysis> analyses = ofAll
            ? all.stream().map(ChosenPart::analysis).toList() : List.of(analysis);
        NeededEvents.check(kind, analyses);
        Table table = ofAll ? kind.makeOfAll(analyses, request, progress)
            : kind.make(analysis, request, progress);
        Set<String> warnings = new LinkedHashSet<>(table.warnings());
        analyses.forEach(each -> warnings.addAll(each.traceWarnings()));
        if (kind.subject() == Subject.TIME && !arguments.has("--align") && compared == null
            && analysis.applications().size() > 1) {
          Overlap.apart(analysis.workload().traces()).ifPresent(trace -> warnings.add(
              "no other application ran while " + trace + " was recorded; use --align start to "
              + "show all runs from a common start"));
        }
        console.out().print(separator + (format == TableFormat.TEXT ? kind.text(table, top)
            : format.print(table, top, List.copyOf(warnings))));
        console.out().flush();
        if (!format.holdsWarnings()) {
          warnings.forEach(console::warn);
        }
        separator = "\n";
      }
      damaged = session.traces().stream().anyMatch(Trace::isDamaged);
    } finally {
      SessionBuilder.close(session);
    }
    return damaged ? 1 : 0;
  }

  /** Prints how the runs of a session differ from those that are there for comparison. */
  static int compare(ReportKind kind, Session document, Path file, Arguments arguments,
      Console console) throws UsageException, CommandFailure, ReportException, TraceException {
    Progress progress = console.progress();
    try (ComparedRuns comparison = ComparedRuns.open(document, file, progress)) {
      return ComparedReport.print(kind, comparison, arguments, console, progress);
    }
  }
}
