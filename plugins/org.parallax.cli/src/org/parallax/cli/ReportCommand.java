package org.parallax.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Overlap;
import org.parallax.analysis.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.model.Comparison;
import org.parallax.model.LoadedSession;
import org.parallax.model.Session;
import org.parallax.model.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** Prints a table of an analysis. */
final class ReportCommand implements Command {
  static final List<String> LEVELS =
      List.of("application", "machine", "process", "thread", "procedure");

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
    for (Report report : Report.values()) {
      text.append(String.format("  %-15s%s%n", report.kind(), report.summary()));
    }
    return text.append("""

        TRACE can be a session file. With runs to compare with in it, reports are of the differences;
        see: parallax compare --help""").toString();
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(
        Option.choice("--format", "FORMAT", TableFormat.NAMES, "what is printed (text)"),
        Option.choice("--level", "LEVEL", LEVELS, "what rows or columns are"),
        Option.choice("--weight", "WEIGHT", List.of("cpu", "wall"), "what work weighs on "
            + "paths; the clock of others (cpu)"),
        Option.of("--faster", "NAME=TIMES", "what-if: a procedure, process or kind of arc (the path's "
            + "first ten, =2)"),
        Option.of("--count", "N", "how many paths (10) or events (40)"),
        Option.of("--min-percent", "N", "calltree, gprof: without what has less time (1; 0 in csv, json)"),
        Option.flag("--inverted", "calltree: below each procedure those that call it"),
        Option.of("--bin-ns", "N", "width of the bins of intervals (a tenth of the sample distance)"),
        Option.of("--thread", "N", "intervals of the threads with this number only"),
        Option.flag("--causes", "wait states with a row for each cause"),
        Option.flag("--propose", "phases also where the activity changes"),
        Option.of("--metric", "NAME,...", "curves of a histogram: cpu, wait, bytes-sent, ... "
            + "(utilization)"),
        Option.of("--bins", "N", "bins of a histogram, at most 2000 (what fits the terminal)"),
        Option.choice("--align", "HOW", List.of("clock", "start"), "curves of several runs by the "
            + "clock, or from one start (clock)"),
        Option.choice("--scaling", "SCALING", List.of("strong", "weak"), "a series of runs solves "
            + "one problem, or larger ones"),
        Option.of("--at", "TIME", "events around it: 1.5s, 10% (the begin of the run or phase)"),
        Option.of("--kind", "NAME,...", "events of these kinds: Send, Acquire, ..."),
        Option.of("--text", "REGEX", "events in whose line it is found"),
        Option.of("--top", "N", "only the first N rows; as text N entries of gprof")));
    options.addAll(1, Selection.OPTIONS);
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
      throws UsageException, CommandFailure, TraceException {
    if (arguments.positional().isEmpty()) {
      throw new UsageException("the kind of report is missing; there is: "
          + String.join(", ", Report.kinds()));
    }
    Report report = Report.of(arguments.positional().get(0));
    report.checkOptions(arguments);
    List<Path> traces = Traces.paths(arguments.positional().subList(1,
        arguments.positional().size()));
    Session document = Traces.comparison(traces);
    if (document != null && report.hasDifferences()) {
      return compare(report, document, traces.get(0), arguments, console);
    }
    ComparedReport.checkNone(arguments);
    TableFormat format = TableFormat.of(arguments.get("--format", "text"));
    int top = arguments.number("--top", Integer.MAX_VALUE, 1);
    boolean ofAll = report.isOfAll(ReportOptions.level(report, arguments))
        && !arguments.has("--node");
    double minPercent = ReportOptions.minPercent(arguments, format);
    Progress progress = console.progress();
    LoadedSession session = SessionBuilder.open(traces, progress);
    boolean damaged;
    try {
      String separator = "";
      List<Selection> all = Selection.of(session, arguments, report,
          format == TableFormat.TEXT || ofAll ? ""
              : arguments.get("--format", "") + " holds one table", progress);
      for (Selection selected : ofAll ? all.subList(0, Math.min(1, all.size())) : all) {
        ApplicationAnalysis analysis = selected.analysis();
        ReportOptions options =
            ReportOptions.of(report, arguments, minPercent, selected.node());
        List<ApplicationAnalysis> analyses = ofAll
            ? all.stream().map(Selection::analysis).toList() : List.of(analysis);
        Table table = ofAll ? report.makeOfAll(analyses, options, progress)
            : report.make(analysis, options, progress);
        Set<String> warnings = new LinkedHashSet<>(table.warnings());
        analyses.forEach(each -> warnings.addAll(each.traceWarnings()));
        if (report.isOverTime() && !arguments.has("--align") && document == null
            && analysis.applications().size() > 1) {
          Overlap.apart(analysis.workload().traces()).ifPresent(trace -> warnings.add(
              "nothing else ran while " + trace + " was recorded; --align start shows all as if they "
                  + "had begun together"));
        }
        console.out().print(separator + (format == TableFormat.TEXT ? report.text(table, top)
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
  static int compare(Report report, Session document, Path file, Arguments arguments,
      Console console) throws UsageException, CommandFailure, TraceException {
    Progress progress = console.progress();
    try (Comparison comparison = Comparison.open(document, file, progress)) {
      return ComparedReport.print(report, comparison, arguments, console, progress);
    }
  }
}
