package org.parallax.analysis.catalogue;

import java.util.List;
import java.util.Locale;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.compare.ComparisonReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.ReportText;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;

/**
 * A kind of report: its name, what it can be asked for, and how it is made. The command line, the views
 * and comparisons are made from these declarations. Another plug-in adds a kind by an implementation with
 * a public constructor without parameters, named in an extension of
 * {@code org.parallax.analysis.reports}. Kinds have no state: their methods can be called by several
 * threads at once.
 */
public interface ReportKind {
  /** What a missing row means when runs are compared. */
  enum Comparability {
    /** The report has no rows that runs could differ by; the rows of all runs are shown together. */
    NONE,
    /** What has no row in a run is not known of it. */
    ABSENT_IS_UNKNOWN,
    /** What has no row in a run was measured to be nothing there. */
    ABSENT_IS_ZERO
  }

  /** What a report is about. */
  enum Subject {
    /** Applications, each by itself. */
    APPLICATION,
    /** Paths, which can lead through several applications. */
    PATHS,
    /** The time of all applications in one table. */
    TIME
  }

  /**
   * @return the name on the command line and in tables: lower case letters, digits and hyphens, from a
   *     letter on; no other kind has it
   */
  String id();

  /** @return the name for people, as a heading */
  String title();

  /** @return one line for the help, at most 75 characters, that says what the report tells */
  String summary();

  /** @return all that the report can be asked for */
  List<Parameter> parameters();

  /** @return what rows, columns or curves are unless something else is asked for */
  Level defaultLevel();

  Comparability comparability();

  /**
   * Makes the table of an application, of all of it or of a part.
   *
   * @param request with values of {@link #parameters} only
   * @throws ReportException when the analysis has not what the request names, or a value is wrong
   * @throws java.util.concurrent.CancellationException when {@code progress} cancels
   */
  Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
      throws ReportException;

  /** @return what the report is about */
  default Subject subject() {
    return Subject.APPLICATION;
  }

  /** @return whether it tells of procedures, as rows or of one by itself */
  default boolean hasProcedures() {
    return false;
  }

  /** @return whether it can be made of a profile, which has sums by thread and call path and no events */
  default boolean takesProfiles() {
    return false;
  }

  /** @return the levels that can be chosen; none when the report has no parameter for it */
  default List<Level> levels() {
    return !takes(Parameter.LEVEL) ? List.of()
        : Parameter.LEVEL.allowed().stream().map(name -> Level.valueOf(name.toUpperCase(Locale.ROOT)))
            .filter(level -> level != Level.PROCEDURE || hasProcedures()).toList();
  }

  /** @return whether there is one table for all applications, with a column for each */
  default boolean joinsApplications(Level level) {
    return false;
  }

  /**
   * Makes the table of all applications.
   *
   * @throws UnsupportedOperationException unless {@link #joinsApplications}
   */
  default Table makeOfAll(List<ApplicationAnalysis> analyses, ReportRequest request,
      Progress progress) {
    throw new UnsupportedOperationException(id() + " covers one application");
  }

  /** @return whether a column says something only in a series of runs, which are compared by columns */
  default boolean isOfSeries() {
    return false;
  }

  /**
   * @param requests one for each analysis
   * @return the requests with what all compared runs must have in common, such as the width of bins
   */
  default List<ReportRequest> together(List<ApplicationAnalysis> analyses,
      List<ReportRequest> requests, Progress progress) throws ReportException {
    return requests;
  }

  /** @return the key of the column whose differences say most */
  default String mainColumn(Table table) {
    return ComparisonReport.mainColumn(table);
  }

  /**
   * @param top only so many rows
   * @return the table for people
   */
  default String text(Table table, int top) {
    return ReportText.print(table, top);
  }

  /** @return the differences of a column of two runs for people */
  default String textOfDifference(Table table, String column, int top) {
    return ReportText.difference(table, column, top);
  }

  default boolean takes(Parameter parameter) {
    return parameters().contains(parameter);
  }
}
