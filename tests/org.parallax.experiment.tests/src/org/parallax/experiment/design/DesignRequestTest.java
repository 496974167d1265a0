package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.parallax.experiment.design.DesignRequest.Kind;

class DesignRequestTest {
  private static PlannedDesign make(String text, int factors, int levels) {
    return DesignRequest.parse(text).make(Letters.names(factors), levels);
  }

  private static String name(String text, int factors) {
    return make(text, factors, 2).design().name();
  }

  private static String refused(String text, int factors, int levels) {
    return assertThrows(DesignException.class, () -> make(text, factors, levels)).getMessage();
  }

  @Test
  void theUsualDesignFitsTheFactors() {
    assertEquals("2^3", name("", 3));
    assertEquals("2^(6-2) IV", name("usual", 6));
    assertEquals("2^(20-14) IV", name("", 20));
    assertEquals("Plackett-Burman 68", name("", 64));
    assertEquals("Plackett-Burman 132", name("", 128));
    assertEquals("OA25(5^6)", make("", 6, 5).design().name());
    assertEquals("6^3", make("", 3, 6).design().name());
    assertEquals(216, make("", 3, 6).design().settings().length);
    assertEquals("2^1", name("", 1));
  }

  @Test
  void designsAreAskedForInManyWays() {
    assertEquals("2^5", name("full", 5));
    assertEquals("2^(5-1) V", name("16 runs", 5));
    assertEquals("2^(6-2) IV", name("fraction; runs=16", 6));
    assertEquals("2^(8-4) IV", name("resolution IV", 8));
    assertEquals("2^(8-2) V", name("Resolution V", 8));
    assertEquals("2^(12-4) VI", name("resolution=6", 12));
    assertEquals("2^(6-2) IV", name("E=ABC,F=BCD", 6));
    assertEquals("2^(6-2) IV", name("E=ABC; F=BCD", 6));
    assertEquals("Plackett-Burman 12", name("plackett-burman", 7));
    assertEquals("Plackett-Burman 20", name("plackett-burman", 12));
    assertEquals("Plackett-Burman 8", name("plackett-burman; runs=8", 7));
    assertEquals("Plackett-Burman 68 folded over", name("screening; resolution IV", 64));
    assertEquals("2^(6-2) IV in 4 blocks", name("runs=16; blocks=4", 6));
    assertEquals("2^(7-4) III folded over", name("8 runs; foldover", 7));
    assertEquals("2^3 folded over factor 3 + 4 centre points",
        name("full; foldover=C; centre=2", 3));
  }

  @Test
  void whatPeopleSeeBeforeTheyRunIt() {
    assertEquals(List.of("2^(6-2) IV in 2 blocks: 16 runs, 6 factors",
        "generators: bubble=lock*push*pop, code1=push*pop*swap",
        "defining relation: I = lock&push&pop&bubble = lock&swap&bubble&code1 "
            + "= push&pop&swap&code1",
        "words: 3 of length 4", "blocks by the signs of lock&push&swap"),
        DesignRequest.parse("bubble=lock*push*pop,code1=push*pop*swap; blocks=2")
            .make(List.of("lock", "push", "pop", "swap", "bubble", "code1"), 2)
            .lines(List.of("lock", "push", "pop", "swap", "bubble", "code1")));
    assertEquals(List.of("Plackett-Burman 12: 12 runs, 9 factors"),
        make("plackett-burman", 9, 2).lines(Letters.names(9)));
  }

  @Test
  void screeningWithResolutionIvHasClearMainEffects() {
    AliasTable table = AliasTable.of(make("screening; resolution=IV", 64, 2).design(), 2);
    assertTrue(IntStream.range(0, 64).allMatch(i -> table.clear(Term.of(i))));
  }

  @Test
  void moreFactorsThanTheDesignHolds() {
    assertEquals("16 runs allow 15 factors with resolution III, not 20; the next design for 20 has "
        + "32 runs", refused("fraction; runs=16", 20, 2));
    assertEquals("16 runs allow 8 factors with resolution IV, not 9; the next design for 9 has 32 "
        + "runs; or use resolution III", refused("16 runs; resolution IV", 9, 2));
    assertEquals("a Plackett-Burman design with 12 runs allows 11 factors, not 14; the next larger "
        + "design has 16 runs", refused("plackett-burman; runs=12", 14, 2));
    assertEquals("64 factors need over 4096 runs with resolution V; ask for a lower resolution or "
        + "a screening design", refused("resolution V", 64, 2));
    assertEquals("13 factors in all combinations take 2^13 runs, more than the 4096 that a design "
        + "may have; ask for a fraction, for example of resolution IV, or for a screening design",
        refused("full", 13, 2));
    assertEquals("a screening design allows up to 255 factors, not 500; screen groups of factors",
        refused("screening", 500, 2));
    assertEquals("7 factors of 6 levels in all combinations take over 4096 runs; ask for an "
        + "orthogonal-array", refused("full", 7, 6));
  }

  @Test
  void effectsThatWereToBeSeparated() {
    assertEquals("in 2^(6-2) IV of 16 runs A&B cannot be separated from C&E and D&F. 2^(6-1) VI of "
        + "32 "
        + "runs with F=A*B*C*D*E separates these effects; so does 2^(6-2) III of 16 runs with "
        + "A=B*C*D*E, F=B*C*E, where other main effects are aliased with interactions",
        refused("fraction; runs=16; separate=ab", 6, 2));
    assertEquals("in 2^(7-4) III of 8 runs A cannot be separated from B&D, C&E and F&G. 2^(7-3) IV "
        + "of "
        + "16 runs with E=A*B*C, F=A*B*D, G=A*C*D separates these effects",
        refused("resolution III; separate=a", 7, 2));
    assertTrue(refused("plackett-burman; separate=a", 9, 2).startsWith(
        "in Plackett-Burman 12 of 12 runs A is partly mixed with B&C, B&D, B&E, B&F, B&G, B&H and "
            + "22 others. 2^(9-4) IV of 32 runs with "));
    assertTrue(refused("full; blocks=8; separate=ab", 4, 2).startsWith(
        "in 2^4 in 8 blocks of 16 runs A&B cannot be separated from differences between blocks. "));
    assertEquals("\"xx\" in separate=xx is not a factor; the factors are the letters A to F "
        + "(without "
        + "I)", refused("resolution IV; separate=ab,xx", 6, 2));
  }

  /** What the message promises is true: the settings of the design that it names separate them. */
  @Test
  void generatorsAreChosenSoThatWhatIsWantedIsClear() {
    for (String wanted : List.of("ab,cd", "ab,ac,ad", "gf", "abc", "ab,cd,ef", "g,ag,bg")) {
      List<String> names = Letters.names(7);
      PlannedDesign planned = make("32 runs; separate=" + wanted, 7, 2);
      AliasTable table = AliasTable.of(planned.design(), 3);
      for (String term : wanted.split(",")) {
        assertTrue(table.clear(Generator.term(term, names, ""), 2), wanted);
      }
      assertTrue(IntStream.range(0, 7).allMatch(i -> table.clear(Term.of(i), 2)), wanted);
      assertEquals(32, planned.design().runs());
    }
  }

  @Test
  void otherWrongRequests() {
    assertEquals("there is no design \"wat\"; the designs are usual, full, fraction, plackett-burman, "
        + "screening, orthogonal-array, resolution IV, 16 runs, and generators as in E=ABCD",
        refused("wat", 7, 2));
    assertEquals("\"runs=x\" needs a number of at least 2", refused("runs=x", 7, 2));
    assertEquals("\"resolution=XXX\" is not a resolution; resolutions are III, IV, V and so on",
        refused("resolution XXX", 7, 2));
    assertEquals("a fraction has 4, 8, 16 and so on up to 4096 runs, not 12; plackett-burman has "
        + "such a design", refused("12 runs", 9, 2));
    assertEquals("4 factors have only 16 combinations; ask for full, and for replicates to have 64 "
        + "runs", refused("runs=64", 4, 2));
    assertEquals("the generators E=AB give resolution III, not V; leave them out to have "
        + "generators chosen", refused("E=AB; resolution=V", 5, 2));
    assertEquals("the generators E=ABC make 16 runs, not 8", refused("E=ABC; runs=8", 5, 2));
    assertEquals("all combinations of 4 factors are 2^4 runs, not 8; ask for a fraction",
        refused("full; runs=8", 4, 2));
    assertEquals("blocks are for full factorials and fractions; with Plackett-Burman 68 use the "
        + "replicates as blocks, or fold the design over", refused("screening; blocks=2", 64, 2));
    assertEquals("orthogonal arrays need 3 levels or more; for two levels ask for a fraction or "
        + "plackett-burman, or give the factors more levels", refused("orthogonal-array", 6, 2));
    assertEquals("fraction designs have two levels, the factors have 3; ask for orthogonal-array "
        + "or full", refused("fraction", 6, 3));
    assertEquals("a design needs at least one factor", refused("", 0, 2));
    assertEquals("foldover=ab must name one factor", refused("full; foldover=ab", 3, 2));
  }

  @Test
  void aRequestIsReadAsItIsWritten() {
    for (String text : List.of("usual", "full; blocks=2; centre=3",
        "fraction; runs=16; resolution=IV; separate=a&b,c", "fraction; generators=E=ABC,F=-BCD",
        "plackett-burman; runs=12; foldover", "screening; foldover=swap", "orthogonal-array")) {
      assertEquals(text, DesignRequest.parse(text).text());
      assertEquals(DesignRequest.parse(text),
          DesignRequest.parse(DesignRequest.parse(text).text()));
    }
    assertEquals(Kind.USUAL, DesignRequest.parse(" ").kind());
  }
}
