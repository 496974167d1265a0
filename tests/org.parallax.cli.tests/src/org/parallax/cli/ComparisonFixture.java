package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.catalogue.Parameter;
import org.parallax.analysis.catalogue.ReportException;
import org.parallax.analysis.catalogue.ReportKind;
import org.parallax.analysis.catalogue.StandardReport;
import org.parallax.cli.report.ReportOptions;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;

/** Two runs of one small program, and what commands print of them. */
abstract class ComparisonFixture {
  /** What reports are made of here beside the trace: the same parts and bins in all runs. */
  private static final Map<StandardReport, List<String>> OPTIONS = Map.of(
      StandardReport.HISTOGRAM, List.of("--metric", "cpu,wait,running", "--level", "process", "--bins", "5"),
      StandardReport.WHAT_IF, List.of("--faster", "compute=2", "--faster", "Msg=10"));

  @TempDir Path directory;

  /** Two ranks, of which one computes and the other waits for it; 20 ms in all. */
  Path run(String name, long computeNs, int rank) {
    TraceBuilder builder = new TraceBuilder(directory.resolve(name)).property("sample-hz", "1000");
    builder.mpiJob("node1", "/opt/ring", 2);
    TracedProcess first = builder.process(rank);
    TracedProcess second = builder.process(1 - rank);
    int step = first.phase("step");
    first.thread(0).threadBegin(0, -1).event(100_000, Kind.PHASE_BEGIN, step).sample(1_000_000, "main/compute")
        .sample(computeNs, "main/compute").event(computeNs + 10, Kind.PHASE_END, step)
        .send(computeNs + 100, computeNs + 200, "main/exchange/MPI_Send", 1, 1 - rank, 7, 4096)
        .sample(13_000_000, "main/finish")
        .collective(14_000_000, 15_000_000, "main/MPI_Barrier", 1, Collective.BARRIER, 0, 0, 0);
    second.thread(0).threadBegin(0, -1).sample(500_000, "main/compute")
        .receive(600_000, computeNs + 1_000, "main/exchange/MPI_Recv", 1, rank, 7, 4096)
        .collective(12_000_000, 15_000_100, "main/MPI_Barrier", 1, Collective.BARRIER, 0, 0, 0)
        .sample(16_000_000, "main/finish");
    first.exit(20_000_000, 0);
    second.exit(20_000_000, 0);
    return builder.write();
  }

  static List<Object> line(Object... words) {
    return new ArrayList<>(List.of(words));
  }

  static Map<String, Object> json(List<Object> line, StandardReport report) {
    List<Object> all = new ArrayList<>(line);
    all.addAll(OPTIONS.getOrDefault(report, List.of()));
    all.addAll(List.of("--format", "json"));
    Run run = Run.of(all.toArray());
    assertEquals(0, run.status(), () -> all + ": " + run.err());
    return Json.object(run.out());
  }

  static List<Map<?, ?>> rows(Map<String, Object> table) {
    return ((List<?>) table.get("rows")).stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
  }

  static Map<?, ?> row(Map<String, Object> table, String key, Object value) {
    return rows(table).stream().filter(row -> value.equals(row.get(key))).findFirst()
        .orElseThrow(() -> new AssertionError("no " + value + " in " + table));
  }

  /** The kinds, each with one of the levels that it has. */
  static List<List<Object>> reports() {
    List<List<Object>> reports = new ArrayList<>();
    for (StandardReport report : StandardReport.values()) {
      if (report.comparability() == ReportKind.Comparability.NONE) {
        continue;
      }
      if (report != StandardReport.METRICS) {
        reports.add(line(report.id()));
      }
      for (String level : report.takes(Parameter.LEVEL) ? Parameter.LEVEL.allowed() : List.<String>of()) {
        if (report != StandardReport.HISTOGRAM && Run.of("report", report.id(), "--level", level, "none")
            .status() != 2) {
          reports.add(line(report.id(), "--level", level));
        }
      }
    }
    reports.add(line("waits", "--causes", "--level", "procedure"));
    return reports;
  }

  static StandardReport kind(List<Object> report) throws ReportException {
    return (StandardReport) ReportOptions.catalogue().find(report.get(0).toString());
  }
}
