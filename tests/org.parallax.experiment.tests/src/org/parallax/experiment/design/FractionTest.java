package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FractionTest {
  private static final List<String> QUICKSORT =
      List.of("s_lock", "push", "pop", "swap", "bubble", "code1");

  private static Fraction fraction(int factors, String generators) {
    List<String> names = Letters.names(factors);
    return Fraction.of(Generator.parse(generators, names), names);
  }

  private static String rows(Design design) {
    return Arrays.stream(design.settings()).map(run -> Arrays.stream(run)
        .mapToObj(setting -> setting < 0 ? "-" : "+").collect(Collectors.joining()))
        .collect(Collectors.joining(" "));
  }

  /** Lyon, Snelick, Kacker 1992, Table II. */
  @Test
  void theQuicksortsDesignHasThePrintedRows() {
    Fraction fraction = Fraction.of(
        Generator.parse("bubble=s_lock*push*pop, code1 = push*pop*swap", QUICKSORT), QUICKSORT);
    assertEquals("------ +---+- -+--++ ++---+ --+-++ +-+--+ -++--- +++-+- "
        + "---+-+ +--+++ -+-++- ++-+-- --+++- +-++-- -+++-+ ++++++", rows(fraction.design()));
    assertEquals("2^(6-2) IV", fraction.name());
    assertEquals(List.of("s_lock&push&pop&bubble", "s_lock&swap&bubble&code1",
        "push&pop&swap&code1"),
        fraction.definingRelation().stream().map(word -> word.name(QUICKSORT)).toList());
  }

  /** Table II-B: 2^(5-1) V, whose last row says code1 OR the product of the four others. */
  @Test
  void theSecondQuicksortsDesignHasResolutionV() {
    Fraction fraction = fraction(5, "E=ABCD");
    assertEquals("2^(5-1) V", fraction.name());
    assertEquals(16, fraction.runs());
    assertEquals("[1, 0, 0, 0, 0, 1]", Arrays.toString(fraction.wordLengthPattern()));
  }

  @Test
  void theRingsDesignHasFifteenWords() {
    Fraction fraction = fraction(8, "E=BCD F=ACD G=ABC H=ABD".replace(' ', ','));
    assertEquals(15, fraction.definingRelation().size());
    assertEquals("[1, 0, 0, 0, 14, 0, 0, 0, 1]", Arrays.toString(fraction.wordLengthPattern()));
    assertEquals("A&B&C&D&E&F&G&H",
        fraction.definingRelation().get(14).name(Letters.names(8)));
  }

  @Test
  void aFullFactorialIsInStandardOrder() {
    assertEquals("--- +-- -+- ++- --+ +-+ -++ +++", rows(Fraction.full(3).design()));
    assertEquals("2^3", Fraction.full(3).name());
    assertEquals(OptionalInt.empty(), Fraction.full(3).resolution());
    assertEquals(List.of(), Fraction.full(3).definingRelation());
  }

  @Test
  void aMinusSignMakesTheOtherFraction() {
    String half = rows(fraction(3, "C=AB").design());
    String other = rows(fraction(3, "C=-AB").design());
    assertEquals("--+ +-- -+- +++", half);
    assertEquals("--- +-+ -++ ++-", other);
    assertEquals("[-A&B&C]", fraction(3, "C=-AB").definingRelation().stream()
        .map(word -> word.name(Letters.names(3))).toList().toString());
  }

  @Test
  void generatorsMayNameGeneratedFactorsAndStandAnywhere() {
    assertEquals(rows(fraction(6, "E=ABC, F=BCD").design()),
        rows(fraction(6, "F=AED, E=ABC").design()));
    // Here A is generated, so that B changes fastest.
    assertEquals("+-- -+- --+ +++", rows(fraction(3, "A=BC").design()));
    // E comes back in the word of F: that is no circle.
    assertEquals("G=A*B*C*D", Generator.text(List.of(
        fraction(7, "E=AB, F=CE, G=DF").generators().get(2)), Letters.names(7)));
  }

  @Test
  void wordLengthPatternsAreThoseOfTheListedWords() {
    long seed = 1980;
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      Fraction fraction = RandomFractions.next(random, 5, 9);
      long[] counted = new long[fraction.factors() + 1];
      counted[0] = 1;
      fraction.definingRelation().forEach(word -> counted[word.term().order()]++);
      String seeded = "seed " + seed + " round " + round;
      assertArrayEquals(counted, fraction.wordLengthPattern(), seeded);
      assertEquals(fraction.definingRelation().get(0).term().order(),
          fraction.resolution().getAsInt(), seeded);
      assertEquals(fraction.definingRelation().stream()
          .filter(word -> word.term().order() <= 4).toList(), fraction.definingWords(4), seeded);
    }
  }

  @Test
  void fractionsAreBalancedOrthogonalAndKeepTheirWords() {
    long seed = 1961;
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      Fraction fraction = RandomFractions.next(random, 5, 7);
      Design design = fraction.design();
      String seeded = "seed " + seed + " round " + round;
      for (int i = 0; i < design.factors(); i++) {
        assertEquals(0, IntStream.of(design.contrast(Term.of(i))).sum(), seeded);
        for (int j = 0; j < i; j++) {
          assertEquals(0, IntStream.of(design.contrast(Term.of(i, j))).sum(), seeded);
        }
      }
      for (SignedTerm word : fraction.definingRelation()) {
        assertTrue(IntStream.of(design.contrast(word.term()))
            .allMatch(contrast -> contrast == word.sign()), seeded);
      }
      assertEquals(design.runs(), Arrays.stream(design.settings()).map(Arrays::toString).distinct()
          .count(), seeded);
    }
  }

  @Test
  void wrongGeneratorsAreAnsweredWithWhatIsWrong() {
    List<String> wrong = new ArrayList<>();
    for (String text : List.of("E", "E=", "E=ABI", "E=ABE", "E=AAB", "DE=AB", "E=AB=C", "E=ABx",
        "E=ABC,E=ABD", "D=AE,E=AD", "D=ABC,E=ABC", "E=A", "D=-ABC,E=ABC")) {
      wrong.add(assertThrows(DesignException.class, () -> fraction(5, text)).getMessage());
    }
    assertEquals("""
        "E" is not a generator; write the factor, an equals sign and the factors whose product it \
        is: E=ABCD or code1=push*pop*swap
        the generator "E=" has a side without a factor
        "ABI" in the generator "E=ABI" is not a factor; the factors are the letters A to E (without I)
        the generator "E=ABE" has a factor twice
        the generator "E=AAB" has a factor twice
        the generator "DE=AB" must have one factor to the left of its equals sign
        "E=AB=C" is not a generator; write the factor, an equals sign and the factors whose product it \
        is: E=ABCD or code1=push*pop*swap
        "ABx" in the generator "E=ABx" is not a factor; the factors are the letters A to E (without I)
        E has two generators, E=A*B*C and E=A*B*D
        the generators form a circle: D=A*E leads back to D
        the generators give D and E the same settings: their effects could never be separated
        the generators give A and E the same settings: their effects could never be separated
        the generators give D and E the same settings, but opposite: their effects could never be \
        separated
        """, String.join("\n", wrong) + "\n");
    assertTrue(assertThrows(DesignException.class, () -> Fraction.full(13)).getMessage()
        .startsWith("13 factors in all combinations take 2^13 runs, more than the 4096"));
    assertTrue(assertThrows(DesignException.class,
        () -> Generator.parse("swap=puhs*pop", QUICKSORT)).getMessage()
        .startsWith("\"puhs\" in the generator \"swap=puhs*pop\" is not a factor; the factors are "
            + "s_lock, push, pop, swap, bubble, code1 or the letters A to F"));
  }

  @Test
  void lettersLeaveTheIdentityOut() {
    assertEquals(List.of("H", "J"), Letters.names(9).subList(7, 9));
    assertEquals("a", Letters.names(26).get(25));
    assertEquals("F51", Letters.names(51).get(50));
    assertEquals("J=-A*B", Generator.text(Generator.parse("j = -ab", Letters.names(9)),
        Letters.names(9)));
  }
}
