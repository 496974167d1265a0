package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Designs with more than two levels in which every two factors have all pairs of levels equally
 * often: OA9(3^4), OA27(3^13), OA16(4^5), OA25(5^6) and their larger kin (Bose and Bush 1952;
 * Kacker, Lagergren, Filliben, Taguchi's orthogonal arrays are classical designs of experiments,
 * 1991).
 *
 * <p>Runs are the vectors of a space over the field of q elements, the last coordinate changing
 * fastest; factors are linear forms whose last coefficient that is not 0 is 1: with two coordinates
 * a and b they are a, b, a+b, 2a+b and so on. OA25(5^6) so has the rows that Table IV of Lyon,
 * Snelick and Kacker 1992 prints.
 */
public final class OrthogonalArray {
  /** The most runs that are made. */
  public static final int MOST_RUNS = 1024;

  private OrthogonalArray() {
  }

  /**
   * The array with the fewest runs.
   *
   * @param levels a power of a prime, at least 3
   * @throws DesignException when there is no array of these levels, or it would be over
   *     {@link #MOST_RUNS}
   */
  public static Design of(int factors, int levels) {
    if (levels < 3 || levels > 9 || !GaloisField.exists(levels)) {
      throw new DesignException("orthogonal arrays exist for 3, 4, 5, 7, 8 and 9 levels, not for "
          + levels);
    }
    int runs = levels * levels;
    int dimensions = 2;
    while (holds(runs, levels) < factors) {
      runs *= levels;
      dimensions++;
      if (runs > MOST_RUNS) {
        throw new DesignException(factors + " factors of " + levels + " levels take over "
            + MOST_RUNS + " runs; " + runs / levels + " runs allow "
            + holds(runs / levels, levels));
      }
    }
    GaloisField field = GaloisField.of(levels);
    List<int[]> forms = forms(levels, dimensions);
    int[][] settings = new int[runs][factors];
    for (int run = 0; run < runs; run++) {
      int[] vector = digits(run, levels, dimensions);
      for (int i = 0; i < factors; i++) {
        int value = 0;
        for (int d = 0; d < dimensions; d++) {
          value = field.plus(value, field.times(forms.get(i)[d], vector[d]));
        }
        settings[run][i] = value;
      }
    }
    return new Design("OA" + runs + "(" + levels + "^" + factors + ")", levels, settings);
  }

  /** @return the number of factors that an array of q^m runs holds */
  public static int holds(int runs, int levels) {
    return (runs - 1) / (levels - 1);
  }

  private static List<int[]> forms(int levels, int dimensions) {
    List<int[]> forms = new ArrayList<>();
    int before = 1;
    for (int last = 0; last < dimensions; last++) {
      for (int i = 0; i < before; i++) {
        int[] form = new int[dimensions];
        int rest = i;
        for (int d = 0; d < last; d++) {
          form[d] = rest % levels;
          rest /= levels;
        }
        form[last] = 1;
        forms.add(form);
      }
      before *= levels;
    }
    return forms;
  }

  /** The first digit changes slowest. */
  private static int[] digits(int number, int levels, int count) {
    int[] digits = new int[count];
    for (int d = count - 1; d >= 0; d--) {
      digits[d] = number % levels;
      number /= levels;
    }
    return digits;
  }

  /**
   * The strength of any design: the largest t for which every t factors have all combinations of
   * their settings equally often. Computed by counting, in O(C(k, t) * runs * t).
   *
   * @param most the strength at which to stop
   * @return 0 when a factor is not balanced
   */
  public static int strength(Design design, int most) {
    int strength = 0;
    while (strength < Math.min(most, design.factors())) {
      int size = strength + 1;
      int tuples = (int) Math.pow(design.levels(), size);
      boolean even = Term.all(design.factors(), size).stream().filter(term -> term.order() == size)
          .allMatch(term -> {
            Map<List<Integer>, Integer> counts = new HashMap<>();
            for (int[] run : design.settings()) {
              counts.merge(Arrays.stream(term.factors()).mapToObj(i -> run[i]).toList(), 1,
                  Integer::sum);
            }
            return counts.size() == tuples && counts.values().stream().distinct().count() == 1;
          });
      if (!even) {
        break;
      }
      strength = size;
    }
    return strength;
  }
}
