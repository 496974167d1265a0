package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Irvin and Miller, Multi-Application Support in a Parallel Program Performance Tool, 1993, section 5.1: the critical
 * path of a parallel join by procedures, with the clock as recorded and rounded down to 10 ms.
 */
final class ClockStudy {
  private static final String APPLICATION = "shm_join.inst";
  /** Of these procedures fewer than so many on the path mean that they were not recorded. */
  private static final int LEAST_FOUND = 4;

  /** A procedure with the paper's seconds and percent with a clock of 1 us (Figure 7) and of 10 ms (Figure 6). */
  private record Line(String name, String micro, String microPercent, String milli, String milliPercent) {
  }

  private static final List<Line> LINES = List.of(
      new Line("effect_join", "2.65", "28.37", "2.69", "22.84"),
      new Line("partition", "1.89", "20.24", "3.04", "25.81"),
      new Line("random_shuffle", "1.71", "18.32", "1.69", "14.35"),
      new Line("exchange_buffers", "0.59", "6.30", "1.45", "12.31"),
      new Line("init_relation", "0.48", "5.15", "0.51", "4.33"),
      new Line("writeblk", "0.40", "4.27", "0.39", "3.31"),
      new Line("readblk", "0.38", "4.11", "0.62", "5.26"),
      new Line("get_output_buffers", "0.30", "3.24", "0.33", "2.80"),
      new Line("return_buffer", "0.28", "3.02", "0.34", "2.89"));

  /** A critical path: nanoseconds of the whole, of its arcs between processes, and of each procedure. */
  private static final class CriticalPath {
    private final Map<String, Long> time = new HashMap<>();
    private long all;
    private long arcs;

    CriticalPath(Path csv) throws IOException {
      for (Csv.Row row : Csv.read(csv).rows()) {
        long ns = row.ns("time");
        all += ns;
        if (row.text("kind").equals("CPU")) {
          time.merge(Names.base(row.text("name")), ns, Long::sum);
        } else {
          arcs += ns;
        }
      }
    }

    long time(String name) {
      return time.getOrDefault(name, 0L);
    }

    String cells(long ns, String place) {
      return String.format("%9s %6s %2s", Numbers.seconds(ns, 4), Numbers.fixed(ns * 100.0 / all, 2), place);
    }

    String cells(String name) {
      long more = LINES.stream().filter(line -> time(line.name) > time(name)).count();
      return cells(time(name), String.valueOf(more + 1));
    }

    String rest() {
      return cells(all - arcs - LINES.stream().mapToLong(line -> time(line.name)).sum(), "");
    }
  }

  private ClockStudy() {
  }

  /** Reads join.csv, join-10ms.csv (critical paths), metrics.csv and plain.seconds in the folder. */
  static void print(Path folder, PrintStream out) throws IOException {
    CriticalPath fine = new CriticalPath(folder.resolve("join.csv"));
    CriticalPath coarse = new CriticalPath(folder.resolve("join-10ms.csv"));
    Csv metrics = Csv.read(folder.resolve("metrics.csv"));
    double plain = Numbers.median(Numbers.read(folder.resolve("plain.seconds")));
    out.printf("A parallel join of two relations in shared memory, %s events of its procedures%n",
        Numbers.fixed(metrics.number("Events", APPLICATION), 0));
    out.printf("and locks. Procedure-level intra-application critical path with the clock as it was recorded and%n");
    out.printf("rounded down to 10 ms, and those of the paper with 1 us (Figure 7) and 10 ms (Figure 6):%n%n");
    out.printf("%-26s %-20s  %-20s   %-14s  %-14s%n", "", "     here", "     here, 10 ms", "paper, 1 us",
        "paper, 10 ms");
    out.printf("%-26s %20s  %20s   %14s  %14s%n", "", "time [s]  %time  #", "time [s]  %time  #", "time  %time",
        "time  %time");
    print(new Line("TOTAL LENGTH", "9.35", "100.00", "11.78", "100.00"), fine.cells(fine.all, ""),
        coarse.cells(coarse.all, ""), out);
    for (Line line : LINES) {
      print(line, fine.cells(line.name), coarse.cells(line.name), out);
    }
    print(new Line("(arcs between processes)", "", "", "", ""), fine.cells(fine.arcs, ""),
        coarse.cells(coarse.arcs, ""), out);
    print(new Line("(other procedures)", "0.67", "7.17", "0.72", "6.11"), fine.rest(), coarse.rest(), out);
    if (LINES.stream().filter(line -> fine.time(line.name) > 0).count() < LEAST_FOUND) {
      throw new Failure("fewer than " + LEAST_FOUND + " of the paper's procedures are on the critical path");
    }
    out.printf("%nelapsed %s s (%s s without hooks and agent); CPU %s s; waited for locks %s s,%n",
        seconds(metrics, "Elapsed time"), Numbers.fixed(plain, 3), seconds(metrics, "CPU time"),
        seconds(metrics, "Lock wait time"));
    out.printf("conditions %s s, barriers %s s; %s of %s acquisitions of locks were contended%n",
        seconds(metrics, "Condition wait time"), seconds(metrics, "Barrier wait time"),
        Numbers.fixed(metrics.number("Contended acquisitions", APPLICATION), 0),
        Numbers.fixed(metrics.number("Lock acquisitions", APPLICATION), 0));
  }

  private static String seconds(Csv metrics, String name) {
    return Numbers.seconds(metrics.number(name, APPLICATION), 3);
  }

  private static void print(Line line, String fine, String coarse, PrintStream out) {
    out.printf("%-26s %s  %s   %7s %6s  %7s %6s%n", line.name, fine, coarse, line.micro, line.microPercent,
        line.milli, line.milliPercent);
  }
}
