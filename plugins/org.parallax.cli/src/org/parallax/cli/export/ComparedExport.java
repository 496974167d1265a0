package org.parallax.cli.export;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTreeDifference;
import org.parallax.analysis.calls.FlameSubject;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.export.CollapsedStacks;
import org.parallax.analysis.replay.Weight;
import org.parallax.cli.command.Arguments;
import org.parallax.cli.command.CommandFailure;
import org.parallax.cli.command.UsageException;
import org.parallax.cli.report.ChosenPart;
import org.parallax.cli.report.ComparedReport;
import org.parallax.model.program.Application;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.ComparedRuns.Repetition;
import org.parallax.model.program.ComparedRuns.RunSet;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;

/** Writes the differences of runs for other tools. */
final class ComparedExport {
  private final RunSet baseSet;
  private final RunSet otherSet;
  private final List<ChosenPart> base;
  private final List<ChosenPart> other;
  private final ProcedureMatching procedures;
  private final Set<String> warnings = new LinkedHashSet<>();

  private ComparedExport(ComparedRuns comparison, RunSet otherSet, Arguments arguments,
      Progress progress) throws UsageException, CommandFailure, ReportException {
    baseSet = comparison.base();
    this.otherSet = otherSet;
    base = selected(baseSet, arguments, progress);
    other = selected(otherSet, arguments, progress);
    procedures = ComparedReport.matching(baseSet, applications(base), otherSet,
        applications(other));
    warnings.addAll(comparison.notes());
    base.forEach(each -> warnings.addAll(each.analysis().traceWarnings()));
    other.forEach(each -> warnings.addAll(each.analysis().traceWarnings()));
  }

  /** Of two groups of runs, one application or all that the options say. */
  static ComparedExport of(ComparedRuns comparison, Arguments arguments, Progress progress)
      throws UsageException, CommandFailure, ReportException {
    List<RunSet> others = ComparedReport.others(comparison, arguments);
    if (others.size() > 1) {
      throw new CommandFailure("a file contains only one difference; choose the runs to compare "
          + "with "
          + comparison.base().name() + " with --group: "
          + String.join(", ", others.stream().map(RunSet::name).toList()));
    }
    return new ComparedExport(comparison, others.get(0), arguments, progress);
  }

  private static List<ChosenPart> selected(RunSet set, Arguments arguments, Progress progress)
      throws UsageException, CommandFailure, ReportException {
    List<ChosenPart> all = new ArrayList<>();
    for (Repetition each : set.repetitions()) {
      all.add(ComparedReport.selected(each, arguments,
          ExportCommand.subject(arguments) == FlameSubject.CRITICAL_PATH ? StandardReport.CRITICAL_PATH : null,
          "a file contains only one", progress).get(0));
    }
    return all;
  }

  private static List<Application> applications(List<ChosenPart> selected) {
    return selected.stream().flatMap(each -> each.analysis().applications().stream()).toList();
  }

  /** @return those of all runs */
  List<ApplicationAnalysis> analyses() {
    return Stream.concat(base.stream(), other.stream()).map(ChosenPart::analysis).toList();
  }

  /** @return what a person must know of the runs */
  Set<String> warnings() {
    return warnings;
  }

  /**
   * Writes in a format of the command; repetitions as their mean, timelines of each.
   *
   * @param level with whose names call paths begin; null for none
   * @param normalized whether the base is taken to have lasted as long as what is compared with it
   */
  void write(String format, FlameSubject subject, String title, Weight weight, Level level, boolean normalized,
      Writer out, Progress progress) throws IOException {
    if (format.equals("chrome")) {
      List<ChromeTrace.Part> parts = new ArrayList<>();
      add(baseSet, base, parts);
      add(otherSet, other, parts);
      ChromeTrace.write(parts, out, progress);
      return;
    }
    Map<List<String>, Long> before = mean(base, subject, weight, level, progress);
    Map<List<String>, Long> now = mean(other, subject, weight, level, progress);
    double scale = CallTreeDifference.scale(sum(now), sum(before), normalized);
    before.replaceAll((stack, ns) -> Math.round(scale * ns));
    if (format.equals("flamegraph")) {
      out.write(FlameGraph.svg(other.get(0).analysis().name() + ", " + title + " of "
          + otherSet.name() + ", minus that of " + baseSet.name(), subject == FlameSubject.WAITS, now,
          before));
      return;
    }
    Map<String, long[]> lines = new TreeMap<>();
    before.forEach((stack, ns) ->
        lines.computeIfAbsent(ExportCommand.line(stack), line -> new long[2])[0] += ns);
    now.forEach((stack, ns) ->
        lines.computeIfAbsent(ExportCommand.line(stack), line -> new long[2])[1] += ns);
    for (Map.Entry<String, long[]> line : lines.entrySet()) {
      out.write(line.getKey() + " " + line.getValue()[0] + " " + line.getValue()[1] + "\n");
    }
  }

  private static long sum(Map<List<String>, Long> stacks) {
    return stacks.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void add(RunSet set, List<ChosenPart> selected, List<ChromeTrace.Part> parts) {
    for (int i = 0; i < selected.size(); i++) {
      parts.add(new ChromeTrace.Part(set.repetitions().get(i).name(), selected.get(i).analysis(),
          selected.get(i).node()));
    }
  }

  /** Procedures have the names that they have now. */
  private Map<List<String>, Long> mean(List<ChosenPart> runs, FlameSubject subject, Weight weight,
      Level level, Progress progress) {
    Map<List<String>, Long> sums = new TreeMap<>(CollapsedStacks.ORDER);
    for (ChosenPart run : runs) {
      CollapsedStacks.of(
          run.analysis(), subject, level, weight, run.node(), progress).forEach(
          (stack, ns) -> sums.merge(runs == base ? stack.stream().map(procedures::now).toList()
              : stack, ns, Long::sum));
    }
    sums.replaceAll((stack, ns) -> Math.round((double) ns / runs.size()));
    return sums;
  }
}
