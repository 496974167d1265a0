package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.util.CombinatoricsUtils;

/** Which factors of a fraction are called the basic ones: the fraction is the same with others. */
final class Basis {
  private static final int MOST_WAYS = 1_000_000;

  private Basis() {
  }

  /**
   * Renames the products so that the first independent columns become the basic factors; others
   * follow, rising.
   */
  static int[] change(int basics, int[] columns) {
    // Each row: a reduced column, and beside it which of the chosen ones make it.
    int[] reduced = new int[basics];
    int[] made = new int[basics];
    int chosen = 0;
    int[] others = new int[columns.length - basics];
    int filled = 0;
    for (int column : columns) {
      int rest = column;
      int combination = 0;
      for (int bit = basics - 1; bit >= 0; bit--) {
        if ((rest >> bit & 1) != 0 && reduced[bit] != 0) {
          rest ^= reduced[bit];
          combination ^= made[bit];
        }
      }
      if (rest != 0) {
        int bit = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rest);
        reduced[bit] = rest;
        made[bit] = combination ^ 1 << chosen++;
      } else {
        others[filled++] = combination;
      }
    }
    Arrays.sort(others);
    return IntStream.concat(IntStream.range(0, basics).map(i -> 1 << i), Arrays.stream(others))
        .toArray();
  }

  /**
   * Of all the ways to call some of the factors A, B, C and so on, the one whose generators come
   * first, as in the published tables; just one of the ways when there are too many to try.
   */
  static int[] first(int basics, int[] columns) {
    double ways = CombinatoricsUtils.binomialCoefficientDouble(columns.length, basics)
        * CombinatoricsUtils.factorialDouble(basics);
    int[] best = change(basics, columns);
    if (ways > MOST_WAYS) {
      return best;
    }
    List<int[]> orders = permutations(basics);
    for (int[] basis : (Iterable<int[]>) () ->
        CombinatoricsUtils.combinationsIterator(columns.length, basics)) {
      int[] chosen = IntStream.concat(Arrays.stream(basis).map(i -> columns[i]),
          Arrays.stream(columns)).distinct().toArray();
      if (rank(Arrays.copyOf(chosen, basics)) == basics) {
        int[] renamed = change(basics, chosen);
        for (int[] order : orders) {
          int[] reordered = reordered(renamed, basics, order);
          if (Arrays.compare(reordered, best) < 0) {
            best = reordered;
          }
        }
      }
    }
    return best;
  }

  private static int[] reordered(int[] columns, int basics, int[] order) {
    int[] reordered = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      for (int bit = 0; bit < basics; bit++) {
        reordered[i] |= (columns[i] >> bit & 1) << order[bit];
      }
    }
    for (int i = 0; i < basics; i++) {
      reordered[i] = 1 << i;
    }
    Arrays.sort(reordered, basics, reordered.length);
    return reordered;
  }

  private static List<int[]> permutations(int count) {
    List<int[]> all = List.of(new int[0]);
    for (int next = 0; next < count; next++) {
      List<int[]> longer = new ArrayList<>();
      for (int[] order : all) {
        for (int at = 0; at <= order.length; at++) {
          longer.add(IntStream.concat(IntStream.concat(Arrays.stream(order, 0, at),
              IntStream.of(next)), Arrays.stream(order, at, order.length)).toArray());
        }
      }
      all = longer;
    }
    return all;
  }

  private static int rank(int[] columns) {
    int[] rest = columns.clone();
    int rank = 0;
    for (int i = 0; i < rest.length; i++) {
      if (rest[i] != 0) {
        rank++;
        int top = Integer.highestOneBit(rest[i]);
        for (int j = i + 1; j < rest.length; j++) {
          rest[j] = (rest[j] & top) != 0 ? rest[j] ^ rest[i] : rest[j];
        }
      }
    }
    return rank;
  }
}
