package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A fraction whose runs are made in blocks: differences between blocks are confounded with
 * interactions, of the highest order that can be, and never with main effects (Box, Hunter, Hunter,
 * section 10.8; Sun, Wu, Chen, Optimal blocking schemes, 1997).
 *
 * <p>2^b blocks take up a group of 2^b - 1 products of basic factors. The group grows by one
 * generator at a time; of each size the {@value #WIDTH} with the fewest main effects, two-factor,
 * then three-factor interactions and so on are kept. Costs O(WIDTH * 2^(n+b)) for 2^n runs.
 *
 * @param design in blocks
 * @param generators the terms whose signs tell the block, with basic factors in them
 */
public record Blocking(Design design, List<Term> generators) {
  private static final int WIDTH = 60;
  private static final int HIGHEST_ORDER = 6;

  /** Products that differences of blocks take up, and how many terms of each order are in them. */
  private record Group(int[] products, List<Integer> generators, long[] terms) {
  }

  /**
   * Chooses blocks.
   *
   * @param blocks a power of two
   * @throws DesignException when the number of blocks is not such, or blocks would be confounded
   *     with a main effect
   */
  public static Blocking of(Fraction fraction, int blocks) {
    int runs = fraction.runs();
    if (Integer.bitCount(blocks) != 1 || blocks > runs / 2) {
      throw new DesignException(runs + " runs can be divided into 2, 4, 8 and so on up to "
          + runs / 2
          + " blocks, not into " + blocks);
    }
    long[][] terms = termsByProduct(fraction);
    List<Group> groups = List.of(new Group(new int[0], List.of(), new long[HIGHEST_ORDER + 1]));
    for (int size = 1; size < blocks; size *= 2) {
      groups = grown(groups, terms, runs);
    }
    Group best = groups.get(0);
    if (best.terms[1] > 0) {
      throw new DesignException(fraction.name() + " of " + fraction.factors() + " factors cannot "
          + "be divided into " + blocks + " blocks: differences between blocks could not be "
          + "separated from main effects; use the replicates as blocks, or take " + 2 * runs
          + " runs");
    }
    int[] basics = fraction.basicFactors();
    int[] columns = best.generators.stream().mapToInt(Integer::intValue).toArray();
    List<Term> generators = IntStream.of(columns).mapToObj(column -> Term.of(
        IntStream.range(0, basics.length).filter(bit -> (column >> bit & 1) != 0)
            .map(bit -> basics[bit]).toArray())).toList();
    Design design = fraction.design();
    int[] block = new int[runs];
    for (int run = 0; run < runs; run++) {
      for (int i = 0; i < columns.length; i++) {
        block[run] |= (Integer.bitCount(columns[i] & ~run) & 1) == 0 ? 1 << i : 0;
      }
    }
    String name = blocks == 1 ? design.name() : design.name() + " in " + blocks + " blocks";
    return new Blocking(new Design(name, 2, design.settings(), block), generators);
  }

  private static List<Group> grown(List<Group> groups, long[][] terms, int runs) {
    List<Group> found = new ArrayList<>();
    for (Group group : groups) {
      for (int column = 1; column < runs; column++) {
        int added = column;
        if (IntStream.of(group.products).anyMatch(product -> product == added)) {
          continue;
        }
        int[] products = IntStream.concat(IntStream.of(group.products), IntStream.concat(
            IntStream.of(added), IntStream.of(group.products).map(p -> p ^ added))).toArray();
        long[] sum = group.terms.clone();
        for (int i = group.products.length; i < products.length; i++) {
          for (int order = 1; order <= HIGHEST_ORDER; order++) {
            sum[order] += terms[products[i]][order];
          }
        }
        List<Integer> generators = new ArrayList<>(group.generators);
        generators.add(added);
        found.add(new Group(products, generators, sum));
      }
    }
    // Stable: of equal ones the first, which has the smallest generators.
    found.sort((a, b) -> Arrays.compare(a.terms, b.terms));
    return found.subList(0, Math.min(WIDTH, found.size()));
  }

  /** How many terms of each order have a product of basic factors, by that product. */
  private static long[][] termsByProduct(Fraction fraction) {
    long[][] terms = new long[fraction.runs()][HIGHEST_ORDER + 1];
    terms[0][0] = 1;
    for (int factor = 0; factor < fraction.factors(); factor++) {
      int column = fraction.column(factor);
      for (int order = HIGHEST_ORDER; order > 0; order--) {
        // Orders fall, so that a factor is never counted twice in a term.
        for (int product = 0; product < terms.length; product++) {
          terms[product][order] += terms[product ^ column][order - 1];
        }
      }
    }
    return terms;
  }
}
