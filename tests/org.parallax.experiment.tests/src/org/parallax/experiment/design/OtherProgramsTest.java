package org.parallax.experiment.design;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Designs are those of pyDOE3 and of R's FrF2, where these define one. */
class OtherProgramsTest {
  private static Fraction fraction(int factors, String generators) {
    List<String> names = Letters.names(factors);
    return Fraction.of(Generator.parse(generators, names), names);
  }

  /** pyDOE3 writes fractions with their basic factors changing in another order. */
  private static void assertSameRuns(List<String> golden, Design design) {
    assertEquals(new TreeSet<>(golden), new TreeSet<>(GoldenDesigns.rows(design)), design.name());
    assertEquals(golden.size(), design.runs());
  }

  @Test
  void factorialsOfPyDoe() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("pydoe3-designs.txt");
    assertSameRuns(golden.get("ff2n(3)"), Fraction.full(3).design());
    assertSameRuns(golden.get("ff2n(5)"), Fraction.full(5).design());
    int compared = 0;
    for (String call : golden.keySet()) {
      if (call.startsWith("fracfact('")) {
        String[] words = call.substring(10, call.length() - 2).split(" ");
        List<String> letters = Letters.names(words.length);
        String generators = IntStream.range(0, words.length)
            .filter(i -> words[i].length() > 1)
            .mapToObj(i -> letters.get(i) + "=" + words[i].toUpperCase(Locale.ROOT))
            .collect(Collectors.joining(","));
        assertSameRuns(golden.get(call), fraction(words.length, generators).design());
        compared++;
      }
    }
    assertEquals(7, compared);
  }

  /** pyDOE3 takes other generators: the fractions are the same but for the factors' names. */
  @Test
  void resolutionsOfPyDoe() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("pydoe3-designs.txt");
    for (String[] call : new String[][] {{"(6, 4)", "6"}, {"(8, 4)", "8"}}) {
      List<String> rows = golden.get("fracfact_by_res" + call[0]);
      Design theirs = new Design("pyDOE3", 2, rows.stream()
          .map(row -> row.chars().map(c -> c == '-' ? -1 : 1).toArray()).toArray(int[][]::new));
      int basics = Integer.numberOfTrailingZeros(rows.size());
      Design ours = Fraction.ofColumns(basics,
          MinimumAberration.columns(basics, Integer.parseInt(call[1]))).design();
      assertEquals(sizes(theirs), sizes(ours), call[0]);
    }
  }

  private static List<String> sizes(Design design) {
    return AliasTable.of(design, 4).strings().stream().map(string -> string.terms().stream()
        .map(term -> "" + term.term().order()).sorted().collect(Collectors.joining())).sorted()
        .toList();
  }

  /** pyDOE3's settings are opposite, and its 12 runs go the other way; for 24 it doubles 12. */
  @Test
  void plackettBurmanOfPyDoe() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("pydoe3-designs.txt");
    List<String> twelve = GoldenDesigns.rows(PlackettBurman.of(11, 12)).stream()
        .map(row -> new StringBuilder(opposite(row)).reverse().toString()).toList();
    assertEquals(new TreeSet<>(golden.get("pbdesign(11)")), new TreeSet<>(twelve));
    List<String> twenty = GoldenDesigns.rows(PlackettBurman.of(19, 20)).stream()
        .map(OtherProgramsTest::opposite).toList();
    assertEquals(new TreeSet<>(golden.get("pbdesign(19)")), new TreeSet<>(twenty));
  }

  private static String opposite(String row) {
    return row.replace('-', '*').replace('+', '-').replace('*', '+');
  }

  @Test
  void foldoversOfPyDoe() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("pydoe3-designs.txt");
    assertSameRuns(golden.get("fold(fracfact('a b ab'))"),
        Augmentation.foldover(fraction(3, "C=AB").design(), true));
    List<String> rows = golden.get("pbdesign(11)");
    Design theirs = new Design("pyDOE3", 2, rows.stream()
        .map(row -> row.chars().map(c -> c == '-' ? -1 : 1).toArray()).toArray(int[][]::new));
    assertSameRuns(golden.get("fold(pbdesign(11))"), Augmentation.foldover(theirs, true));
  }

  /** To the row; also L27, which pyDOE3 calls 2^1 3^12 though all its columns have three levels. */
  @Test
  void orthogonalArraysOfPyDoe() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("pydoe3-designs.txt");
    assertEquals(golden.get("get_orthogonal_array('L9(3^4)')"),
        GoldenDesigns.rows(OrthogonalArray.of(4, 3)));
    assertEquals(golden.get("get_orthogonal_array('L16(4^5)')"),
        GoldenDesigns.rows(OrthogonalArray.of(5, 4)));
    assertEquals(golden.get("get_orthogonal_array('L25(5^6)')"),
        GoldenDesigns.rows(OrthogonalArray.of(6, 5)));
    assertEquals(golden.get("get_orthogonal_array('L27(2^1 3^12)')"),
        GoldenDesigns.rows(OrthogonalArray.of(13, 3)));
  }

  @Test
  void designsOfFrF2() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("frf2-designs.txt");
    assertEquals(golden.get("FrF2(8,4,randomize=FALSE)"), GoldenDesigns.rows(
        Fraction.ofColumns(3, MinimumAberration.columns(3, 4)).design()));
    assertEquals(golden.get("pb(12,n12.taguchi=FALSE,randomize=FALSE)"),
        GoldenDesigns.rows(PlackettBurman.of(11, 12)));
  }

  @Test
  void aliasStructuresOfFrF2() throws IOException {
    Map<String, List<String>> golden = GoldenDesigns.read("frf2-designs.txt");
    assertEquals(golden.get("FrF2(16,6)").get(0), aliases(best(4, 6)));
    assertEquals(golden.get("FrF2(16,7)").get(0), aliases(best(4, 7)));
    assertEquals(golden.get("FrF2(16,generators=c(3,13))").get(0),
        aliases(fraction(6, "E=AB,F=ACD")));
    assertEquals(golden.get("FrF2(16,generators=c(7,13,15))").get(0),
        aliases(fraction(7, "E=ABC,F=ACD,G=ABCD")));
    assertEquals(golden.get("FrF2(16,generators=c(7,-13,15))").get(0),
        aliases(fraction(7, "E=ABC,F=-ACD,G=ABCD")));
    assertEquals(golden.get("FrF2(16,generators=c(-7,-13,-15))").get(0),
        aliases(fraction(7, "E=-ABC,F=-ACD,G=-ABCD")));
    // There the basic factors are A, B, C, D and E with F=ACE G=ABCD.
    assertEquals(golden.get("FrF2(32,7,estimable=c(\"AB\",\"CD\"))").get(0),
        aliases(fraction(7, "F=ACE,G=ACBD")));
  }

  private static Fraction best(int basics, int factors) {
    return Fraction.ofColumns(basics, MinimumAberration.columns(basics, factors));
  }

  /** As FrF2 prints them: strings of more than one term, each from its first term. */
  private static String aliases(Fraction fraction) {
    return AliasTable.of(fraction.design(), 2).strings().stream()
        .filter(string -> string.terms().size() > 1)
        .map(string -> string.name(Letters.names(fraction.factors())).replace("&", "")
            .replace(" + ", "=").replace(" - ", "=-"))
        .collect(Collectors.joining(" "));
  }
}
