package org.parallax.analysis.catalogue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.compare.ProcedureMatching;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Application;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.ComparedRuns.Repetition;
import org.parallax.model.program.ComparedRuns.RunSet;
import org.parallax.model.program.LoadedSession;
import org.parallax.trace.Progress;

/** By how much reports of some runs differ from those of others: {@link ComparisonReport} made whole. */
public final class RunComparison {
  /** Nothing in the runs is the same; the message is for people. */
  public static final class NotComparable extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    NotComparable(String message) {
      super(message);
    }
  }

  private final ComparedRuns comparison;
  private final RunSet other;
  private final double confidence;
  private final ProcedureMatching procedures;
  private final List<Application> base = new ArrayList<>();
  private final List<Application> now = new ArrayList<>();
  private final Set<String> warnings = new LinkedHashSet<>();

  /**
   * @param comparison which must stay open
   * @param other one of its others
   * @param confidence of the intervals, between 0 and 1
   * @throws NotComparable with a message for people, if nothing in them is the same
   */
  public RunComparison(ComparedRuns comparison, RunSet other, double confidence) {
    this.comparison = comparison;
    this.other = other;
    this.confidence = confidence;
    String name = common();
    comparison.base().repetitions().forEach(run -> base.add(application(run, name)));
    other.repetitions().forEach(run -> now.add(application(run, name)));
    warnings.addAll(comparison.notes());
    procedures = matching(comparison.base(), base, other, now);
  }

  /**
   * @param before the applications of the base
   * @param now those of the other runs
   * @return which of their procedures are the same
   * @throws NotComparable with a message for people, if none is
   */
  public static ProcedureMatching matching(RunSet base, List<Application> before, RunSet other,
      List<Application> now) {
    ProcedureMatching procedures = new ProcedureMatching(before, now);
    if (procedures.isNone()) {
      throw new NotComparable("no procedure of " + base.name() + " is in " + other.name()
          + ": they seem to be runs of different programs; see parallax info "
          + before.get(0).getTracePath());
    }
    return procedures;
  }

  /**
   * @param runs the names of the applications of each
   * @return those that are in all runs, in the order of the first; the empty name where each run has
   *     a single one, whatever it is
   * @throws NotComparable with a message for people, if none is in all
   */
  public static List<String> common(List<List<String>> runs) {
    if (runs.stream().allMatch(names -> names.size() == 1)) {
      return List.of("");
    }
    Set<String> all = new LinkedHashSet<>();
    runs.forEach(all::addAll);
    Set<String> common = new LinkedHashSet<>(all);
    runs.forEach(common::retainAll);
    if (common.isEmpty()) {
      throw new NotComparable("the runs have no application in common; the applications are: "
          + String.join(", ", all));
    }
    return List.copyOf(common);
  }

  /** The differences of tables, one of each run. */
  public static Table differences(RunSet base, List<Table> before, RunSet other, List<Table> after,
      ProcedureMatching procedures, ComparisonReport.Options options) {
    return ComparisonReport.of(new ComparisonReport.RunTables(base.name(), before),
        new ComparisonReport.RunTables(other.name(), after), procedures, options);
  }

  /** The first application that all runs have, if any has several; else the empty name. */
  private String common() {
    List<LoadedSession> sessions = new ArrayList<>();
    comparison.base().repetitions().forEach(run -> sessions.add(run.session()));
    other.repetitions().forEach(run -> sessions.add(run.session()));
    List<String> names = common(sessions.stream().map(session ->
        session.getApplications().stream().map(Application::getName).toList()).toList());
    if (names.size() > 1) {
      warnings.add("there are several applications, " + String.join(", ", names) + ": only the "
          + "first one is compared");
    }
    return names.get(0);
  }

  private static Application application(Repetition run, String name) {
    return run.session().getApplications().stream()
        .filter(each -> name.isEmpty() || each.getName().equals(name)).findFirst().orElseThrow();
  }

  /**
   * The differences of a report.
   *
   * @param values of the report's parameters; none that limit it to a part of a run
   * @param column by which rows are ranked; null for what says most
   * @throws ReportException when a run has not what the values name
   */
  public Table table(ReportKind kind, ParameterValues values, String column, Progress progress)
      throws ReportException {
    ReportRequest request = ComparedTables.request(kind, values);
    List<ComparedTables.Part> parts = new ArrayList<>();
    addParts(comparison.base(), base, request, parts);
    addParts(other, now, request, parts);
    List<Table> tables = ComparedTables.of(kind, parts, progress);
    List<Table> before = tables.subList(0, base.size());
    List<Table> after = tables.subList(base.size(), tables.size());
    return differences(comparison.base(), before, other, after, procedures,
        new ComparisonReport.Options(column == null ? kind.mainColumn(after.get(0)) : column,
            confidence, kind.comparability() == ReportKind.Comparability.ABSENT_IS_ZERO, 0));
  }

  private static void addParts(RunSet set, List<Application> applications, ReportRequest request,
      List<ComparedTables.Part> parts) {
    for (int i = 0; i < applications.size(); i++) {
      parts.add(new ComparedTables.Part(set.repetitions().get(i).name(),
          new ApplicationAnalysis(applications.get(i)), request));
    }
  }

  /** @return what a person must know of how runs were matched and of their traces, beside the tables' */
  public Set<String> warnings() {
    Set<String> all = new LinkedHashSet<>(warnings);
    List<Application> applications = new ArrayList<>(base);
    applications.addAll(now);
    applications.forEach(each -> all.addAll(new ApplicationAnalysis(each).traceWarnings()));
    return all;
  }
}
