package org.parallax.experiment.design;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A full factorial 2^k or a regular fraction 2^(k-p) of it (Lyon, Snelick, Kacker 1992, sections
 * 2.1.2 and 2.1.3; Box, Hunter, Hunter, Statistics for Experimenters, chapters 10 to 12): k - p
 * basic factors take all combinations, each of the p others follows a product of basic ones.
 * Everything about it is computed from its generators: the defining relation is the group that they
 * make.
 */
public final class Fraction {
  /** The most runs of a design: more are no experiment with programs. */
  public static final int MOST_RUNS = 4096;
  /** The most generators of a fraction whose whole defining relation is listed. */
  public static final int MOST_LISTED = 16;

  private final int basics;
  /** Of each factor: the basic factors whose product it follows, the i-th basic factor as bit i. */
  private final int[] columns;
  private final int[] signs;
  private final List<Generator> generators;

  private Fraction(int basics, int[] columns, int[] signs, List<Generator> generators) {
    this.basics = basics;
    this.columns = columns;
    this.signs = signs;
    this.generators = generators;
  }

  /**
   * All combinations of two settings.
   *
   * @throws DesignException when that takes more than {@link #MOST_RUNS}
   */
  public static Fraction full(int factors) {
    return of(factors, List.of());
  }

  /**
   * The fraction that generators make.
   *
   * @param factors the number of all factors; those without a generator are basic, in their order
   * @param generators one for each factor that is not basic; their words may name each other
   * @throws DesignException when the generators contradict each other, go in a circle, set two
   *     factors alike, or leave more basic factors than {@link #MOST_RUNS} allow
   */
  public static Fraction of(int factors, List<Generator> generators) {
    return of(generators, Letters.names(factors));
  }

  /** Like {@link #of(int, List)}, with the factors' names for messages. */
  public static Fraction of(List<Generator> generators, List<String> names) {
    int factors = names.size();
    for (Generator generator : generators) {
      if (IntStream.of(generator.definingWord().term().factors()).anyMatch(i -> i >= factors)) {
        throw new DesignException("a generator names factor "
            + (1 + IntStream.of(generator.definingWord().term().factors()).max().getAsInt())
            + ", but there are only " + factors);
      }
    }
    List<Generator> resolved = Generator.resolved(generators, names);
    int basics = factors - resolved.size();
    if (basics > Integer.numberOfTrailingZeros(MOST_RUNS)) {
      throw new DesignException(basics + " factors in all combinations take 2^" + basics
          + " runs, more than the " + MOST_RUNS + " that a design may have; ask for a fraction, "
          + "for example of resolution IV, or for a screening design");
    }
    if (factors == 0) {
      throw new DesignException("a design needs at least one factor");
    }
    int[] columns = new int[factors];
    int[] signs = new int[factors];
    Arrays.fill(signs, 1);
    resolved.forEach(generator -> columns[generator.factor()] = -1);
    int next = 0;
    for (int i = 0; i < factors; i++) {
      columns[i] = columns[i] < 0 ? -1 : 1 << next++;
    }
    for (Generator generator : resolved) {
      int column = 0;
      for (int factor : generator.word().factors()) {
        column ^= columns[factor];
      }
      columns[generator.factor()] = column;
      signs[generator.factor()] = generator.sign();
    }
    for (int i = 0; i < factors; i++) {
      for (int j = 0; j < i; j++) {
        if (columns[i] == columns[j]) {
          throw new DesignException("the generators give " + names.get(j) + " and " + names.get(i)
              + " the same settings" + (signs[i] == signs[j] ? "" : ", but opposite")
              + ": their effects could never be separated");
        }
      }
    }
    return new Fraction(basics, columns, signs, resolved);
  }

  /**
   * The fraction of given columns.
   *
   * @param columns of each factor, the basic factors whose product it follows as a set of bits; the
   *     first {@code basics} are 1, 2, 4 and so on
   */
  static Fraction ofColumns(int basics, int[] columns) {
    List<Generator> generators = IntStream.range(basics, columns.length)
        .mapToObj(i -> new Generator(i, Term.of(bits(columns[i])), 1)).toList();
    return of(columns.length, generators);
  }

  private static int[] bits(int column) {
    return IntStream.range(0, Integer.SIZE).filter(bit -> (column >> bit & 1) != 0).toArray();
  }

  public int factors() {
    return columns.length;
  }

  public int runs() {
    return 1 << basics;
  }

  /** @return the generators, with nothing but basic factors in their words; none of a full one */
  public List<Generator> generators() {
    return generators;
  }

  /** @return the factors that take all combinations, rising */
  public int[] basicFactors() {
    return IntStream.range(0, columns.length)
        .filter(i -> generators.stream().noneMatch(generator -> generator.factor() == i)).toArray();
  }

  int column(int factor) {
    return columns[factor];
  }

  /**
   * The runs in standard order: the first basic factor changes from run to run, the second from
   * pair to pair and so on (as in Table II of the paper).
   */
  public Design design() {
    int[][] settings = new int[runs()][columns.length];
    for (int run = 0; run < settings.length; run++) {
      for (int i = 0; i < columns.length; i++) {
        boolean even = (Integer.bitCount(columns[i] & ~run) & 1) == 0;
        settings[run][i] = even ? signs[i] : -signs[i];
      }
    }
    return new Design(name(), 2, settings);
  }

  /** @return as people call it: {@code 2^4}, {@code 2^(6-2) IV} */
  public String name() {
    return generators.isEmpty() ? "2^" + basics
        : "2^(" + columns.length + "-" + generators.size() + ") " + roman(resolution().getAsInt());
  }

  /**
   * The defining relation: all products of the generators' words. Their contrasts are constant, +1
   * or -1 by sign.
   *
   * @return 2^p - 1 words, by length
   * @throws DesignException when there are more than {@link #MOST_LISTED} generators; use
   *     {@link #definingWords(int)}
   */
  public List<SignedTerm> definingRelation() {
    if (generators.size() > MOST_LISTED) {
      throw new DesignException("a defining relation of 2^" + generators.size()
          + " words is too long to list");
    }
    List<SignedTerm> words = new ArrayList<>(List.of(new SignedTerm(Term.MEAN, 1)));
    for (Generator generator : generators) {
      SignedTerm own = generator.definingWord();
      words.addAll(words.stream().map(own::times).toList());
    }
    words.remove(0);
    Collections.sort(words);
    return words;
  }

  /**
   * The words of the defining relation up to a length, however many generators there are. Takes
   * C(k, length) steps.
   */
  public List<SignedTerm> definingWords(int longest) {
    return Term.all(columns.length, longest).stream().filter(term -> column(term) == 0)
        .map(term -> new SignedTerm(term, sign(term))).toList();
  }

  private int column(Term term) {
    return IntStream.of(term.factors()).map(i -> columns[i]).reduce(0, (a, b) -> a ^ b);
  }

  private int sign(Term word) {
    return IntStream.of(word.factors()).map(i -> signs[i]).reduce(1, (a, b) -> a * b);
  }

  /**
   * How many words of each length the defining relation has. Computed from the numbers of -
   * settings in the runs by the identities of MacWilliams (1963), in O(k * k) steps after O(runs *
   * k).
   *
   * @param longest the last length that is asked for
   * @return the numbers by length, from 0 (the identity: 1) to {@code longest}
   * @throws ArithmeticException when a number is over 2^63
   */
  public long[] wordLengthPattern(int longest) {
    int k = columns.length;
    long[] runsByWeight = new long[k + 1];
    for (int run = 0; run < runs(); run++) {
      int weight = 0;
      for (int column : columns) {
        weight += Integer.bitCount(column & run) & 1;
      }
      runsByWeight[weight]++;
    }
    BigInteger[] sums = new BigInteger[longest + 1];
    Arrays.fill(sums, BigInteger.ZERO);
    for (int weight = 0; weight <= k; weight++) {
      if (runsByWeight[weight] != 0) {
        BigInteger[] polynomial = krawtchouk(k, weight, longest);
        for (int j = 0; j <= longest; j++) {
          sums[j] = sums[j].add(polynomial[j].multiply(BigInteger.valueOf(runsByWeight[weight])));
        }
      }
    }
    return Arrays.stream(sums)
        .mapToLong(sum -> sum.divide(BigInteger.valueOf(runs())).longValueExact()).toArray();
  }

  /** The number of words of each length from 0 to k. */
  public long[] wordLengthPattern() {
    return wordLengthPattern(columns.length);
  }

  /** The coefficients of (1 - x)^weight * (1 + x)^(k - weight). */
  private static BigInteger[] krawtchouk(int k, int weight, int longest) {
    BigInteger[] values = new BigInteger[longest + 1];
    Arrays.fill(values, BigInteger.ZERO);
    values[0] = BigInteger.ONE;
    for (int i = 0; i < k; i++) {
      for (int j = longest; j > 0; j--) {
        values[j] = i < weight ? values[j].subtract(values[j - 1]) : values[j].add(values[j - 1]);
      }
    }
    return values;
  }

  /**
   * The length of the shortest word: with III main effects are aliased with two-factor
   * interactions, with IV these with each other, with V with three-factor interactions.
   *
   * @return empty for a full factorial
   */
  public OptionalInt resolution() {
    if (generators.isEmpty()) {
      return OptionalInt.empty();
    }
    // A linear code of dimension k-p has words of length at most k-p+1 in its dual code.
    long[] pattern = wordLengthPattern(basics + 1);
    return IntStream.range(1, pattern.length).filter(i -> pattern[i] != 0).findFirst();
  }

  /** @return the Roman numeral of a resolution */
  public static String roman(int number) {
    String units = List.of("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
        .get(number % 10);
    return "X".repeat(number / 10) + units;
  }
}
