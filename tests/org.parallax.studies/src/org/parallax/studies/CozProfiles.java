package org.parallax.studies;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What runs of coz have measured, with its own sums: the time of a round is the duration of an experiment by the
 * progress in it.
 */
final class CozProfiles {
  private static final Pattern FUNCTION = Pattern.compile("([a-z]+)\\(");
  /** Up to this speed-up gains are proportional to speed-ups. */
  private static final double LARGEST_SPEEDUP = 0.6;

  /** An experiment with a speed-up: in which run, of which function, the time of a round, and its weight. */
  private record Experiment(int run, String function, double speedup, double period, double weight) {
  }

  private final List<Experiment> experiments = new ArrayList<>();
  private final Map<String, Integer> made = new HashMap<>();
  /** Of each run, of experiments without a speed-up. */
  private final List<Double> duration = new ArrayList<>();
  private final List<Double> progress = new ArrayList<>();

  /**
   * @param source of the program, in which functions that start with the word PROCEDURE are measured
   * @param runs the lines of a profile each
   */
  CozProfiles(List<String> source, List<List<String>> runs) {
    Map<String, String> functions = functions(source);
    for (List<String> run : runs) {
      add(run, functions);
    }
  }

  /** @return the function of each line of its work, by the number of the line */
  private static Map<String, String> functions(List<String> source) {
    Map<String, String> functions = new HashMap<>();
    String name = null;
    for (int i = 0; i < source.size(); i++) {
      String line = source.get(i);
      if (line.startsWith("PROCEDURE")) {
        Matcher matcher = FUNCTION.matcher(line);
        name = matcher.find() ? matcher.group(1) : null;
      }
      if (name != null) {
        functions.put(String.valueOf(i + 1), name);
      }
      if (line.startsWith("}")) {
        name = null;
      }
    }
    return functions;
  }

  private void add(List<String> lines, Map<String, String> functions) {
    int run = duration.size();
    double runDuration = 0;
    double runProgress = 0;
    String function = null;
    double speedup = 0;
    double time = 0;
    for (String line : lines) {
      String[] fields = line.split("\t");
      if (line.startsWith("experiment")) {
        function = functions.getOrDefault(fields[1].replaceFirst(".*:", ""), "");
        speedup = value(fields[2]);
        time = value(fields[3]);
      } else if (line.startsWith("throughput-point") && value(fields[2]) != 0) {
        double rounds = value(fields[2]);
        if (speedup == 0) {
          runDuration += time;
          runProgress += rounds;
          continue;
        }
        if (speedup <= LARGEST_SPEEDUP) {
          experiments.add(new Experiment(run, function, speedup, time / rounds, rounds));
        }
        made.merge(function, 1, Integer::sum);
      }
    }
    duration.add(runDuration);
    progress.add(runProgress);
  }

  private static double value(String field) {
    return Double.parseDouble(field.substring(field.indexOf('=') + 1));
  }

  /** @return how many experiments with a speed-up of this function were made */
  int experiments(String function) {
    return made.getOrDefault(function, 0);
  }

  /**
   * What the program gains when a function is twice as fast: a straight line through the time without a speed-up, read
   * at 50 %. The error is that of leaving out one run at a time (jackknife).
   */
  Estimate estimate(String function) {
    int runs = duration.size();
    double used = 0;
    double sum = 0;
    double square = 0;
    for (int run = 0; run < runs; run++) {
      double without = slope(function, run);
      if (Double.isFinite(without)) {
        used++;
        sum += without;
        square += without * without;
      }
    }
    double error =
        used < 2 ? Double.NaN : Math.sqrt(Math.max(0, (used - 1) / used * (square - sum * sum / used)));
    return new Estimate(slope(function, -1), error);
  }

  /** @return the gain at 50 % without one of the runs, NaN if too little was measured */
  private double slope(String function, int without) {
    double time = 0;
    double rounds = 0;
    for (int run = 0; run < duration.size(); run++) {
      if (run != without) {
        time += duration.get(run);
        rounds += progress.get(run);
      }
    }
    double base = time / rounds;
    double sumXy = 0;
    double sumXx = 0;
    for (Experiment experiment : experiments) {
      if (experiment.run != without && experiment.function.equals(function)) {
        sumXy += experiment.weight * experiment.speedup * (1 - experiment.period / base);
        sumXx += experiment.weight * experiment.speedup * experiment.speedup;
      }
    }
    return rounds == 0 || sumXx == 0 ? Double.NaN : 50 * sumXy / sumXx;
  }
}
