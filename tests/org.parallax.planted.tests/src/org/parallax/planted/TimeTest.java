package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.phases.ProgramPhases;
import org.parallax.analysis.phases.ProposedPhases;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.model.program.Level;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;

/** Phases, time histograms and the trace browser on a real program whose phases are planted. */
class TimeTest {
  private static final int BINS = 50;

  @TempDir Path directory;

  private static Object metric(ApplicationAnalysis analysis, String name) {
    Table table = MetricsReport.of(analysis, Level.APPLICATION, null, Progress.NONE);
    return table.rows().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow()
        .values().get(0);
  }

  private static Table histogram(ApplicationAnalysis analysis, String... keys) {
    Map<String, HistogramMetric> all = HistogramMetric.all(analysis);
    return HistogramReport.of(analysis, List.of(keys).stream().map(all::get).toList(),
        Level.APPLICATION, null, BINS, Progress.NONE);
  }

  private static long sum(Table table, int column) {
    return table.rows().stream().mapToLong(row -> (Long) row.values().get(column)).sum();
  }

  private static Object last(Table table, int column) {
    return table.rows().get(table.rows().size() - 1).values().get(column);
  }

  @Test
  void phasesHaveTheirProceduresAndHistogramsTheirTime() throws Exception {
    QuietMachine.measure(this::checkPhases);
  }

  private void checkPhases(int attempt) throws Exception {
    try (Recording run = Recording.of(directory.resolve("attempt" + attempt), Recording.program("phases"))) {
      ApplicationAnalysis analysis = run.analysis();
      ProgramPhases phases = ProgramPhases.of(analysis, null, Progress.NONE);
      assertEquals(List.of("load", "solve"), phases.names());
      assertEquals(2, phases.occurrences("solve"));
      ApplicationAnalysis solve =
          analysis.during(new Phase("solve", phases.window("solve")));
      ApplicationAnalysis load = analysis.during(new Phase("load", phases.window("load")));

      // A sample stands for the time before it: the first one of a phase has some of the time before.
      Table profile = ProfileReport.of(solve, Level.PROCEDURE, null, Progress.NONE);
      int time = profile.column("time");
      // Time without a processor is a row, too.
      Row first = profile.rows().stream().filter(row -> !row.name().startsWith("(")).findFirst().orElseThrow();
      assertEquals("solve_step", first.name(), profile.toString());
      // Other programs can take the processor.
      long work = Recording.sum(profile, "time", row -> !row.name().startsWith("("));
      assertTrue((Long) first.values().get(time) > 0.98 * work, profile.toString());

      long all = (Long) metric(analysis, "CPU time");
      long inSolve = (Long) metric(solve, "CPU time");
      long inLoad = (Long) metric(load, "CPU time");
      assertEquals(2.0, (double) inSolve / inLoad, 0.3);
      assertEquals(0.5, (double) inSolve / all, 0.06);

      Table whole = histogram(analysis, "cpu", "voluntary-switches", "samples", "steps");
      assertEquals(all, sum(whole, 2));
      assertEquals(metric(analysis, "Voluntary context switches"), sum(whole, 3));
      assertEquals(metric(analysis, "Samples"), sum(whole, 4));
      assertEquals(2, sum(whole, 5));
      assertEquals(1.0, last(histogram(analysis, "residual"), 2));
      assertEquals(inSolve, sum(histogram(solve, "cpu"), 2));
      // In the pause nothing runs, nor is the thread in the phase.
      assertTrue(histogram(analysis, "utilization").rows().stream()
          .anyMatch(row -> (Double) row.values().get(2) < 50), "there is a pause");

      List<Phase> proposed = ProposedPhases.of(analysis, null, Progress.NONE);
      // They are found in samples, which a thread without a processor does not have.
      QuietMachine.times(() -> {
        assertTrue(proposed.stream().anyMatch(phase -> phase.name().startsWith("load_input ")
            && phase.window().overlapNs(phases.window("load").beginNs(),
                phases.window("load").endNs())
                > 0.8 * phases.window("load").overlapNs(Long.MIN_VALUE, Long.MAX_VALUE)),
            proposed.toString());
        assertTrue(proposed.get(proposed.size() - 1).name().startsWith("write_output "),
            proposed.toString());
      });

      Table events = EventsReport.of(analysis, null, new EventsReport.Wanted(
          phases.window("solve", 2).beginNs(), 2, Set.of(Kind.PHASE_BEGIN, Kind.PHASE_END),
          Pattern.compile("solve")), Progress.NONE);
      assertEquals(List.of("PhaseEnd", "PhaseBegin"),
          events.rows().stream().map(row -> row.values().get(2)).toList());
    }
  }
}
