package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Effects that must be told from all main effects and two-factor interactions, from each other and
 * from differences between blocks.
 */
final class Separation {
  /** One effect that a design does not separate, and from what not. */
  record Conflict(Term term, List<Term> aliases, List<Term> partly, boolean inBlocks) {
    String text(List<String> names) {
      List<String> parts = new ArrayList<>();
      if (!aliases.isEmpty()) {
        parts.add("cannot be separated from " + list(aliases, names));
      }
      if (!partly.isEmpty()) {
        parts.add("is partly mixed with " + list(partly, names));
      }
      if (inBlocks) {
        parts.add("cannot be separated from differences between blocks");
      }
      return term.name(names) + " " + String.join(" and ", parts);
    }

    private static String list(List<Term> terms, List<String> names) {
      List<String> shown = new ArrayList<>(
          terms.stream().limit(MOST_SHOWN).map(term -> term.name(names)).toList());
      if (terms.size() > MOST_SHOWN) {
        shown.add(terms.size() - MOST_SHOWN + " others");
      }
      int last = shown.size() - 1;
      return last == 0 ? shown.get(0)
          : String.join(", ", shown.subList(0, last)) + " and " + shown.get(last);
    }
  }

  private static final int MOST_SHOWN = 6;
  private static final int MOST_SEARCHED = 8;
  private static final int TRIES = 400;
  private static final long MOST_STEPS = 300_000_000;
  private static final long SEED = 1978;

  private Separation() {
  }

  /** @return what a design does not separate, of the wanted effects; empty when all are clear */
  static List<Conflict> conflicts(Design design, List<Term> wanted) {
    int order = Math.max(2, wanted.stream().mapToInt(Term::order).max().orElse(2));
    AliasTable table = AliasTable.of(design, order);
    List<Conflict> conflicts = new ArrayList<>();
    for (Term term : wanted) {
      List<Term> aliases = table.aliasesOf(term).stream().map(SignedTerm::term)
          .filter(other -> other.order() <= 2 || wanted.contains(other)).toList();
      List<Term> partly = table.partialAliasesOf(term).stream().map(AliasTable.PartialAlias::term)
          .filter(other -> other.order() <= 2 || wanted.contains(other)).toList();
      boolean inBlocks = table.string(term).inBlocks();
      if (!aliases.isEmpty() || !partly.isEmpty() || inBlocks) {
        conflicts.add(new Conflict(term, aliases, partly, inBlocks));
      }
    }
    return conflicts;
  }

  /**
   * The fraction with the fewest runs that is found to separate effects: for up to 256 runs by
   * seeded random choices of columns, of which the one with the least aberration is kept; beyond by
   * resolution V. It may be that a smaller one exists.
   *
   * @param basics the least binary logarithm of the number of runs
   * @return empty when none is found below {@link Fraction#MOST_RUNS} runs
   */
  static Optional<Fraction> smallest(int basics, int factors, List<Term> wanted) {
    int most = Math.min(factors, Integer.numberOfTrailingZeros(Fraction.MOST_RUNS));
    for (int n = Math.max(basics, 32 - Integer.numberOfLeadingZeros(factors)); n <= most; n++) {
      Optional<Fraction> found = ofRuns(n, factors, wanted);
      if (found.isPresent()) {
        return found;
      }
    }
    return factors <= most ? Optional.of(Fraction.full(factors)) : Optional.empty();
  }

  /** @return a fraction of 2^basics runs that separates the effects, if one is found */
  static Optional<Fraction> ofRuns(int basics, int factors, List<Term> wanted) {
    if (basics == factors) {
      return Optional.of(Fraction.full(factors));
    }
    int[] best = null;
    long[] pattern = null;
    int[] usual = MinimumAberration.columns(basics, factors);
    if (separates(usual, factors, wanted, 1 << basics)) {
      return Optional.of(Fraction.ofColumns(basics, usual));
    }
    if (basics > MOST_SEARCHED) {
      return Optional.empty();
    }
    Random random = new Random(SEED);
    long steps = (long) factors * factors * factors << basics;
    long tries = Math.max(4, Math.min(TRIES, MOST_STEPS / steps));
    for (int i = 0; i < tries; i++) {
      // First without words of odd length, so that main effects are clear; then any.
      int[] columns = attempt(basics, factors, wanted, random, i % 2 == 0);
      if (columns != null) {
        long[] own = aberration(columns, 1 << basics);
        if (best == null || Arrays.compare(own, pattern) < 0) {
          best = columns;
          pattern = own;
        }
      }
    }
    return Optional.ofNullable(best).map(columns -> ofColumns(basics, columns));
  }

  private static int[] attempt(int basics, int factors, List<Term> wanted, Random random,
      boolean odd) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, factors).boxed().toList());
    Collections.shuffle(order, random);
    int[] columns = new int[factors];
    for (int i = 0; i < basics; i++) {
      columns[order.get(i)] = 1 << i;
    }
    List<Integer> free = new ArrayList<>(IntStream.range(1, 1 << basics)
        .filter(c -> Integer.bitCount(c) > 1 && (!odd || Integer.bitCount(c) % 2 == 1)).boxed()
        .toList());
    for (int i = basics; i < factors; i++) {
      Collections.shuffle(free, random);
      int factor = order.get(i);
      boolean placed = false;
      for (int at = 0; at < free.size() && !placed; at++) {
        columns[factor] = free.get(at);
        placed = separates(columns, factors, wanted, 1 << basics);
      }
      if (!placed) {
        return null;
      }
      free.remove((Integer) columns[factor]);
    }
    return columns;
  }

  /** Factors whose column is still 0 have no place yet; terms with them are not looked at. */
  private static boolean separates(int[] columns, int factors, List<Term> wanted, int runs) {
    int[] terms = new int[runs];
    for (int i = 0; i < factors; i++) {
      if (columns[i] != 0) {
        terms[columns[i]]++;
        for (int j = 0; j < i; j++) {
          if (columns[j] != 0) {
            terms[columns[i] ^ columns[j]]++;
          }
        }
      }
    }
    for (Term term : wanted) {
      if (term.order() > 2 && placed(term, columns)) {
        terms[product(term, columns)]++;
      }
    }
    return wanted.stream().filter(term -> placed(term, columns)).allMatch(
        term -> product(term, columns) != 0 && terms[product(term, columns)] == 1);
  }

  private static boolean placed(Term term, int[] columns) {
    return IntStream.of(term.factors()).allMatch(factor -> columns[factor] != 0);
  }

  private static int product(Term term, int[] columns) {
    return IntStream.of(term.factors()).map(factor -> columns[factor]).reduce(0, (a, b) -> a ^ b);
  }

  /** How many words have length 3 and 4, each counted three times. */
  private static long[] aberration(int[] columns, int runs) {
    long[] pairs = new long[runs];
    long[] words = new long[2];
    for (int i = 0; i < columns.length; i++) {
      for (int j = 0; j < i; j++) {
        pairs[columns[i] ^ columns[j]]++;
      }
    }
    for (int column : columns) {
      words[0] += pairs[column];
    }
    for (long count : pairs) {
      words[1] += count * (count - 1) / 2;
    }
    return words;
  }

  private static Fraction ofColumns(int basics, int[] columns) {
    int[] basic = new int[basics];
    for (int i = 0; i < columns.length; i++) {
      if (Integer.bitCount(columns[i]) == 1) {
        basic[Integer.numberOfTrailingZeros(columns[i])] = i;
      }
    }
    List<Generator> generators = IntStream.range(0, columns.length)
        .filter(i -> Integer.bitCount(columns[i]) > 1)
        .mapToObj(i -> new Generator(i, Term.of(IntStream.range(0, basics)
            .filter(bit -> (columns[i] >> bit & 1) != 0).map(bit -> basic[bit]).toArray()), 1))
        .toList();
    return Fraction.of(columns.length, generators);
  }
}
