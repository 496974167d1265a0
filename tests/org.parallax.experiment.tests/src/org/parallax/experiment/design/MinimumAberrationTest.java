package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MinimumAberrationTest {
  private static final int LONGEST = 8;

  private static Fraction best(int basics, int factors) {
    return Fraction.ofColumns(basics, MinimumAberration.columns(basics, factors));
  }

  /**
   * In the notation of Chen, Sun and Wu (A catalogue of two-level and three-level fractional
   * factorial designs with small runs, 1993), which R's FrF2 uses: the columns of the generated
   * factors in Yates order, and the numbers of words of length 3, 4, 5 and 6. FrF2's own output
   * confirms 16 runs of 6 and 7 factors; the other rows were written down without the paper or FrF2
   * at hand, so that what they show beyond {@link #noSetOfColumnsIsBetter} is that generators stay
   * what they are.
   */
  @Test
  void generatorsAreThoseOfTheUsualTables() {
    String table = """
        3 4 | 7 | 0 1 0 0
        3 5 | 3 5 | 2 1 0 0
        3 6 | 3 5 6 | 4 3 0 0
        3 7 | 3 5 6 7 | 7 7 0 0
        4 5 | 15 | 0 0 1 0
        4 6 | 7 11 | 0 3 0 0
        4 7 | 7 11 13 | 0 7 0 0
        4 8 | 7 11 13 14 | 0 14 0 0
        4 9 | 3 5 9 14 15 | 4 14 8 0
        4 10 | 3 5 6 9 14 15 | 8 18 16 8
        4 11 | 3 5 6 9 10 13 14 | 12 26 28 24
        4 12 | 3 5 6 9 10 13 14 15 | 16 39 48 48
        5 6 | 31 | 0 0 0 1
        5 7 | 7 27 | 0 1 2 0
        5 8 | 7 11 29 | 0 3 4 0
        5 9 | 7 11 19 29 | 0 6 8 0
        5 10 | 7 11 19 29 30 | 0 10 16 0
        6 8 | 15 51 | 0 0 2 1
        6 9 | 7 27 45 | 0 1 4 2
        6 10 | 7 27 43 53 | 0 2 8 4
        6 11 | 7 11 29 45 51 | 0 4 14 8
        6 12 | 7 11 29 45 51 62 | 0 6 24 16
        """;
    StringBuilder found = new StringBuilder();
    for (String line : table.split("\n")) {
      String[] sizes = line.split(" ");
      int basics = Integer.parseInt(sizes[0]);
      Fraction fraction = best(basics, Integer.parseInt(sizes[1]));
      found.append(sizes[0]).append(' ').append(sizes[1]).append(" | ")
          .append(IntStream.range(basics, fraction.factors())
              .mapToObj(i -> "" + fraction.column(i)).collect(Collectors.joining(" ")))
          .append(" | ").append(Arrays.stream(fraction.wordLengthPattern(6)).skip(3)
              .mapToObj(Long::toString).collect(Collectors.joining(" "))).append('\n');
    }
    assertEquals(table, found.toString());
  }

  /** All sets of columns of 8, 16 and 32 runs that hold a basis: what the search may not miss. */
  @Test
  void noSetOfColumnsIsBetter() {
    for (int basics = 3; basics <= 5; basics++) {
      AllSets all = new AllSets(basics);
      for (int factors = basics + 1; factors < 1 << basics; factors++) {
        assertArrayEquals(all.least(factors), best(basics, factors).wordLengthPattern(LONGEST),
            factors + " factors in " + (1 << basics) + " runs");
      }
    }
  }

  /**
   * Goes through all sets. A set is a number with bit c for column c; its words of length 3 and 4
   * are counted from how many columns it keeps when each is multiplied with another.
   */
  private static final class AllSets {
    private final int basics;
    private final int[] others;
    private final int[] fewestThree;
    private final int[] fewestFour;
    /** The sets with as few words of length 3 and 4 as there can be. */
    private final List<List<Integer>> fewest;

    AllSets(int basics) {
      this.basics = basics;
      int runs = 1 << basics;
      others = IntStream.range(1, runs).filter(c -> Integer.bitCount(c) > 1).toArray();
      fewestThree = new int[runs];
      fewestFour = new int[runs];
      Arrays.fill(fewestThree, Integer.MAX_VALUE);
      Arrays.fill(fewestFour, Integer.MAX_VALUE);
      fewest = Stream.<List<Integer>>generate(ArrayList::new).limit(runs).toList();
      visit(0, IntStream.range(0, basics).map(i -> 1 << (1 << i)).sum(), 0, basics);
    }

    long[] least(int factors) {
      return fewest.get(factors).stream().map(set -> pattern(set, factors)).min(Arrays::compare)
          .get();
    }

    /** Words by length: from (1 - x)^weight * (1 + x)^(factors - weight) of all runs. */
    private long[] pattern(int set, int factors) {
      long[] sums = new long[LONGEST + 1];
      for (int run = 0; run < 1 << basics; run++) {
        int weight = 0;
        for (int column = 1; column < 1 << basics; column++) {
          weight += set >>> column & Integer.bitCount(column & run) & 1;
        }
        long[] values = new long[LONGEST + 1];
        values[0] = 1;
        for (int i = 0; i < factors; i++) {
          for (int j = LONGEST; j > 0; j--) {
            values[j] += i < weight ? -values[j - 1] : values[j - 1];
          }
        }
        for (int j = 0; j <= LONGEST; j++) {
          sums[j] += values[j];
        }
      }
      return Arrays.stream(sums).map(sum -> sum >> basics).toArray();
    }

    private void visit(int from, int set, int three, int size) {
      if (size > basics && three <= fewestThree[size]) {
        compare(set, three, size);
      }
      for (int i = from; i < others.length; i++) {
        visit(i + 1, set | 1 << others[i],
            three + Integer.bitCount(set & times(set, others[i])) / 2, size + 1);
      }
    }

    private void compare(int set, int three, int size) {
      int four = 0;
      for (int column = 1; column < 1 << basics; column++) {
        int pairs = Integer.bitCount(set & times(set, column)) / 2;
        four += pairs * (pairs - 1) / 2;
      }
      if (three < fewestThree[size] || four < fewestFour[size]) {
        fewestThree[size] = three;
        fewestFour[size] = four;
        fewest.get(size).clear();
      }
      if (four == fewestFour[size]) {
        fewest.get(size).add(set);
      }
    }

    /** Moves bit i to bit i ^ column. */
    private static int times(int set, int column) {
      int moved = set;
      moved = (column & 1) == 0 ? moved : swapped(moved, 0x55555555, 1);
      moved = (column & 2) == 0 ? moved : swapped(moved, 0x33333333, 2);
      moved = (column & 4) == 0 ? moved : swapped(moved, 0x0f0f0f0f, 4);
      moved = (column & 8) == 0 ? moved : swapped(moved, 0x00ff00ff, 8);
      return (column & 16) == 0 ? moved : swapped(moved, 0x0000ffff, 16);
    }

    private static int swapped(int set, int mask, int distance) {
      return (set & mask) << distance | set >>> distance & mask;
    }
  }

  /** Words of length 4: the search may get no worse where not all sets are gone through. */
  @Test
  void largerFractionsStayAsGoodAsTheyAre() {
    assertEquals("14 22 30 43 59 78 100 125 204 250 304 365 435 515 605 706 819 945 1085 1240",
        fours(6, 13, 32));
    assertEquals("1 2 3 7 10 15 20 27 36 51 65 83 102 124 152 180 210 266 335 391 452 518 589 665 "
        + "756 854 959 1071 1190", fours(7, 12, 40));
  }

  private static String fours(int basics, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(factors -> best(basics, factors))
        .map(fraction -> "" + fraction.wordLengthPattern(4)[4]).collect(Collectors.joining(" "));
  }

  /** Most factors of a resolution: Box, Hunter, Hunter, table of 2^(k-p) designs; Xu 2009. */
  @Test
  void resolutionsAreTheHighestThatArePossible() {
    int[][] runsAndMostOfFive = {{16, 5}, {32, 6}, {64, 8}, {128, 11}, {256, 17}};
    for (int[] known : runsAndMostOfFive) {
      int basics = Integer.numberOfTrailingZeros(known[0]);
      assertTrue(best(basics, known[1]).resolution().getAsInt() >= 5, known[0] + " runs");
      assertEquals(4, best(basics, known[1] + 1).resolution().getAsInt(), known[0] + " runs");
      assertEquals(4, best(basics, known[0] / 2).resolution().getAsInt(), known[0] + " runs");
      assertEquals(3, best(basics, known[0] / 2 + 1).resolution().getAsInt(), known[0] + " runs");
    }
    assertEquals(5, best(10, 31).resolution().getAsInt(), "Bose's code of 1024 runs");
  }
}
