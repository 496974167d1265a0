package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Szebenyi, Gamblin, Schulz, de Supinski, Wolf, Wylie, Reconciling Sampling and Direct Instrumentation for
 * Unintrusive Call-Path Profiling of MPI Programs, 2011, section IV: reads call trees of the solver's two ranks.
 */
final class HybridStudy {
  private static final String ALLREDUCE = ";MPI_Allreduce";

  /** A row of Table I: its title, the paper's two cells, and the function whose own time it sums, if it is one. */
  private record Line(String title, String instrumented, String sampled, String function) {
  }

  private static final int WHOLE = 0;
  private static final int FAILED = 1;
  private static final int UNWOUND_NOT = 2;
  private static final int EXECUTION = 3;
  private static final int MPI = 4;
  private static final int PROBE = 14;
  private static final int PROBE_OF_RANKS = 15;
  private static final List<Line> LINES = List.of(
      new Line("Time", "330,000", "126,000", null),
      new Line("- Failed unwind", "-", "474", null),
      new Line("- Not unwound", "-", "32", null),
      new Line("- Execution time", "330,000", "117,000", null),
      new Line("- MPI", "278,000", "107,000", null),
      new Line("main", "43", "15", "main"),
      new Line("+ Strategy", "6", "11", "strategy"),
      new Line("+ SolveCoupled", "263", "20", "solveCoupled"),
      new Line("+ DoStep", "14", "", "doStep"),
      new Line("+ solve", "11,900", "48", "solve"),
      new Line("+ reparametrize", "1", "0", "reparametrize"),
      new Line("+ FastMarch::reparam", "704", "60", "reparam"),
      new Line("+ FastMarch::distribute", "0", "0", "distribute"),
      new Line("+ Process::probe", "0", "", "probe"),
      new Line("+ MPI_Probe", "180,000", "65,900", "MPI_Probe"),
      new Line("  rank 0 / rank 1", "0 / 708", "0 / 259", null));

  private HybridStudy() {
  }

  /**
   * Where the run with std::endl spends its time, what the tree predicts for a plain newline, and the gain that was
   * measured. Reads endl.0.csv and endl.1.csv (call trees), endl.ns and newline.ns (wall times) in the folder.
   */
  static void printPath(Path folder, String hz, PrintStream out) throws IOException {
    long flush = 0;
    long own = 0;
    long whole = 0;
    String longest = "";
    for (Csv.Row row : Csv.read(folder.resolve("endl.0.csv")).rows()) {
      String path = row.text("path");
      List<String> frames = Names.frames(path);
      if (path.equals("_start")) {
        whole = row.ns("inclusive");
      }
      if (frames.get(frames.size() - 1).contains("std::endl<")) {
        flush += row.ns("inclusive");
        longest = frames.stream().dropWhile(frame -> !frame.equals("main")).map(Names::qualified)
            .collect(Collectors.joining(" -> "));
      }
      if (path.endsWith(ALLREDUCE)) {
        own += row.ns("inclusive");
      }
    }
    long wait = 0;
    long other = 0;
    for (Csv.Row row : Csv.read(folder.resolve("endl.1.csv")).rows()) {
      if (row.text("path").equals("_start")) {
        other = row.ns("inclusive");
      }
      if (row.text("path").endsWith(ALLREDUCE)) {
        wait += row.ns("inclusive");
      }
    }
    if (flush == 0 || wait == 0) {
      throw new Failure("neither std::endl nor MPI_Allreduce is in the tree");
    }
    double endl = Numbers.median(Numbers.read(folder.resolve("endl.ns")));
    double newline = Numbers.median(Numbers.read(folder.resolve("newline.ns")));
    out.printf("What the hybrid run at %s Hz finds (the paper's section IV.B: rank 0 writes lines, each%n", hz);
    out.printf("flushed by std::endl, while the others wait in MPI_Allreduce):%n%n");
    out.printf("  rank 0: %s%n", longest);
    out.printf("          %s s of %s s below std::endl, %s s in MPI_Allreduce%n", Numbers.seconds(flush, 3),
        Numbers.seconds(whole, 3), Numbers.seconds(own, 3));
    out.printf("  rank 1: %s s of %s s in MPI_Allreduce%n%n", Numbers.seconds(wait, 3), Numbers.seconds(other, 3));
    out.printf("  gain of a plain newline in place of std::endl: predicted %s s, measured %s s (%s %%)%n",
        Numbers.seconds(flush, 3), Numbers.seconds(endl - newline, 3),
        Numbers.fixed(flush * 100.0 / (endl - newline), 0));
    out.printf("  (medians of the solver without agent: %s s with std::endl, %s s without)%n",
        Numbers.seconds(endl, 3), Numbers.seconds(newline, 3));
  }

  /** Sums of a way of measuring, in nanoseconds; null where no row was found. */
  private static final class Sums {
    final Long[] sum = new Long[LINES.size()];
    final long[] probeOfRank = new long[2];

    Sums(Path folder, String way) throws IOException {
      for (int rank = 0; rank < probeOfRank.length; rank++) {
        for (Csv.Row row : Csv.read(folder.resolve(way + "." + rank + ".csv")).rows()) {
          add(rank, row);
        }
      }
      sum[EXECUTION] = value(WHOLE) - value(FAILED) - value(UNWOUND_NOT);
    }

    private void add(int rank, Csv.Row row) {
      List<String> frames = Names.frames(row.text("path"));
      String name = frames.get(frames.size() - 1);
      long own = row.ns("time");
      if (frames.size() == 1) {
        add(WHOLE, row.ns("inclusive"));
      }
      if (name.startsWith("(unwind failed")) {
        add(FAILED, own);
      } else if (name.startsWith("(")) {
        add(UNWOUND_NOT, own);
      }
      if (name.startsWith("MPI_")) {
        add(MPI, own);
      }
      String base = Names.base(name);
      for (int i = 0; i < LINES.size(); i++) {
        if (base.equals(LINES.get(i).function)) {
          add(i, own);
        }
      }
      if (base.equals("MPI_Probe")) {
        probeOfRank[rank] += own;
      }
    }

    private void add(int line, long ns) {
      sum[line] = value(line) + ns;
    }

    long value(int line) {
      return sum[line] == null ? 0 : sum[line];
    }

    String cell(int line) {
      if (line == PROBE_OF_RANKS) {
        return Numbers.seconds(probeOfRank[0], 3) + " / " + Numbers.seconds(probeOfRank[1], 3);
      }
      return sum[line] == null ? "-" : Numbers.seconds(sum[line], 3);
    }
  }

  /** Table I. Reads the call trees of both ranks, WAY.RANK.csv in the folder, instrumented and sampled. */
  static void printTable(Path folder, PrintStream out) throws IOException {
    Sums instrumented = new Sums(folder, "instrumented");
    Sums sampled = new Sums(folder, "sampled");
    out.printf("%nTable I of the paper, sums of all ranks; there 256 ranks, here 2:%n%n");
    out.printf("%-28s %24s   %24s%n", "", "paper [s]", "here [s]");
    String format = "%-28s %12s %12s   %12s %12s%n";
    out.printf(format, "", "instrumented", "sampled", "instrumented", "sampled");
    for (int i = 0; i < LINES.size(); i++) {
      Line line = LINES.get(i);
      out.printf(format, line.title, line.instrumented, line.sampled, instrumented.cell(i), sampled.cell(i));
    }
    if (instrumented.value(PROBE) <= 0 || sampled.value(PROBE) <= 0) {
      throw new Failure("MPI_Probe is not in both trees");
    }
  }
}
