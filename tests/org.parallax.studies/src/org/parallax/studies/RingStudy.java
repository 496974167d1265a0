package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Lyon, Snelick and Kacker 1992, section 3.2: a ring of MPI processes. */
final class RingStudy {
  private static final String PLANTED = "c";
  private static final int BEST = 3;

  /** A factor of Table III and the paper's effect in seconds. */
  private record Factor(String name, String paper) {
  }

  private static final List<Factor> FACTORS = List.of(new Factor("a", "-2.25"), new Factor("b", "-2.50"),
      new Factor(PLANTED, "18.50"), new Factor("d", "3.00"), new Factor("e", "3.00"), new Factor("f", "3.25"),
      new Factor("g", "-2.75"), new Factor("h", "2.75"));

  private RingStudy() {
  }

  /** Tables III and IV. Reads gprof.txt, screening.csv (effects) and search.csv (settings) in the folder. */
  static void print(Path folder, PrintStream out) throws IOException {
    String most = printScreening(new GprofProfile(folder.resolve("gprof.txt")),
        new Effects(folder.resolve("screening.csv")), out);
    printSearch(Csv.read(folder.resolve("search.csv")).rows(), out);
    if (!most.equals(PLANTED)) {
      throw new Failure("the largest effect is that of " + most + ", not that of " + PLANTED);
    }
  }

  private static String printScreening(GprofProfile profile, Effects effects, PrintStream out) {
    out.printf("Table III, light communication and heavy computation; here 2 nodes, Open MPI, delays of 20 us%n");
    out.printf("%-6s %10s %10s %12s %10s%n", "", "paper [s]", "here [s]", "std. error", "% of base");
    for (Factor factor : FACTORS) {
      Effects.Effect effect = effects.of(factor.name);
      String note = factor.name.equals(PLANTED)
          ? "<-- {code A}, gprof " + Numbers.fixed(profile.percent("code_a"), 2) + " %  " : "";
      out.printf("%-6s %10s %10s %12s %10s  %s%s%n", factor.name, factor.paper, Numbers.fixed(effect.size(), 4),
          Numbers.fixed(effect.error(), 4), Numbers.fixed(effect.percent(), 1), note, effect.verdict());
    }
    out.printf("standard error in the paper: 0.50%n");
    return FACTORS.stream().max(Comparator.comparingDouble(factor -> effects.of(factor.name).size())).get().name;
  }

  private static void printSearch(List<Csv.Row> settings, PrintStream out) {
    if (settings.isEmpty()) {
      throw new Failure("the search has no settings");
    }
    out.printf("%nTable IV, heavy communication; here 4 nodes on 2 processors, MPICH, delays of 0 to 280 us%n");
    out.printf("%-16s %5s %10s %8s %22s  %s%n", "settings", "run", "mean [s]", "gain %", "95 % interval", "verdict");
    double base = 0;
    for (int i = 0; i < settings.size(); i++) {
      Csv.Row row = settings.get(i);
      boolean isBase = row.text("run").equals("1");
      if (isBase) {
        base = row.number("mean");
      }
      if (i < BEST || isBase || i == settings.size() - 1) {
        out.printf("%-16s %5s %10s %8s %22s  %s%n", row.text("name"), row.text("run"),
            Numbers.fixed(row.number("mean"), 4), Numbers.fixed(row.number("gain"), 1),
            Numbers.fixed(row.number("gainLow"), 1) + " to " + Numbers.fixed(row.number("gainHigh"), 1),
            row.text("verdict"));
      }
    }
    out.printf("in the paper: 66 s without delays, 33 s with 21 0 21 7 28 14, its best of 25%n");
    Csv.Row best = settings.get(0);
    out.printf("%ninstalled delays %s here: the best setting takes %s of the time without%n",
        best.text("verdict").contains("faster") ? "help" : "do not help beyond doubt",
        Numbers.fixed(base == 0 ? 0 : best.number("mean") / base, 2));
  }
}
