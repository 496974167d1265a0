package org.parallax.experiment.design;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Two-level designs with one run more than they hold factors (Plackett and Burman, The design of
 * optimum multifactorial experiments, 1946): main effects are independent of each other, but mixed
 * in part with interactions, so that they are for screening many factors of which few matter.
 *
 * <p>Up to 24 runs, and wherever the number of runs less one is prime, the rows are the cyclic
 * shifts of a generator and a last row of -: where a square stands modulo that prime is a + (Paley,
 * On orthogonal matrices, 1933). Other sizes use Paley's constructions over fields of prime powers,
 * or double a smaller one. Sizes that none of these makes (92, 116 and others) are left out: the
 * next one is a little larger.
 */
public final class PlackettBurman {
  /** The most runs that are made. */
  public static final int MOST_RUNS = 256;

  private PlackettBurman() {
  }

  /** @return whether there is a design of that many runs */
  public static boolean exists(int runs) {
    return runs >= 4 && runs <= MOST_RUNS && runs % 4 == 0
        && (paleyOne(runs) || paleyTwo(runs) || exists(runs / 2));
  }

  /**
   * The fewest runs that hold a number of factors.
   *
   * @return a multiple of four over the number of factors; empty when that is over {@link
   *     #MOST_RUNS}
   */
  public static OptionalInt fewestRuns(int factors) {
    return IntStream.rangeClosed(factors + 1, MOST_RUNS).filter(PlackettBurman::exists).findFirst();
  }

  /**
   * The first columns of a design.
   *
   * @throws DesignException when there is none of that size, or it holds fewer factors
   */
  public static Design of(int factors, int runs) {
    if (!exists(runs)) {
      throw new DesignException("there is no Plackett-Burman design with " + runs + " runs; "
          + "available are 12, 20, 24" + IntStream.rangeClosed(factors + 1, MOST_RUNS)
              .filter(i -> i > 24 && exists(i)).limit(3).mapToObj(i -> ", " + i)
              .reduce("", String::concat) + " and others");
    }
    if (factors >= runs) {
      throw new DesignException("a Plackett-Burman design with " + runs + " runs allows "
          + (runs - 1)
          + " factors, not " + factors + (fewestRuns(factors).isEmpty() ? ""
              : "; the next larger design has " + fewestRuns(factors).getAsInt() + " runs"));
    }
    int[][] settings = Arrays.stream(columns(runs)).map(row -> Arrays.copyOf(row, factors))
        .toArray(int[][]::new);
    return new Design("Plackett-Burman " + runs, 2, settings);
  }

  private static boolean paleyOne(int runs) {
    return runs % 4 == 0 && GaloisField.exists(runs - 1);
  }

  private static boolean paleyTwo(int runs) {
    return runs % 8 == 4 && GaloisField.exists(runs / 2 - 1);
  }

  /** @return all runs - 1 columns; the last row is - */
  private static int[][] columns(int runs) {
    if (paleyOne(runs)) {
      return cyclic(runs);
    }
    int[][] square = square(runs);
    int[][] columns = new int[runs][runs - 1];
    for (int row = 0; row < runs; row++) {
      for (int i = 1; i < runs; i++) {
        // The first column becomes + by the sign of rows, the last row - by that of columns.
        columns[row][i - 1] = -square[row][i] * square[row][0]
            * square[runs - 1][i] * square[runs - 1][0];
      }
    }
    return columns;
  }

  private static int[][] cyclic(int runs) {
    GaloisField field = GaloisField.of(runs - 1);
    int[][] columns = new int[runs][runs - 1];
    for (int row = 0; row < runs - 1; row++) {
      for (int i = 0; i < runs - 1; i++) {
        columns[row][i] = field.character(field.minus(i, row)) >= 0 ? 1 : -1;
      }
    }
    Arrays.fill(columns[runs - 1], -1);
    return columns;
  }

  /** A square of + and - whose columns are orthogonal. */
  private static int[][] square(int runs) {
    if (runs == 2) {
      return new int[][] {{1, 1}, {1, -1}};
    }
    if (paleyOne(runs)) {
      int[][] cyclic = cyclic(runs);
      return Arrays.stream(cyclic)
          .map(row -> IntStream.concat(IntStream.of(1), Arrays.stream(row)).toArray())
          .toArray(int[][]::new);
    }
    return paleyTwo(runs) ? product(conference(runs / 2)) : doubled(square(runs / 2));
  }

  private static int[][] doubled(int[][] half) {
    int runs = 2 * half.length;
    int[][] square = new int[runs][runs];
    for (int row = 0; row < runs; row++) {
      for (int i = 0; i < runs; i++) {
        int value = half[row % half.length][i % half.length];
        square[row][i] = row >= half.length && i >= half.length ? -value : value;
      }
    }
    return square;
  }

  /** A symmetric square with 0 in its diagonal and orthogonal columns of + and - elsewhere. */
  private static int[][] conference(int size) {
    GaloisField field = GaloisField.of(size - 1);
    int[][] square = new int[size][size];
    for (int row = 1; row < size; row++) {
      square[0][row] = 1;
      square[row][0] = 1;
      for (int i = 1; i < size; i++) {
        square[row][i] = field.character(field.minus(i - 1, row - 1));
      }
    }
    return square;
  }

  private static int[][] product(int[][] conference) {
    int size = conference.length;
    int[][] square = new int[2 * size][2 * size];
    for (int row = 0; row < size; row++) {
      for (int i = 0; i < size; i++) {
        int value = conference[row][i];
        int same = row == i ? 1 : 0;
        square[2 * row][2 * i] = value + same;
        square[2 * row][2 * i + 1] = value - same;
        square[2 * row + 1][2 * i] = value - same;
        square[2 * row + 1][2 * i + 1] = -value - same;
      }
    }
    return square;
  }
}
