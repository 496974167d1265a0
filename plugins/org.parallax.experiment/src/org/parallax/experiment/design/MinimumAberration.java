package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Chooses the generators of a regular fraction: the shortest words as long as possible, and as few
 * of them as possible (Fries and Hunter, Minimum aberration 2^(k-p) designs, 1980).
 *
 * <p>A fraction with 2^n runs is a set of k columns of the 2^n - 1 that products of n basic factors
 * make. Sets grow, or shrink, by one column at a time; of each size the best {@value #WIDTH} are
 * kept, one of each word length pattern (a bounded form of the search of Chen, Sun and Wu, 1993).
 * They start from nothing; from all columns, which is best near saturation (Tang and Wu, 1996);
 * from all odd products, which have no word of odd length and so resolution IV up to half as many
 * factors as runs; and from 2^(5-1) V doubled again and again, whose parts are best up to five
 * sixteenths as many (Chen and Cheng, Doubling and projection, 2006). Up to 32 runs no set is
 * better: the tests go through all. With 64 and 128 this is not known. Costs O(WIDTH * 2^n * k)
 * word length patterns of O(2^n + k) each.
 *
 * <p>With over 128 runs nothing is searched: columns are then the first that keep resolution V (for
 * which Bose's double-error-correcting codes, 1947, are tried too), with one more factor VI, or IV,
 * or III.
 */
final class MinimumAberration {
  private static final int WIDTH = 100;
  private static final int MOST_SEARCHED = 7;
  private static final int LONGEST = 10;

  private static final Map<Integer, Map<Integer, int[]>> SEARCHED = new ConcurrentHashMap<>();
  private static final Map<List<Integer>, int[]> NAMED = new ConcurrentHashMap<>();
  private static final Map<Integer, int[]> FIVE = new ConcurrentHashMap<>();

  private MinimumAberration() {
  }

  /**
   * The best columns that are known for a number of runs.
   *
   * @param basics the binary logarithm of the number of runs
   * @param factors at least {@code basics}, at most 2^basics - 1
   * @return a column for each factor; the first are 1, 2, 4 and so on, the others rise
   */
  static int[] columns(int basics, int factors) {
    if (factors == basics) {
      return IntStream.range(0, basics).map(i -> 1 << i).toArray();
    }
    return NAMED.computeIfAbsent(List.of(basics, factors), size -> Basis.first(basics,
        basics <= MOST_SEARCHED
            ? SEARCHED.computeIfAbsent(basics, MinimumAberration::search).get(factors)
            : byRule(basics, factors))).clone();
  }

  /** A set of columns, and how many of them are - in each run. */
  private record Candidate(BitSet columns, byte[] weights, long[] pattern) {
  }

  private static Map<Integer, int[]> search(int basics) {
    int runs = 1 << basics;
    Map<Integer, Candidate> best = new TreeMap<>();
    int[] all = IntStream.range(1, runs).toArray();
    int[] odd = IntStream.range(1, runs).filter(c -> Integer.bitCount(c) % 2 == 1).toArray();
    int[] basis = IntStream.range(0, basics).map(i -> 1 << i).toArray();
    walk(runs, basis, all, 1, runs / 2, best);
    walk(runs, basis, odd, 1, odd.length, best);
    walk(runs, odd, odd, -1, basics, best);
    walk(runs, all, all, -1, runs / 4, best);
    if (basics >= 4) {
      int[] doubled = {1, 2, 4, 8, 15};
      for (int next = 16; next < runs; next *= 2) {
        int added = next;
        doubled = IntStream.concat(Arrays.stream(doubled),
            Arrays.stream(doubled).map(c -> c | added)).toArray();
      }
      walk(runs, doubled, doubled, -1, basics, best);
    }
    Map<Integer, int[]> columns = new TreeMap<>();
    best.forEach((factors, candidate) -> columns.put(factors,
        candidate.columns.stream().toArray()));
    return columns;
  }

  /** Adds (step 1) or takes away (step -1) one column after another, and keeps the best. */
  private static void walk(int runs, int[] start, int[] pool, int step, int until,
      Map<Integer, Candidate> best) {
    BitSet first = new BitSet();
    byte[] weights = new byte[runs];
    for (int column : start) {
      first.set(column);
      change(weights, column, 1);
    }
    List<Candidate> level = List.of(new Candidate(first, weights, pattern(weights, start.length)));
    for (int size = start.length; ; size += step) {
      best.merge(size, level.get(0),
          (a, b) -> Arrays.compare(b.pattern, a.pattern) < 0 ? b : a);
      if (size == until) {
        return;
      }
      level = next(level, pool, step, size + step);
      if (level.isEmpty()) {
        return;
      }
    }
  }

  private static List<Candidate> next(List<Candidate> level, int[] pool, int step, int size) {
    long[][] polynomials = krawtchouk(size);
    List<Candidate> found = new ArrayList<>();
    for (Candidate candidate : level) {
      for (int column : pool) {
        if (candidate.columns.get(column) == (step > 0)) {
          continue;
        }
        byte[] weights = candidate.weights.clone();
        change(weights, column, step);
        long[] pattern = pattern(weights, size, polynomials);
        if (found.size() == WIDTH
            && Arrays.compare(pattern, found.get(WIDTH - 1).pattern) >= 0) {
          continue;
        }
        BitSet columns = (BitSet) candidate.columns.clone();
        columns.flip(column);
        keep(found, new Candidate(columns, weights, pattern));
      }
    }
    return found;
  }

  /** Keeps candidates sorted, one of each pattern. */
  private static void keep(List<Candidate> found, Candidate candidate) {
    int at = Collections.binarySearch(found, candidate,
        (a, b) -> Arrays.compare(a.pattern, b.pattern));
    if (at < 0) {
      found.add(-at - 1, candidate);
      if (found.size() > WIDTH) {
        found.remove(WIDTH);
      }
    }
  }

  private static void change(byte[] weights, int column, int step) {
    for (int run = 0; run < weights.length; run++) {
      weights[run] += (byte) (step * (Integer.bitCount(column & run) & 1));
    }
  }

  private static long[] pattern(byte[] weights, int size) {
    return pattern(weights, size, krawtchouk(size));
  }

  /** Numbers of words of the lengths 3 to LONGEST, by the identities of MacWilliams. */
  private static long[] pattern(byte[] weights, int size, long[][] polynomials) {
    int[] runsByWeight = new int[size + 1];
    for (byte weight : weights) {
      runsByWeight[weight & 0xff]++;
    }
    long[] pattern = new long[LONGEST - 2];
    for (int weight = 0; weight <= size; weight++) {
      if (runsByWeight[weight] != 0) {
        for (int j = 3; j <= LONGEST; j++) {
          pattern[j - 3] += runsByWeight[weight] * polynomials[weight][j];
        }
      }
    }
    for (int j = 0; j < pattern.length; j++) {
      pattern[j] /= weights.length;
    }
    return pattern;
  }

  /** By weight: the coefficients of (1 - x)^weight * (1 + x)^(size - weight). */
  private static long[][] krawtchouk(int size) {
    long[][] polynomials = new long[size + 1][LONGEST + 1];
    for (int weight = 0; weight <= size; weight++) {
      long[] values = polynomials[weight];
      values[0] = 1;
      for (int i = 0; i < size; i++) {
        for (int j = LONGEST; j > 0; j--) {
          values[j] += i < weight ? -values[j - 1] : values[j - 1];
        }
      }
    }
    return polynomials;
  }

  /** Columns for more runs than are searched: of resolution VI, V, IV or III. */
  private static int[] byRule(int basics, int factors) {
    if (factors == basics + 1) {
      return IntStream.rangeClosed(0, basics).map(i -> i < basics ? 1 << i : (1 << basics) - 1)
          .toArray();
    }
    // All of resolution V with one more factor: words of odd length are gone.
    int[] smaller = resolutionFive(basics - 1);
    if (factors <= smaller.length + 1) {
      int added = 1 << basics - 1;
      return IntStream.concat(IntStream.of(added),
          Arrays.stream(smaller).limit(factors - 1).map(c -> c | added)).toArray();
    }
    int[] five = resolutionFive(basics);
    if (factors <= five.length) {
      return Arrays.copyOf(five, factors);
    }
    int runs = 1 << basics;
    IntStream basis = IntStream.range(0, basics).map(i -> 1 << i);
    IntStream others = IntStream.range(1, runs).filter(c -> Integer.bitCount(c) > 1
        && (factors > runs / 2 || Integer.bitCount(c) % 2 == 1));
    return IntStream.concat(basis, others).limit(factors).toArray();
  }

  /** @return as many columns as are found of which no four multiply to nothing, a basis first */
  private static int[] resolutionFive(int basics) {
    return FIVE.computeIfAbsent(basics, MinimumAberration::findResolutionFive);
  }

  private static int[] findResolutionFive(int basics) {
    int[] greedy = Basis.change(basics, greedyFive(basics, new int[0]));
    if (basics % 2 != 0) {
      return greedy;
    }
    GaloisField field = GaloisField.of(1 << basics / 2);
    int[] cubes = IntStream.range(1, field.order())
        .map(x -> x << basics / 2 | field.times(x, field.times(x, x))).toArray();
    int[] bose = Basis.change(basics, greedyFive(basics, cubes));
    return bose.length > greedy.length ? bose : greedy;
  }

  /** Takes each column that is no product of up to three others that are taken. */
  private static int[] greedyFive(int basics, int[] start) {
    List<Integer> taken = new ArrayList<>();
    boolean[] reached = new boolean[1 << basics];
    reached[0] = true;
    IntStream candidates = IntStream.concat(IntStream.of(start), IntStream.range(1, 1 << basics));
    candidates.forEach(column -> {
      if (!reached[column]) {
        for (int i = 0; i < taken.size(); i++) {
          reached[column ^ taken.get(i)] = true;
          for (int j = 0; j < i; j++) {
            reached[column ^ taken.get(i) ^ taken.get(j)] = true;
          }
        }
        reached[column] = true;
        taken.add(column);
      }
    });
    return taken.stream().mapToInt(Integer::intValue).toArray();
  }
}
