package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which effects a two-level design can tell from each other and from differences between blocks.
 * Computed from the settings alone, so that it holds for any design: fractions, Plackett-Burman,
 * foldovers, designs with runs left out.
 *
 * <p>Contrasts are sets of bits that are multiplied 64 runs at a time, and terms with the same set
 * meet in a hash table: O(terms * runs / 64) for the table, where there are C(k, 1) + ... + C(k,
 * order) terms of k factors.
 */
public final class AliasTable {
  private final Design design;
  private final int order;
  private final long[][] minus;
  private final long[][] zero;
  private final AliasString mean;
  private final List<AliasString> strings;
  private final Map<Term, AliasString> byTerm = new HashMap<>();

  /** One effect that another one is partly mixed with. */
  public record PartialAlias(Term term, double correlation) {
  }

  private AliasTable(Design design, int order) {
    this.design = design;
    this.order = order;
    int words = (design.runs() + 63) / 64;
    minus = new long[design.factors()][words];
    zero = new long[design.factors()][words];
    for (int run = 0; run < design.runs(); run++) {
      for (int factor = 0; factor < design.factors(); factor++) {
        int setting = design.settings()[run][factor];
        minus[factor][run / 64] |= setting < 0 ? 1L << run : 0;
        zero[factor][run / 64] |= setting == 0 ? 1L << run : 0;
      }
    }
    Map<Contrast, List<SignedTerm>> groups = new LinkedHashMap<>();
    for (Term term : (Iterable<Term>) Stream.concat(Stream.of(Term.MEAN),
        Term.all(design.factors(), order).stream())::iterator) {
      Contrast contrast = contrast(term);
      boolean opposite = contrast.startsWithMinus();
      groups.computeIfAbsent(opposite ? contrast.opposite(design.runs()) : contrast,
          key -> new ArrayList<>()).add(new SignedTerm(term, opposite ? -1 : 1));
    }
    List<AliasString> all = groups.values().stream().map(this::string).toList();
    all.forEach(string -> string.terms().forEach(term -> byTerm.put(term.term(), string)));
    mean = all.get(0);
    strings = all.subList(1, all.size());
  }

  /**
   * Finds the aliases of a design.
   *
   * @param order the highest order of terms that are looked at
   * @throws IllegalArgumentException when the design has more than two levels
   */
  public static AliasTable of(Design design, int order) {
    if (design.levels() != 2) {
      throw new IllegalArgumentException("aliases are found for two-level designs only");
    }
    return new AliasTable(design, order);
  }

  /** Where a contrast is - and where it is 0. */
  private record Contrast(long[] minus, long[] zero) {
    boolean startsWithMinus() {
      for (int i = 0; i < minus.length; i++) {
        if (~zero[i] != 0) {
          return (minus[i] & Long.lowestOneBit(~zero[i])) != 0;
        }
      }
      return false;
    }

    Contrast opposite(int runs) {
      long[] flipped = minus.clone();
      for (int i = 0; i < minus.length; i++) {
        flipped[i] = ~minus[i] & ~zero[i] & used(i, runs);
      }
      return new Contrast(flipped, zero);
    }

    private static long used(int word, int runs) {
      int bits = runs - 64 * word;
      return bits >= 64 ? -1 : (1L << bits) - 1;
    }

    int used(int runs) {
      int count = 0;
      for (int i = 0; i < zero.length; i++) {
        count += Long.bitCount(used(i, runs) & ~zero[i]);
      }
      return count;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Contrast contrast && Arrays.equals(minus, contrast.minus)
          && Arrays.equals(zero, contrast.zero);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(minus) + Arrays.hashCode(zero);
    }
  }

  private Contrast contrast(Term term) {
    long[] signs = new long[(design.runs() + 63) / 64];
    long[] zeros = new long[signs.length];
    for (int factor : term.factors()) {
      for (int i = 0; i < signs.length; i++) {
        signs[i] ^= minus[factor][i];
        zeros[i] |= zero[factor][i];
      }
    }
    for (int i = 0; i < signs.length; i++) {
      signs[i] &= ~zeros[i];
    }
    return new Contrast(signs, zeros);
  }

  private AliasString string(List<SignedTerm> terms) {
    int sign = terms.get(0).sign();
    List<SignedTerm> signed = terms.stream()
        .map(term -> new SignedTerm(term.term(), term.sign() * sign)).toList();
    return new AliasString(signed, blockShare(signed.get(0).term()));
  }

  private double blockShare(Term term) {
    int blocks = 1 + Arrays.stream(design.blocks()).max().orElse(0);
    if (blocks == 1 || term.order() == 0) {
      return 0;
    }
    int[] sums = new int[blocks];
    int[] sizes = new int[blocks];
    int used = 0;
    int total = 0;
    for (int run = 0; run < design.runs(); run++) {
      int contrast = term.contrast(design.settings()[run]);
      sums[design.blocks()[run]] += contrast;
      sizes[design.blocks()[run]]++;
      total += contrast;
      used += Math.abs(contrast);
    }
    double between = -(double) total * total / design.runs();
    for (int block = 0; block < blocks; block++) {
      between += sizes[block] == 0 ? 0 : (double) sums[block] * sums[block] / sizes[block];
    }
    double all = used - (double) total * total / design.runs();
    return all <= 0 ? 0 : between / all;
  }

  /** @return the highest order of terms in this table */
  public int order() {
    return order;
  }

  /**
   * The strings of the terms up to this table's order, each term in one of them; those that cannot
   * be told from the mean are in {@link #mean()}.
   *
   * @return by the order of their first terms, then by its factors
   */
  public List<AliasString> strings() {
    return strings;
  }

  /** @return the mean and the terms whose contrasts are constant: the words of a fraction */
  public AliasString mean() {
    return mean;
  }

  /**
   * The string of a term.
   *
   * @throws IllegalArgumentException when the term's order is above the table's
   */
  public AliasString string(Term term) {
    AliasString string = byTerm.get(term);
    if (string == null) {
      throw new IllegalArgumentException("the alias table goes up to order " + order);
    }
    return string;
  }

  /** @return the other terms of a term's string, with the signs they have beside it */
  public List<SignedTerm> aliasesOf(Term term) {
    List<SignedTerm> terms = string(term).terms();
    int own = terms.stream().filter(other -> other.term().equals(term)).findFirst().get().sign();
    return terms.stream().filter(other -> !other.term().equals(term))
        .map(other -> new SignedTerm(other.term(), other.sign() * own)).toList();
  }

  /**
   * How much of one effect is found in the estimate of another: the product of their contrasts
   * divided by the root of their lengths. It is 1 or -1 in one string, 0 when nothing is mixed.
   */
  public double correlation(Term a, Term b) {
    return correlation(contrast(a), contrast(b));
  }

  private double correlation(Contrast a, Contrast b) {
    int product = 0;
    for (int i = 0; i < a.minus.length; i++) {
      long both = ~a.zero[i] & ~b.zero[i] & Contrast.used(i, design.runs());
      product += Long.bitCount(both) - 2 * Long.bitCount((a.minus[i] ^ b.minus[i]) & both);
    }
    double lengths = (double) a.used(design.runs()) * b.used(design.runs());
    return lengths == 0 ? 0 : product / Math.sqrt(lengths);
  }

  /**
   * The terms that are mixed with one in part, as in Plackett-Burman designs. Takes
   * O(strings * runs / 64).
   *
   * @return the first terms of other strings, and the mean, whose correlation with it is not 0, the
   *     strongest first
   */
  public List<PartialAlias> partialAliasesOf(Term term) {
    Contrast contrast = contrast(term);
    AliasString own = string(term);
    return Stream.concat(Stream.of(mean), strings.stream()).filter(string -> string != own)
        .map(string -> new PartialAlias(string.first(),
            correlation(contrast, contrast(string.first()))))
        .filter(alias -> alias.correlation() != 0)
        .sorted(Comparator.comparingDouble(
            (PartialAlias alias) -> -Math.abs(alias.correlation()))
            .thenComparing(PartialAlias::term))
        .toList();
  }

  /** @return whether a term is clear of all other terms of this table, and of blocks */
  public boolean clear(Term term) {
    return clear(term, order);
  }

  /**
   * Whether a term is clear of others up to an order.
   *
   * @return false when one of them is in its string or correlated with it, or blocks are
   */
  public boolean clear(Term term, int upToOrder) {
    AliasString own = string(term);
    if (own == mean || own.inBlocks() || aliasesOf(term).stream()
        .anyMatch(alias -> alias.term().order() <= upToOrder)) {
      return false;
    }
    Contrast contrast = contrast(term);
    return Stream.concat(Stream.of(mean), strings.stream())
        .noneMatch(string -> string != own && string.lowestOrder() <= upToOrder
            && correlation(contrast, contrast(string.first())) != 0);
  }

  /**
   * Whether each string can be estimated from its contrast alone, whatever the others are. Takes
   * O(strings^2 * runs / 64).
   */
  public boolean orthogonal() {
    List<Contrast> contrasts = Stream.concat(Stream.of(mean), strings.stream())
        .map(string -> contrast(string.first())).toList();
    for (int i = 0; i < contrasts.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (correlation(contrasts.get(i), contrasts.get(j)) != 0) {
          return false;
        }
      }
    }
    return true;
  }
}
