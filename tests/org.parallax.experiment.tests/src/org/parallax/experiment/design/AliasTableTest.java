package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AliasTableTest {
  private static Design design(int factors, String generators) {
    List<String> names = Letters.names(factors);
    return Fraction.of(Generator.parse(generators, names), names).design();
  }

  private static List<String> strings(AliasTable table, List<String> names) {
    return table.strings().stream().map(string -> string.name(names)).toList();
  }

  /** Lyon, Snelick, Kacker 1992, Table II; not as its label of the row of -0.98 says. */
  @Test
  void theQuicksortsTableIsThatOfItsDesign() {
    List<String> names = List.of("lock", "push", "pop", "swap", "bubble", "code1");
    Design design = Fraction.of(
        Generator.parse("bubble=lock*push*pop, code1=push*pop*swap", names), names).design();
    assertEquals(List.of("lock", "push", "pop", "swap", "bubble", "code1",
        "lock&push + pop&bubble", "lock&pop + push&bubble", "lock&swap + bubble&code1",
        "lock&bubble + push&pop + swap&code1", "lock&code1 + swap&bubble",
        "push&swap + pop&code1", "push&code1 + pop&swap"),
        strings(AliasTable.of(design, 2), names));
    AliasTable third = AliasTable.of(design, 3);
    assertEquals(15, third.strings().size());
    assertEquals("bubble + lock&push&pop + lock&swap&code1",
        third.string(Term.of(4)).name(names));
    assertEquals(List.of("lock&push&swap + lock&pop&code1 + push&bubble&code1 + pop&swap&bubble",
        "lock&push&code1 + lock&pop&swap + push&swap&bubble + pop&bubble&code1"),
        strings(third, names).subList(13, 15), "the two pure strings");
    assertTrue(third.clear(Term.of(3), 2));
    assertFalse(third.clear(Term.of(3)));
    assertFalse(third.clear(Term.of(0, 1), 2));
    assertTrue(third.orthogonal());
  }

  /** Table III: E=BCD F=ACD G=ABC H=ABD gives the strings that are printed there. */
  @Test
  void theRingsTableHasThePrintedStrings() {
    Design design = design(8, "E=BCD,F=ACD,G=ABC,H=ABD");
    AliasTable table = AliasTable.of(design, 2);
    List<String> printed = List.of("ab+cg+dh+ef", "ac+bg+df+eh", "ag+bc+de+fh", "ad+bh+cf+eg",
        "ah+bd+ce+fg", "af+be+cd+gh", "ae+bf+ch+dg");
    List<String> found = table.strings().stream().filter(string -> string.lowestOrder() == 2)
        .map(string -> string.name(Letters.names(8)).toLowerCase(Locale.ROOT).replace("&", "")
            .replace(" ", "")).toList();
    assertEquals(printed.stream().sorted().toList(), found.stream().sorted().toList());
    assertEquals(15, table.strings().size());
  }

  @Test
  void resolutionVLeavesTwoFactorInteractionsClear() {
    AliasTable table = AliasTable.of(design(5, "E=ABCD"), 2);
    assertEquals(15, table.strings().size());
    assertTrue(Term.all(5, 2).stream().allMatch(table::clear));
  }

  @Test
  void theOtherFractionHasMinusSigns() {
    AliasTable table = AliasTable.of(design(3, "C=-AB"), 3);
    assertEquals(List.of("A - B&C", "B - A&C", "C - A&B"), strings(table, Letters.names(3)));
    assertEquals(List.of(new SignedTerm(Term.of(2), -1)), table.aliasesOf(Term.of(0, 1)));
    assertEquals("mean - A&B&C", table.mean().name(Letters.names(3)));
    assertEquals(-1, table.correlation(Term.of(0, 1), Term.of(2)));
  }

  /** The contrasts compared number by number. */
  @Test
  void stringsPartitionTheTermsAsEqualContrastsDo() {
    long seed = 1978;
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      Fraction fraction = RandomFractions.next(random, 4, 5);
      Design design = thinned(fraction.design(), random, round % 3 == 0);
      String seeded = "seed " + seed + " round " + round;
      AliasTable table = AliasTable.of(design, 3);
      List<Term> all = Term.all(design.factors(), 3);
      int together = table.mean().terms().size() - 1
          + table.strings().stream().mapToInt(string -> string.terms().size()).sum();
      assertEquals(all.size(), together, seeded);
      for (Term a : all) {
        int[] contrast = design.contrast(a);
        List<SignedTerm> expected = all.stream().filter(b -> !b.equals(a)).map(b -> {
          int[] other = design.contrast(b);
          return Arrays.equals(contrast, other) ? new SignedTerm(b, 1)
              : Arrays.equals(contrast, IntStream.of(other).map(i -> -i).toArray())
                  ? new SignedTerm(b, -1) : null;
        }).filter(b -> b != null).toList();
        assertEquals(expected, table.aliasesOf(a).stream()
            .filter(b -> b.term().order() > 0).toList(), seeded + " " + a);
        Term b = all.get(random.nextInt(all.size()));
        int[] other = design.contrast(b);
        double product = IntStream.range(0, other.length).map(i -> contrast[i] * other[i]).sum();
        double length = Math.sqrt((double) IntStream.of(contrast).map(Math::abs).sum()
            * IntStream.of(other).map(Math::abs).sum());
        assertEquals(product / length, table.correlation(a, b), 1e-12, seeded);
      }
    }
  }

  /** Leaves runs out and adds centre points, so that the design is no fraction. */
  private static Design thinned(Design design, Random random, boolean whole) {
    int[][] settings = Arrays.stream(design.settings())
        .filter(run -> whole || random.nextInt(4) > 0).toArray(int[][]::new);
    int[][] more = Arrays.copyOf(settings, settings.length + 2);
    more[settings.length] = new int[design.factors()];
    more[settings.length + 1] = new int[design.factors()];
    return new Design("thinned", 2, more);
  }

  @Test
  void aFractionsStringsFollowFromItsDefiningRelation() {
    long seed = 1980;
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      Fraction fraction = RandomFractions.next(random, 4, 4);
      AliasTable table = AliasTable.of(fraction.design(), fraction.factors());
      assertEquals(fraction.runs() - 1, table.strings().size(), "seed " + seed);
      for (Term term : Term.all(fraction.factors(), 2)) {
        List<SignedTerm> expected = fraction.definingRelation().stream()
            .map(word -> word.times(new SignedTerm(term, 1))).sorted().toList();
        assertEquals(expected, table.aliasesOf(term), "seed " + seed + " " + term);
      }
    }
  }

  @Test
  void blocksAreKnown() {
    Design full = Fraction.full(3).design();
    int[] contrast = full.contrast(Term.of(0, 1, 2));
    int[] blocks = IntStream.of(contrast).map(c -> c > 0 ? 1 : 0).toArray();
    AliasTable table = AliasTable.of(new Design("", 2, full.settings(), blocks), 3);
    assertEquals(List.of(Term.of(0, 1, 2)),
        table.strings().stream().filter(AliasString::inBlocks).map(AliasString::first).toList());
    assertEquals(1, table.string(Term.of(0, 1, 2)).blockShare(), 1e-12);
    assertFalse(table.clear(Term.of(0, 1, 2)));
    int[] halves = {0, 0, 0, 0, 0, 1, 1, 1};
    assertEquals(0.6, AliasTable.of(new Design("", 2, full.settings(), halves), 1)
        .string(Term.of(2)).blockShare(), 1e-12);
  }

  private static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  @Test
  void largeDesignsTakeNoTime() {
    double begin = cpuSeconds();
    int[] few = MinimumAberration.columns(6, 16);
    assertEquals(63, AliasTable.of(Fraction.ofColumns(6, few).design(), 3).strings().size());
    double middle = cpuSeconds();
    int[] many = MinimumAberration.columns(7, 127);
    assertEquals(127, AliasTable.of(Fraction.ofColumns(7, many).design(), 2).strings().size());
    double end = cpuSeconds();
    assertTrue(middle - begin < 2, middle - begin + " s of CPU time");
    assertTrue(end - middle < 3, end - middle + " s of CPU time");
  }

  @Test
  void wrongUseIsRefused() {
    assertThrows(IllegalArgumentException.class,
        () -> AliasTable.of(new Design("", 3, new int[][] {{0}, {1}, {2}}), 2));
    AliasTable table = AliasTable.of(Fraction.full(3).design(), 2);
    assertThrows(IllegalArgumentException.class, () -> table.string(Term.of(0, 1, 2)));
  }
}
