package org.parallax.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.catalogue.ComparedTables;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.ReportRequest;
import org.parallax.analysis.catalogue.RunComparison;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.NearNames;
import org.parallax.analysis.text.TableFormat;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.Console;
import org.parallax.cli.command.Option;
import org.parallax.cli.command.Traces;
import org.parallax.cli.command.UsageException;
import org.parallax.model.program.Application;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.ComparedRuns.Repetition;
import org.parallax.model.program.ComparedRuns.RunSet;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** Prints by how much a report of some runs differs from that of others. */
public final class ComparedReport {
  /** Options that only comparisons have. */
  static final List<Option> OPTIONS = List.of(
      Option.of("--column", "KEY",
          "comparisons: the column to show as text (the one that adds up)"),
      Option.of("--confidence", "PERCENT", "comparisons: confidence level of the intervals (95)"),
      Option.of("--group", "NAME", "comparisons: compare only these runs with the base"));

  /** An application of a repetition, or all of them. */
  private record Part(String run, ChosenPart selected) {}

  private final ReportKind kind;
  private final ComparedRuns comparison;
  private final Arguments arguments;
  private final Console console;
  private final Progress progress;
  private final TableFormat format;
  private String separator = "";

  private ComparedReport(ReportKind kind, ComparedRuns comparison, Arguments arguments,
      Console console, Progress progress) {
    this.kind = kind;
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
        throw new UsageException("option " + option.name() + " is only for comparisons; see: "
            + "parallax compare --help");
      }
    }
  }

  /** @return the exit status */
  static int print(ReportKind kind, ComparedRuns comparison, Arguments arguments, Console console,
      Progress progress) throws UsageException, CommandFailure, ReportException {
    new ComparedReport(kind, comparison, arguments, console, progress).print();
    return comparison.sets().stream().flatMap(set -> set.repetitions().stream())
        .flatMap(each -> each.session().traces().stream())
        .anyMatch(Trace::isDamaged) ? 1 : 0;
  }

  private void print() throws UsageException, CommandFailure, ReportException {
    if (arguments.get("--align", "start").equals("clock")) {
      throw new UsageException("compared runs are aligned at their start; leave out --align clock");
    }
    double confidence = confidence(arguments.get("--confidence", "95")) / 100;
    List<RunSet> others = others(comparison, arguments);
    if (format == TableFormat.TEXT) {
      console.out().print(Traces.absences(comparison.sets().stream()
          .flatMap(set -> set.repetitions().stream()).flatMap(each -> each.session().traces().stream())
          .toList()));
    }
    List<List<Part>> base = parts(comparison.base());
    for (RunSet other : others) {
      List<List<Part>> now = parts(other);
      List<String> names = applications(base, now);
      if (format != TableFormat.TEXT && names.size() * others.size() > 1) {
        throw new CommandFailure(arguments.get("--format", "") + " contains only one table; choose "
            + (names.size() > 1 ? "one application with --app: " + String.join(", ", names)
                : "the runs to compare with " + comparison.base().name() + " with --group: "
                    + String.join(", ", others.stream().map(RunSet::name).toList())));
      }
      for (String name : names) {
        print(other, of(base, name), of(now, name), confidence);
      }
    }
  }

  /** @return what is compared with the base, or the group of it that is asked for */
  public static List<RunSet> others(ComparedRuns comparison, Arguments arguments) throws CommandFailure {
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

  /** @return what the options say of a repetition, by {@link ChosenPart#of} */
  public static List<ChosenPart> selected(Repetition run, Arguments arguments, ReportKind kind,
      String holdsOne, Progress progress) throws UsageException, CommandFailure, ReportException {
    try {
      return ChosenPart.of(run.session(), arguments, kind, holdsOne, progress);
    } catch (CommandFailure e) {
      throw new CommandFailure("in the run " + run.name() + ": " + e.getMessage());
    }
  }

  /**
   * @return which procedures are the same
   * @throws CommandFailure when none is
   */
  public static ProcedureMatching matching(RunSet base, List<Application> before, RunSet other,
      List<Application> now) throws CommandFailure {
    try {
      return RunComparison.matching(base, before, other, now);
    } catch (RunComparison.NotComparable e) {
      throw new CommandFailure(e.getMessage());
    }
  }

  /** Of each repetition what the options say. */
  private List<List<Part>> parts(RunSet set) throws UsageException, CommandFailure, ReportException {
    List<List<Part>> parts = new ArrayList<>();
    for (Repetition each : set.repetitions()) {
      parts.add(selected(each, arguments, kind, "", progress).stream()
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
      throws UsageException, CommandFailure, ReportException {
    ProcedureMatching procedures =
        matching(comparison.base(), applications(base), set, applications(other));
    List<Part> all = new ArrayList<>(base);
    all.addAll(other);
    ReportRequest request = ReportOptions.request(kind, arguments, format);
    // What has less in one run only must be there in the others.
    ReportRequest whole = ComparedTables.request(kind, !kind.takes(Parameter.MIN_PERCENT)
        ? request.values() : request.with(Parameter.MIN_PERCENT.name(), "0").values());
    List<Table> tables = ComparedTables.of(kind, all.stream().map(part -> new ComparedTables.Part(
        part.run, part.selected.analysis(), whole.withNode(part.selected.node()))).toList(), progress);
    String column = arguments.get("--column", kind.mainColumn(tables.get(base.size())));
    Table table = RunComparison.differences(comparison.base(), tables.subList(0, base.size()), set,
        tables.subList(base.size(), tables.size()), procedures,
        new ComparisonReport.Options(column, confidence, kind.comparability() == ReportKind.Comparability.ABSENT_IS_ZERO,
            request.values().number(Parameter.MIN_PERCENT.name(), 0, 0)));
    List<String> compared = ComparisonReport.comparedColumns(table);
    if (arguments.has("--column") && !compared.contains(column)) {
      throw new CommandFailure("the report " + kind.id() + " has no numeric column \""
          + column + "\"" + NearNames.hint(column, compared));
    }
    Set<String> warnings = new LinkedHashSet<>(table.warnings());
    warnings.addAll(comparison.notes());
    all.forEach(part -> warnings.addAll(part.selected.analysis().traceWarnings()));
    int top = arguments.number("--top", Integer.MAX_VALUE, 1);
    console.out().print(separator + (format == TableFormat.TEXT
        ? kind.textOfDifference(table, column, top)
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

  private static double confidence(String text) throws UsageException {
    try {
      double percent = Double.parseDouble(text);
      if (percent > 0 && percent < 100) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new UsageException("\"" + text + "\" is not a confidence level; write a percentage "
        + "between 0 and 100");
  }
}
