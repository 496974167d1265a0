package org.parallax.analysis.catalogue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;

/** Tables of several runs that are compared: made with what all must have in common chosen for all. */
public final class ComparedTables {
  private ComparedTables() {}

  /**
   * A run.
   *
   * @param name for messages
   * @param request of its own, as a part of a program tree can be named
   */
  public record Part(String name, ApplicationAnalysis analysis, ReportRequest request) {}

  /** @return a request for compared runs: whole applications where a report has columns for these */
  public static ReportRequest request(ReportKind kind, ParameterValues values) {
    ReportRequest request = ReportRequest.of(kind, values);
    return values.has(Parameter.LEVEL.name()) || !kind.joinsApplications(Level.APPLICATION) ? request
        : request.withLevel(Level.APPLICATION);
  }

  /**
   * Makes the table of each run. Releases the results of each analysis after its table is made.
   *
   * @param parts at least one
   * @return a table for each part
   * @throws ReportException as {@link ReportKind#make}; the message names the run
   */
  public static List<Table> of(ReportKind kind, List<Part> parts, Progress progress)
      throws ReportException {
    List<ApplicationAnalysis> analyses = parts.stream().map(Part::analysis).toList();
    NeededEvents.check(kind, analyses);
    List<ReportRequest> requests = parts.stream().map(Part::request).toList();
    if (kind.isOfSeries()) {
      return columns(kind.makeOfAll(analyses, requests.get(0), progress));
    }
    List<ReportRequest> together = kind.together(analyses, requests, progress);
    List<Table> tables = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      try {
        tables.add(kind.make(analyses.get(i), together.get(i), progress));
        // Repetitions are many, and each would hold what was found out of it.
        analyses.get(i).forget();
      } catch (WrongParameterException e) {
        throw e;
      } catch (ReportException e) {
        throw new ReportException("in the run " + parts.get(i).name() + ": " + e.getMessage());
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
}
