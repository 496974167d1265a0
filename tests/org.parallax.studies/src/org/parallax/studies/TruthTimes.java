package org.parallax.studies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Times of a program as it is, twice in each block, and with one of its functions really faster. The file has lines of
 * block, "base" or the function, and nanoseconds, with tabs between.
 */
final class TruthTimes {
  private static final String BASE = "base";

  private final Map<String, Map<String, Double>> blocks = new HashMap<>();
  private double leastBaseNs = Double.POSITIVE_INFINITY;

  TruthTimes(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split("\t");
      boolean isBase = fields[1].equals(BASE);
      double ns = Double.parseDouble(fields[2]);
      if (isBase) {
        leastBaseNs = Math.min(leastBaseNs, ns);
      }
      // The mean of the two of a block.
      blocks.computeIfAbsent(fields[0], block -> new HashMap<>()).merge(fields[1], isBase ? ns / 2 : ns,
          Double::sum);
    }
  }

  double leastBaseNs() {
    return leastBaseNs;
  }

  /** @return the mean of the blocks with its standard error (0 of one block); NaN for a function without times */
  Estimate gain(String function) {
    int n = 0;
    double sum = 0;
    double square = 0;
    for (Map<String, Double> times : blocks.values()) {
      double gain = 100 * (1 - times.getOrDefault(function, Double.NaN) / times.getOrDefault(BASE, Double.NaN));
      n++;
      sum += gain;
      square += gain * gain;
    }
    double variance = n > 1 ? (square - sum * sum / n) / (n - 1) : 0;
    return n == 0 ? Estimate.NONE : new Estimate(sum / n, Math.sqrt(variance < 0 ? 0 : variance / n));
  }
}
