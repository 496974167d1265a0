package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Virtual speed-ups and delays in designed experiments beside coz: what a program gains when one of its functions is
 * twice as fast, as its author knows, as it really is, and as the experiments say.
 */
final class CausalBench {
  /** Functions with the units of a round that half their time is on its path, and the units of a round. */
  private static final Map<String, Double> UNITS = new LinkedHashMap<>();
  private static final double ROUND_UNITS = 13.4;
  /** Slower by a fifth costs what faster by a fifth gains, as far as the program is linear: for half, so much more. */
  private static final double HALF_BY_FIFTH = 2.5;

  static {
    UNITS.put("parse", 1.0);
    UNITS.put("compress", 3.5);
    UNITS.put("hash", 0.0);
    UNITS.put("emit", 0.4);
    UNITS.put("store", 1.8);
  }

  private static final List<String> FUNCTIONS = List.copyOf(UNITS.keySet());

  /** A way to find the gains: the name of its files, its title, one estimate for each function, and ranks from 1. */
  private static final class Way {
    final String name;
    final Map<String, Estimate> estimates = new LinkedHashMap<>();
    private final double seconds;

    Way(String name, double seconds) {
      this.name = name;
      this.seconds = seconds;
    }

    double value(String function) {
      return estimates.get(function).value();
    }

    /** @return 1 for the largest gain; what is not known is behind all others */
    int rank(String function) {
      int rank = 1;
      for (String other : FUNCTIONS) {
        if (value(other) > value(function) || Double.isNaN(value(function)) && !Double.isNaN(value(other))) {
          rank++;
        }
      }
      return rank;
    }

    String cell(String function) {
      return Double.isNaN(value(function)) ? "not seen        -" : estimates.get(function) + " " + String.format("%2d",
          rank(function));
    }

    /** @return the rank correlation of Spearman with the planted gains */
    String correlation(Way planted) {
      double sum = 0;
      for (String function : FUNCTIONS) {
        sum += Math.pow(rank(function) - planted.rank(function), 2);
      }
      int n = FUNCTIONS.size();
      return Numbers.fixed(1 - 6 * sum / (n * (n * n - 1)), 2);
    }
  }

  private CausalBench() {
  }

  /** Prints the nanoseconds of a round of the program as it is: the least of truth.tsv. */
  static void printRoundNs(Path truth, int rounds, PrintStream out) throws IOException {
    out.println(Numbers.fixed(new TruthTimes(truth).leastBaseNs() / rounds, 0));
  }

  /**
   * Reads in the folder truth.tsv, speedup.csv and delay.csv (effects), coz.*.profile, *.ns (what each way took),
   * speedup.experiment, delay.experiment and counts.csv (delays).
   *
   * @param source of the program, for the lines in the profiles of coz
   * @param isShort whether too little was measured to judge estimates
   * @throws Failure if a value is missing, a trial is not sound, or the ranking is wrong
   */
  static void print(Path folder, Path source, int rounds, int trials, boolean isShort, PrintStream out)
      throws IOException {
    Way planted = new Way("planted", 0);
    FUNCTIONS.forEach(name -> planted.estimates.put(name, new Estimate(100 * UNITS.get(name) / ROUND_UNITS, 0)));
    Way truth = way(folder, "truth");
    TruthTimes times = new TruthTimes(folder.resolve("truth.tsv"));
    FUNCTIONS.forEach(name -> truth.estimates.put(name, times.gain(name)));
    Way speedup = way(folder, "speedup");
    speedup.estimates.putAll(effects(folder.resolve("speedup.csv"), -1));
    Way delay = way(folder, "delay");
    delay.estimates.putAll(effects(folder.resolve("delay.csv"), HALF_BY_FIFTH));
    Way coz = way(folder, "coz");
    CozProfiles profiles = new CozProfiles(Files.readAllLines(source), profiles(folder));
    FUNCTIONS.forEach(name -> coz.estimates.put(name, profiles.estimate(name)));
    int experiments = FUNCTIONS.stream().mapToInt(profiles::experiments).sum();

    printTable(planted, List.of(truth, speedup, coz, delay), out);
    out.printf("+- is one standard error, the last number the rank. %d experiments of coz with a speed-up.%n",
        experiments);
    boolean isRanked = printRanking(planted, truth, speedup, isShort, out);
    boolean isSound = isComplete(List.of(truth, speedup, delay), out);
    if (!isShort && experiments == 0) {
      out.printf("coz has made no experiment with a speed-up%n");
      isSound = false;
    }
    isSound &= ExperimentChecks.areTrialsSound(folder.resolve("speedup.experiment"), trials, rounds, out);
    isSound &= ExperimentChecks.areTrialsSound(folder.resolve("delay.experiment"), trials, rounds, out);
    isSound &= ExperimentChecks.areDelaysSound(Csv.read(folder.resolve("counts.csv")), out);
    if (!isSound || !isShort && !isRanked) {
      throw new Failure("the benchmark of experiments has failed, as said above");
    }
  }

  private static Way way(Path folder, String name) throws IOException {
    return new Way(name, Arrays.stream(Numbers.read(folder.resolve(name + ".ns"))).sum() / 1e9);
  }

  private static Map<String, Estimate> effects(Path csv, double sign) throws IOException {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    FUNCTIONS.forEach(name -> estimates.put(name, Estimate.NONE));
    for (Csv.Row row : Csv.read(csv).rows()) {
      double effect = row.number("effect");
      double percent = row.number("percent");
      double error = effect == 0 ? 0 : Math.abs(row.number("error") * percent / effect * sign);
      estimates.replace(row.text("name"), new Estimate(sign * percent, error));
    }
    return estimates;
  }

  private static List<List<String>> profiles(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "coz.*.profile")) {
      found.forEach(files::add);
    }
    files.sort(null);
    List<List<String>> profiles = new ArrayList<>();
    for (Path file : files) {
      profiles.add(Files.readAllLines(file));
    }
    return profiles;
  }

  private static void printTable(Way planted, List<Way> ways, PrintStream out) {
    String format = "%-9s %10s %18s %18s %18s %18s%n";
    out.printf(format, "gain [%]", "planted", "really faster", "virtual speed-up", "coz", "delays");
    FUNCTIONS.stream().sorted((a, b) -> planted.rank(a) - planted.rank(b)).forEach(name -> out.printf(format, name,
        Numbers.fixed(planted.value(name), 2) + String.format(" %2d", planted.rank(name)),
        ways.get(0).cell(name), ways.get(1).cell(name), ways.get(2).cell(name), ways.get(3).cell(name)));
    Object[] correlations = ways.stream().map(way -> way.correlation(planted)).toArray();
    out.printf(format, "rank corr.", "", correlations[0], correlations[1], correlations[2], correlations[3]);
    Object[] seconds = ways.stream().map(way -> Numbers.fixed(way.seconds, 0)).toArray();
    out.printf(format + "%n", "seconds", "", seconds[0], seconds[1], seconds[2], seconds[3]);
  }

  private static boolean printRanking(Way planted, Way truth, Way speedup, boolean isShort, PrintStream out) {
    boolean isRanked = true;
    for (String name : FUNCTIONS) {
      double off = speedup.value(name) - truth.value(name);
      if (!isShort && Math.abs(off) > 2 * Math.hypot(speedup.estimates.get(name).error(),
          truth.estimates.get(name).error())) {
        out.printf("the virtual speed-up of %s is off by %s %%, more than its error%n", name, Numbers.fixed(off, 1));
      }
      isRanked &= speedup.rank(name) == planted.rank(name);
    }
    out.printf("the ranking by virtual speed-ups %s the true one%n", isRanked ? "is" : "is not");
    return isRanked;
  }

  private static boolean isComplete(List<Way> ways, PrintStream out) {
    boolean isComplete = true;
    for (Way way : ways) {
      for (String name : FUNCTIONS) {
        if (!way.estimates.get(name).isComplete()) {
          out.printf("%s has no value of %s%n", way.name, name);
          isComplete = false;
        }
      }
    }
    return isComplete;
  }
}
