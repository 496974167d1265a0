package org.parallax.analysis.phases;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * The phases to which reports can be constrained by name: those that the program names, the time
 * between {@code MPI_Init} and {@code MPI_Finalize}, and those that the data suggest.
 *
 * <p>Columns: {@code what} takes the most time (of proposed ones), {@code occurrences}, {@code begin}
 * and {@code end} of all of it, {@code time} that it lasts, any thread being in it. Each row is about
 * its {@link Phase}.
 */
public final class PhasesReport {
  /** The name of proposed phases, which are numbered from 1. */
  public static final String PROPOSED = "proposed";

  /** What is said of phases that a person has defined. */
  public static final String DEFINED = "defined";

  private static final List<Column> COLUMNS = List.of(
      new Column("what", "what", Unit.TEXT),
      new Column("occurrences", "occurrences", Unit.COUNT),
      new Column("begin", "begin", Unit.NANOSECONDS),
      new Column("end", "end", Unit.NANOSECONDS),
      new Column("time", "time", Unit.NANOSECONDS));
  private static final int BEGIN = 2;

  private PhasesReport() {}

  /**
   * Makes the table.
   *
   * @param node to whose threads it is limited; null for all
   * @param propose whether to look for phases in the data
   */
  public static Table of(
      ApplicationAnalysis analysis, TreeNode node, boolean propose, Progress progress) {
    ProgramPhases named = ProgramPhases.of(analysis, node, progress);
    List<Row> rows = new ArrayList<>();
    for (String name : named.names()) {
      rows.add(row(name, "named by the program", named.occurrences(name), named.window(name)));
    }
    if (!named.names().contains(MpiPhase.NAME)) {
      MpiPhase.of(analysis).ifPresent(
          mpi -> rows.add(row(MpiPhase.NAME, MpiPhase.WHAT, 1, mpi.window())));
    }
    rows.sort(Comparator.comparing(row -> (Long) row.values().get(BEGIN)));
    if (propose) {
      List<Phase> proposed = ProposedPhases.of(analysis, node, progress);
      for (int i = 0; i < proposed.size(); i++) {
        rows.add(row(PROPOSED + "[" + (i + 1) + "]", proposed.get(i).name(), 1,
            proposed.get(i).window()));
      }
    }
    Map<String, String> parameters = analysis.parameters();
    Scope scope = new Scope(analysis, node);
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("phases", "Phases (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "phase", Unit.NANOSECONDS, 0, -1, COLUMNS, rows, List.of());
  }

  /**
   * A table of phases, and before them those that a person has defined.
   *
   * @param defined for which the column {@code what} says so
   */
  public static Table with(Table table, List<Phase> defined) {
    List<Row> rows = new ArrayList<>();
    for (Phase phase : defined) {
      rows.add(row(phase.name(), DEFINED, phase.window().count(), phase.window()));
    }
    rows.addAll(table.rows());
    return new Table(table.report(), table.title(), table.trace(), table.parameters(),
        table.nameLabel(), table.unit(), table.total(), table.totalColumn(), table.columns(), rows,
        table.warnings());
  }

  private static Row row(String name, String what, long occurrences, Window window) {
    return Row.of(name, new Phase(name, window), what, occurrences, window.beginNs(), window.endNs(),
        window.overlapNs(window.beginNs(), window.endNs()));
  }
}
