package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of factors: the mean when it is empty, a main effect with one, an interaction with several.
 * Two-level designs multiply terms as their contrasts multiply: a factor times itself is nothing.
 */
public final class Term implements Comparable<Term> {
  /** The mean: no factor. */
  public static final Term MEAN = Term.of();

  private static final Comparator<Term> BY_FACTORS = (a, b) -> {
    for (int i = 0; i < Math.min(a.factors.length, b.factors.length); i++) {
      if (a.factors[i] != b.factors[i]) {
        return Integer.compare(a.factors[i], b.factors[i]);
      }
    }
    return Integer.compare(a.factors.length, b.factors.length);
  };

  /** Rising. */
  private final int[] factors;

  private Term(int[] factors) {
    this.factors = factors;
  }

  /**
   * A term of factors.
   *
   * @param factors indices from 0, in any order; one that stands there twice counts once
   * @throws IllegalArgumentException when one is negative
   */
  public static Term of(int... factors) {
    if (IntStream.of(factors).anyMatch(factor -> factor < 0)) {
      throw new IllegalArgumentException("a factor's index is negative");
    }
    return new Term(IntStream.of(factors).sorted().distinct().toArray());
  }

  /** @return the number of factors: 0 for the mean, 1 for main effects */
  public int order() {
    return factors.length;
  }

  /** @return the factors' indices, rising; a copy */
  public int[] factors() {
    return factors.clone();
  }

  public boolean contains(int factor) {
    return IntStream.of(factors).anyMatch(own -> own == factor);
  }

  /** @return the factors that are in one of the two, but not in both */
  public Term times(Term other) {
    BitSet product = bits();
    product.xor(other.bits());
    return new Term(product.stream().toArray());
  }

  private BitSet bits() {
    BitSet bits = new BitSet();
    IntStream.of(factors).forEach(bits::set);
    return bits;
  }

  /**
   * The contrast of this term in a run.
   *
   * @param settings of all factors in the run, -1, 0 or +1
   * @return the product of its factors' settings, 1 for the mean
   */
  public int contrast(int[] settings) {
    int product = 1;
    for (int factor : factors) {
      product *= settings[factor];
    }
    return product;
  }

  /**
   * All terms of factors up to an order.
   *
   * @param count of factors
   * @param order the highest number of factors in a term
   * @return the terms without the mean, by rising order, then by factors
   */
  public static List<Term> all(int count, int order) {
    List<Term> terms = new ArrayList<>();
    for (int size = 1; size <= Math.min(order, count); size++) {
      int[] chosen = IntStream.range(0, size).toArray();
      while (chosen != null) {
        terms.add(new Term(chosen.clone()));
        chosen = next(chosen, count);
      }
    }
    return terms;
  }

  private static int[] next(int[] chosen, int count) {
    int at = chosen.length - 1;
    while (at >= 0 && chosen[at] == count - chosen.length + at) {
      at--;
    }
    if (at < 0) {
      return null;
    }
    chosen[at]++;
    for (int i = at + 1; i < chosen.length; i++) {
      chosen[i] = chosen[i - 1] + 1;
    }
    return chosen;
  }

  /**
   * The term in words.
   *
   * @param names of all factors
   * @return the names with {@code &} between them, {@code mean} for no factor
   */
  public String name(List<String> names) {
    Collection<String> own = IntStream.of(factors).mapToObj(names::get).toList();
    return own.isEmpty() ? "mean" : String.join("&", own);
  }

  /** Lower orders first, then by factors. */
  @Override
  public int compareTo(Term other) {
    int byOrder = Integer.compare(order(), other.order());
    return byOrder != 0 ? byOrder : BY_FACTORS.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Term term && Arrays.equals(factors, term.factors);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(factors);
  }

  @Override
  public String toString() {
    return Arrays.toString(factors);
  }
}
