package org.parallax.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ComparisonReport;
import org.parallax.analysis.ProcedureMatching;
import org.parallax.analysis.Row;
import org.parallax.analysis.RunComparison;
import org.parallax.analysis.Table;
import org.parallax.analysis.text.TableFormat;
import org.parallax.model.Application;
import org.parallax.model.Comparison;
import org.parallax.model.Comparison.Repetition;
import org.parallax.model.Comparison.RunSet;
import org.parallax.model.Level;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** Prints by how much a report of some runs differs from that of others. */
final class ComparedReport {
  /** Options that only comparisons have. */
  static final List<Option> OPTIONS = List.of(
      Option.of("--column", "KEY", "of a comparison: what is shown as text (what adds up)"),
      Option.of("--confidence", "PERCENT", "of a comparison: of its intervals (95)"),
      Option.of("--group", "NAME", "of a comparison: only these runs against the base"));

  /** An application of a repetition, or all of them. */
  private record Part(String run, Selection selected) {}

  private final Report report;
  private final Comparison comparison;
  private final Arguments arguments;
  private final Console console;
  private final Progress progress;
  private final TableFormat format;
  private String separator = "";

  private ComparedReport(Report report, Comparison comparison, Arguments arguments,
      Console console, Progress progress) {
    this.report = report;
    this.comparison = comparison;
    this.arguments = arguments;
    this.console = console;
    this.progress = progress;
    format = TableFormat.of(arguments.get("--format", "text"));
  }

  /** An option that would have no effect is wrong use. */
  static void checkNone(Arguments arguments) throws UsageException {
    for (Option option : OPTIONS) {
      if (arguments.has(option.name())) {
        throw new UsageException("option " + option.name() + " is for comparisons; see: parallax "
            + "compare --help");
      }
    }
  }

  /** @return the exit status */
  static int print(Report report, Comparison comparison, Arguments arguments, Console console,
      Progress progress) throws UsageException, CommandFailure {
    new ComparedReport(report, comparison, arguments, console, progress).print();
    return comparison.sets().stream().flatMap(set -> set.repetitions().stream())
        .flatMap(each -> each.session().traces().stream())
        .anyMatch(Trace::isDamaged) ? 1 : 0;
  }

  private void print() throws UsageException, CommandFailure {
    if (arguments.get("--align", "start").equals("clock")) {
      throw new UsageException("runs that are compared begin together: they have no --align clock");
    }
    double confidence = confidence(arguments.get("--confidence", "95")) / 100;
    List<RunSet> others = others(comparison, arguments);
    List<List<Part>> base = parts(comparison.base());
    for (RunSet other : others) {
      List<List<Part>> now = parts(other);
      List<String> names = applications(base, now);
      if (format != TableFormat.TEXT && names.size() * others.size() > 1) {
        throw new CommandFailure(arguments.get("--format", "") + " holds one table; choose "
            + (names.size() > 1 ? "one application with --app: " + String.join(", ", names)
                : "what is compared with " + comparison.base().name() + " with --group: "
                    + String.join(", ", others.stream().map(RunSet::name).toList())));
      }
      for (String name : names) {
        print(other, of(base, name), of(now, name), confidence);
      }
    }
  }

  /** @return what is compared with the base, or the group of it that is asked for */
  static List<RunSet> others(Comparison comparison, Arguments arguments) throws CommandFailure {
    List<RunSet> others = new ArrayList<>(comparison.others());
    if (arguments.has("--group")) {
      String wanted = arguments.get("--group", "");
      others.removeIf(set -> !set.name().equals(wanted));
      if (others.isEmpty()) {
        throw new CommandFailure("there is no group \"" + wanted + "\" to compare with "
            + comparison.base().name()
            + NearNames.hint(wanted, comparison.others().stream().map(RunSet::name).toList()));
      }
    }
    return others;
  }

  /** @return what the options say of a repetition, by {@link Selection#of} */
  static List<Selection> selected(Repetition run, Arguments arguments, Report report,
      String holdsOne, Progress progress) throws UsageException, CommandFailure {
    try {
      return Selection.of(run.session(), arguments, report, holdsOne, progress);
    } catch (CommandFailure e) {
      throw new CommandFailure("in the run " + run.name() + ": " + e.getMessage());
    }
  }

  /**
   * @return which procedures are the same
   * @throws CommandFailure when none is
   */
  static ProcedureMatching matching(RunSet base, List<Application> before, RunSet other,
      List<Application> now) throws CommandFailure {
    try {
      return RunComparison.matching(base, before, other, now);
    } catch (RunComparison.NotComparable e) {
      throw new CommandFailure(e.getMessage());
    }
  }

  /** Of each repetition what the options say. */
  private List<List<Part>> parts(RunSet set) throws UsageException, CommandFailure {
    List<List<Part>> parts = new ArrayList<>();
    for (Repetition each : set.repetitions()) {
      parts.add(selected(each, arguments, report, "", progress).stream()
          .map(selected -> new Part(each.name(), selected)).toList());
    }
    return parts;
  }

  /** Those that are in all runs; the empty name where each has a single one. */
  private static List<String> applications(List<List<Part>> base, List<List<Part>> now)
      throws CommandFailure {
    List<List<Part>> all = new ArrayList<>(base);
    all.addAll(now);
    try {
      return RunComparison.common(all.stream().map(parts ->
          parts.stream().map(part -> part.selected.analysis().name()).toList()).toList());
    } catch (RunComparison.NotComparable e) {
      throw new CommandFailure(e.getMessage());
    }
  }

  private static List<Part> of(List<List<Part>> runs, String name) {
    return runs.stream().map(parts -> parts.stream().filter(part -> name.isEmpty()
        || part.selected.analysis().name().equals(name)).findFirst().orElseThrow()).toList();
  }

  private void print(RunSet set, List<Part> base, List<Part> other, double confidence)
      throws UsageException, CommandFailure {
    ProcedureMatching procedures =
        matching(comparison.base(), applications(base), set, applications(other));
    List<Part> all = new ArrayList<>(base);
    all.addAll(other);
    List<Table> tables = tables(all);
    String column = arguments.get("--column", report.mainColumn(tables.get(base.size())));
    Table table = RunComparison.differences(comparison.base(), tables.subList(0, base.size()), set,
        tables.subList(base.size(), tables.size()), procedures,
        new ComparisonReport.Options(column, confidence, report.absentIsNone(),
            report.takes("--min-percent") ? ReportOptions.minPercent(arguments, format) : 0));
    List<String> compared = ComparisonReport.comparedColumns(table);
    if (arguments.has("--column") && !compared.contains(column)) {
      throw new CommandFailure("the report " + report.kind() + " has no column of numbers \""
          + column + "\"" + NearNames.hint(column, compared));
    }
    Set<String> warnings = new LinkedHashSet<>(table.warnings());
    warnings.addAll(comparison.notes());
    all.forEach(part -> warnings.addAll(part.selected.analysis().traceWarnings()));
    int top = arguments.number("--top", Integer.MAX_VALUE, 1);
    console.out().print(separator + (format == TableFormat.TEXT
        ? report.textOfDifference(table, column, top)
        : format.print(table, top, List.copyOf(warnings))));
    console.out().flush();
    if (!format.holdsWarnings()) {
      warnings.forEach(console::warn);
    }
    separator = "\n";
  }

  private static List<Application> applications(List<Part> parts) {
    return parts.stream().flatMap(part -> part.selected.analysis().applications().stream())
        .toList();
  }

  /** The table of each, of what all have to have in common chosen for all. */
  private List<Table> tables(List<Part> parts) throws UsageException, CommandFailure {
    List<ApplicationAnalysis> analyses =
        parts.stream().map(part -> part.selected.analysis()).toList();
    Level level = arguments.has("--level") || !report.isOfAll(Level.APPLICATION)
        ? ReportOptions.level(report, arguments) : Level.APPLICATION;
    List<ReportOptions> options = new ArrayList<>();
    for (Part part : parts) {
      // Of what has less in one run only, the other's must be there.
      options.add(ReportOptions.of(report, arguments, 0, part.selected.node()).withLevel(level));
    }
    if (report.isOfSeries()) {
      return columns(report.makeOfAll(analyses, options.get(0), progress));
    }
    List<ReportOptions> together = report.together(analyses, options, progress);
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      try {
        tables.add(report.make(analyses.get(i), together.get(i), progress));
        // Repetitions are many, and each would hold what was found out of it.
        analyses.get(i).forget();
      } catch (CommandFailure e) {
        throw new CommandFailure("in the run " + parts.get(i).run() + ": " + e.getMessage());
      }
    }
    return tables;
  }

  /** A table of each column. */
  private static List<Table> columns(Table table) {
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      int column = i;
      String name = table.columns().get(column).label();
      Map<String, String> parameters = new LinkedHashMap<>(table.parameters());
      parameters.put("application", name);
      tables.add(new Table(table.report(),
          table.title().replaceFirst(" \\(.*", "") + " (" + name + ")", table.trace(), parameters,
          table.nameLabel(), table.unit(), 0, -1, List.of(table.columns().get(i)),
          table.rows().stream().map(row -> new Row(row.name(), row.subject(), row.unit(),
              List.of(row.values().get(column)))).toList(), table.warnings()));
    }
    return tables;
  }

  private static double confidence(String text) throws UsageException {
    try {
      double percent = Double.parseDouble(text);
      if (percent > 0 && percent < 100) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new UsageException("\"" + text + "\" is no confidence; it takes percents between 0 and 100");
  }
}
