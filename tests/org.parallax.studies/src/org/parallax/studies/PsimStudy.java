package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Irvin and Miller 1993, section 5.2: a simulator alone, two that compete, two under a co-scheduler, and two whose
 * barriers block.
 */
final class PsimStudy {
  private static final List<String> RUNS =
      List.of("alone", "nogang1", "nogang2", "gang1", "gang2", "block1", "block2");
  private static final List<String> COLUMNS =
      List.of("ORIGINAL", "NOGANG1", "NOGANG2", "GANG1", "GANG2", "BLOCK1", "BLOCK2");
  /** What a simulator prints of itself, as NAME=VALUE. */
  private static final List<String> PRINTED =
      List.of("elapsed_s", "cpu_s", "barrier_wait_s", "barriers", "spin_locks", "cycles", "packets");
  private static final Set<String> BARRIERS = Set.of("spin_barrier", "pthread_barrier_wait");
  private static final int WORKERS = 2;

  /** A metric of Figure 8, the digits it is printed with, and the paper's values of ORIGINAL to GANG2. */
  private record Metric(String title, int digits, String... paper) {
  }

  private static final List<Metric> METRICS = List.of(
      new Metric("Barrier Wait Time", 3, "9.79", "413.67", "410.25", "9.56", "8.10"),
      new Metric("Barriers", 0, "1004", "1004", "1004", "1004", "1004"),
      new Metric("CPU Time", 3, "9.55", "9.68", "9.63", "9.99", "10.06"),
      new Metric("Elapsed Time", 3, "8.54", "213.31", "213.31", "14.09", "13.67"),
      new Metric("Spin Locks", 0, "45483", "45483", "45483", "45483", "45483"),
      new Metric("Spin Time", 3, "2.32", "2.35", "2.33", "2.46", "3.03"),
      new Metric("Time Per Barrier", 6, "0.01", "0.41", "0.41", "0.01", "0.01"));

  private PsimStudy() {
  }

  /** Reads plain-RUN.txt (what the programs print), RUN.metrics.csv and RUN.profile.csv in the folder. */
  static void print(Path folder, PrintStream out) throws IOException {
    out.printf("Without Parallax, as the programs say:%n%n");
    List<Map<String, String>> printed = new ArrayList<>();
    List<double[]> metrics = new ArrayList<>();
    for (String run : RUNS) {
      printed.add(printed(folder.resolve("plain-" + run + ".txt")));
      metrics.add(metrics(Csv.read(folder.resolve(run + ".metrics.csv")),
          Csv.read(folder.resolve(run + ".profile.csv"))));
    }
    print(out, 24, 10, "", RUNS);
    for (String name : PRINTED) {
      print(out, 24, 10, name, printed.stream().map(run -> run.getOrDefault(name, "")).toList());
    }
    out.printf("%nFrom the traces, and Figure 8 of the paper (four processes on four processors):%n%n");
    print(out, 20, 9, "", COLUMNS);
    for (int i = 0; i < METRICS.size(); i++) {
      int metric = i;
      Metric of = METRICS.get(i);
      print(out, 20, 9, of.title, metrics.stream().map(run -> Numbers.fixed(run[metric], of.digits)).toList());
      print(out, 20, 9, "   the paper", List.of(of.paper));
    }
  }

  private static void print(PrintStream out, int titleWidth, int width, String title, List<String> cells) {
    StringBuilder line = new StringBuilder(String.format("%-" + titleWidth + "s", title));
    cells.forEach(cell -> line.append(String.format(" %" + width + "s", cell)));
    out.printf("%s%n", line);
  }

  private static Map<String, String> printed(Path file) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (String word : Files.readString(file).split("\\s+")) {
      int equal = word.indexOf('=');
      if (equal > 0) {
        values.put(word.substring(0, equal), word.substring(equal + 1));
      }
    }
    return values;
  }

  /** @return the metrics in the order of {@link #METRICS}, times in seconds; CPU time is without that at barriers */
  static double[] metrics(Csv metrics, Csv profile) {
    double barrierCpu = 0;
    double visits = 0;
    for (Csv.Row row : profile.rows()) {
      if (BARRIERS.contains(row.text("name"))) {
        barrierCpu = row.number("cpu");
        visits = row.number("visits");
      }
    }
    if (visits == 0) {
      throw new Failure("no barriers in the profile");
    }
    double wait = metrics.number("Barrier wait time", "psim") / 1e9;
    return new double[] {wait, Math.floor(visits / WORKERS),
        (metrics.number("CPU time", "psim") - barrierCpu) / 1e9, metrics.number("Elapsed time", "psim") / 1e9,
        metrics.number("Lock acquisitions", "psim"), metrics.number("Lock wait time", "psim") / 1e9,
        wait * WORKERS / visits};
  }
}
