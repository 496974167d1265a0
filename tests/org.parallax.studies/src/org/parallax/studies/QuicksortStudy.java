package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lyon, Snelick and Kacker, Time-Perturbation Tuning of MIMD Programs, 1992, section 3.1: a parallel quicksort. */
final class QuicksortStudy {
  private static final String PLANTED = "swap";

  /** A factor with the paper's percent of the profile, and its effects with swap as a function and inline. */
  private record Factor(String name, String profile, String effect, String inlineEffect) {
    /** A macro is no function: the profile does not have it. */
    boolean isFunction() {
      return !name.equals("code1");
    }
  }

  private static final List<Factor> FACTORS = List.of(
      new Factor("s_lock", "64.3", "1.98", "6.50"),
      new Factor("push", "0.2", "1.12", "4.26"),
      new Factor("pop", "0.1", "1.30", "4.46"),
      new Factor(PLANTED, "5.1", "50.10", null),
      new Factor("bubble_sort", "3.8", "-0.10", "-0.08"),
      new Factor("code1", "n.a.", "1.10", "4.46"));

  private QuicksortStudy() {
  }

  /**
   * Tables I and II. Reads gprof.txt, first.csv, second.csv (effects of both experiments), quicksort.ns and
   * quicksort.inline.ns (times of pairs of runs) in the folder.
   */
  static void print(Path folder, String secondDelay, PrintStream out) throws IOException {
    GprofProfile profile = new GprofProfile(folder.resolve("gprof.txt"));
    Effects first = new Effects(folder.resolve("first.csv"));
    Effects second = new Effects(folder.resolve("second.csv"));
    out.printf("Table I and II      %21s   %s%n", "gprof, % of time", "effect of a delay");
    out.printf("%-14s %9s %9s   %9s %12s %10s %10s%n", "", "paper", "here", "paper [s]", "here [ms]", "std. error",
        "% of base");
    for (Factor factor : FACTORS) {
      Effects.Effect effect = first.of(factor.name);
      out.printf("%-14s %9s %9s   %9s %12s %10s %10s  %s%n", factor.name, factor.profile, shown(profile, factor),
          factor.effect, milliseconds(effect.size()), milliseconds(effect.error()),
          Numbers.fixed(effect.percent(), 1), effect.verdict());
    }
    Factor most = FACTORS.stream()
        .max(Comparator.comparingDouble(factor -> Math.abs(first.of(factor.name).size()))).get();
    Factor longest = FACTORS.stream().filter(Factor::isFunction)
        .max(Comparator.comparingDouble(factor -> profile.percent(factor.name))).get();
    out.printf("%nThe experiment names %s; the profile has it at %s %% of the time%s.%n", most.name,
        shown(profile, most), profile.percent(longest.name) <= profile.percent(most.name) ? ""
            : ", behind " + longest.name + " with "
                + Numbers.fixed(profile.percent(longest.name), 2) + " %");
    double[] gains = gains(Numbers.read(folder.resolve("quicksort.ns")),
        Numbers.read(folder.resolve("quicksort.inline.ns")));
    out.printf("Inlining swap gains %s %% (middle half of pairs: %s to %s %%); in the paper 23 %%.%n",
        Numbers.fixed(gains[1], 1), Numbers.fixed(gains[0], 1), Numbers.fixed(gains[2], 1));
    printSecond(second, secondDelay, out);
    double push = first.of("push").size();
    out.printf(" in the first%nexperiment swap had %s times that of push (paper 45).%n",
        Numbers.fixed(push == 0 ? 0 : first.of(PLANTED).size() / push, 0));
    if (!most.name.equals(PLANTED)) {
      throw new Failure("the largest effect is that of " + most.name + ", not that of " + PLANTED);
    }
  }

  private static void printSecond(Effects second, String delay, PrintStream out) {
    out.printf("%nTable II-B, swap inline, delays of %s%n", delay);
    out.printf("%-14s %9s %12s %10s %10s%n", "", "paper [s]", "here [ms]", "std. error", "% of base");
    for (Factor factor : FACTORS) {
      if (factor.inlineEffect != null) {
        Effects.Effect effect = second.of(factor.name);
        out.printf("%-14s %9s %12s %10s %10s%n", factor.name, factor.inlineEffect, milliseconds(effect.size()),
            milliseconds(effect.error()), Numbers.fixed(effect.percent(), 1));
      }
    }
    double[] sizes = Stream.of("push", "pop", "code1").mapToDouble(name -> second.of(name).size()).sorted().toArray();
    out.printf("%npush, pop and code1 balance: the largest effect is %s times the smallest (paper 1.05);",
        Numbers.fixed(sizes[0] == 0 ? 0 : sizes[2] / sizes[0], 1));
  }

  /** @return what pairs of runs gain in percent: the values at a quarter, a half and three quarters of them */
  static double[] gains(double[] before, double[] after) {
    int pairs = before.length;
    if (pairs == 0 || pairs != after.length) {
      throw new Failure("there are no pairs of runs");
    }
    double[] gains = new double[pairs];
    Arrays.setAll(gains, i -> 100 * (before[i] - after[i]) / before[i]);
    Arrays.sort(gains);
    return new double[] {gains[(pairs + 3) / 4 - 1], gains[(pairs + 1) / 2 - 1], gains[(3 * pairs + 3) / 4 - 1]};
  }

  private static String shown(GprofProfile profile, Factor factor) {
    return factor.isFunction() ? Numbers.fixed(profile.percent(factor.name), 1) : "n.a.";
  }

  private static String milliseconds(double ns) {
    return Numbers.fixed(ns / 1e6, 2);
  }
}
