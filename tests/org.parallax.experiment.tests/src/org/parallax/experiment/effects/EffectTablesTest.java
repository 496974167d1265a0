package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Term;

class EffectTablesTest {
  private final Diagnosis diagnosis =
      Diagnosis.of(Effects.of(Paper.tableII(), Options.of(6)));

  private static List<Table> tables(Diagnosis diagnosis, Diagnosis times, Responses timed) {
    Ranking ranking =
        Ranking.of(Golden.responses("array", 5), Options.of(6), Ranking.By.MEDIAN);
    return List.of(EffectTables.effects("f", diagnosis), EffectTables.effects("f", times),
        EffectTables.robust("f", diagnosis), EffectTables.robust("f", times),
        EffectTables.anova("f", timed, Options.of(4), Anova.Sums.MARGINAL),
        EffectTables.ranking("f", ranking), EffectTables.levels("f", ranking),
        EffectTables.delays("f", Nonlinearity.compare(times.effects(), new double[] {1, 1, 1, 1},
            times.effects(), new double[] {2, 2, 2, 2})),
        EffectTables.aliases("f", Planted.fraction(), Paper.QUICKSORT, 2),
        EffectTables.proposals("f", diagnosis));
  }

  @Test
  void keysAreThoseOfTheirPage() throws IOException {
    String page = Files.readString(Path.of("../../docs/experiments-effects.md"));
    Responses timed = inNanoseconds(Golden.responses("unbalanced", 2));
    for (Table table : tables(diagnosis, Diagnosis.of(Effects.of(timed, Options.of(4))), timed)) {
      int start = page.indexOf("| `" + table.report());
      assertTrue(start > 0, table.report());
      for (Column column : table.columns()) {
        assertTrue(page.indexOf("`" + column.key() + "`", start) > 0,
            table.report() + " " + column.key());
      }
    }
  }

  @Test
  void valuesAreOfTheColumnsUnits() {
    Responses timed = inNanoseconds(Golden.responses("unbalanced", 2));
    Diagnosis times = Diagnosis.of(Effects.of(timed, Options.of(4)));
    for (Table table : tables(diagnosis, times, timed)) {
      assertTrue(!table.rows().isEmpty(), table.report());
      for (Row row : table.rows()) {
        assertEquals(table.columns().size(), row.values().size());
        for (int i = 0; i < table.columns().size(); i++) {
          assertTrue(fits(table.columns().get(i), row.values().get(i)),
              table.report() + " " + table.columns().get(i) + ": " + row.values().get(i));
        }
      }
    }
  }

  private static boolean fits(Column column, Object value) {
    return value.equals("") || switch (column.unit()) {
      case TEXT -> value instanceof String;
      case NANOSECONDS, COUNT -> value instanceof Long;
      default -> value instanceof Double number && Double.isFinite(number);
    };
  }

  private static Responses inNanoseconds(Responses responses) {
    return new Responses(responses.design(), responses.factors(), "elapsed", Unit.NANOSECONDS,
        responses.observations().stream().map(one -> new Observation(one.run(), one.replicate(),
            one.block(), one.position(), 1e6 * one.value())).toList(), List.of());
  }

  @Test
  void onlyOfTimesItIsKnownWhetherMoreIsWorse() {
    Responses numbers = Golden.responses("unbalanced", 2);
    Diagnosis times =
        Diagnosis.of(Effects.of(inNanoseconds(numbers), Options.of(4).withOrder(2)));
    Diagnosis others = Diagnosis.of(Effects.of(numbers, Options.of(4).withOrder(2)));
    assertTrue(verdicts(times).contains("slower"), verdicts(times).toString());
    assertTrue(verdicts(others).contains("larger"), verdicts(others).toString());
    for (Proposal proposal : Proposal.of(others)) {
      assertFalse(proposal.reason().contains("faster") || proposal.reason().contains("costs"),
          proposal.reason());
    }
  }

  private static List<Object> verdicts(Diagnosis diagnosis) {
    Table table = EffectTables.effects("f", diagnosis);
    return table.rows().stream().map(row -> row.values().get(table.column("verdict"))).toList();
  }

  @Test
  void theLargestEffectComesFirstAndWhatIsNotKnownIsEmpty() {
    Table table = EffectTables.effects("f", diagnosis);
    assertEquals("swap", table.rows().get(0).name());
    assertEquals("larger", table.rows().get(0).values().get(table.column("verdict")));
    assertEquals("2", table.parameters().get("degreesOfFreedom"));
    assertEquals("pure strings of order 3 and more", table.parameters().get("errorFrom"));
    Row noise = table.rows().stream().filter(row -> row.name().contains("s_lock&push&swap"))
        .findFirst().orElseThrow();
    assertEquals("", noise.values().get(table.column("p")));
    assertEquals("taken as noise", noise.values().get(table.column("verdict")));
  }

  @Test
  void factorsThatAreNotLinearAreNamedWithTheirLevels() {
    List<String> warnings = EffectTables.levels("f",
        Ranking.of(Golden.responses("array", 5), Options.of(6), Ranking.By.MEAN)).warnings();
    assertEquals(2, warnings.size());
    assertTrue(warnings.get(0).startsWith("a is not linear"), warnings.get(0));
    assertTrue(warnings.get(1).startsWith("c is not linear"), warnings.get(1));
  }

  @Test
  void sharesOfTheAnalysisOfVarianceAddUp() {
    Table table = EffectTables.anova("f", Paper.tableII(), Options.of(6), Anova.Sums.SEQUENTIAL);
    assertEquals(100, table.rows().stream()
        .mapToDouble(row -> (Double) row.values().get(table.column("share"))).sum(), 1e-9);
  }

  @Test
  void theAliasTableHasTheStringsOfTheDesign() {
    Table table = EffectTables.aliases("f", Planted.fraction(), Paper.QUICKSORT, 2);
    Map<String, String> aliases = new HashMap<>();
    table.rows().forEach(row -> aliases.put(row.name(), (String) row.values().get(0)));
    assertEquals("bubble&code1", aliases.get("s_lock&swap"));
    assertEquals("", aliases.get("swap"));
    assertEquals(13, table.rows().size());
  }

  @Test
  void theBestSettingComesFirstAgainstTheUnperturbedRun() {
    Planted planted = new Planted(8, Planted.full(3), Map.of(Term.of(1), -10.0,
        Term.of(0), 6.0), Planted.Shape.NORMAL);
    Ranking ranking = Ranking.of(planted.responses(4, 0), Options.of(3), Ranking.By.MEAN);
    assertEquals(-1, ranking.best().settings()[0]);
    assertEquals(1, ranking.best().settings()[1]);
    assertEquals(Verdict.FASTER, ranking.best().verdict());
    double truth = 100 * (planted.mean(0) - planted.mean(2)) / (planted.mean(0) + 3);
    assertTrue(ranking.best().gainInterval().contains(truth), ranking.best().toString());
    assertTrue(EffectTables.ranking("f", ranking).rows().get(0).name().startsWith("- +"));
    assertEquals(6, ranking.levels().size());
  }

  @Test
  void whatCannotBeAnalysedIsRefusedWithItsReason() {
    Responses responses = Paper.tableII();
    assertTrue(assertThrows(IllegalArgumentException.class, () -> new Responses(
        responses.design(), responses.factors(), "elapsed", Unit.NUMBER, List.of(), List.of()))
        .getMessage().contains("no trials"));
    assertThrows(IllegalArgumentException.class, () -> new Responses(responses.design(),
        responses.factors(), "elapsed", Unit.NUMBER,
        List.of(new Observation(16, 0, 0, 0, 1)), List.of()));
    assertThrows(IllegalArgumentException.class, () -> new Responses(responses.design(),
        responses.factors(), "elapsed", Unit.NUMBER,
        List.of(new Observation(0, 0, 0, 0, Double.NaN)), List.of()));
    assertThrows(IllegalArgumentException.class,
        () -> Effects.of(Golden.responses("array", 5), Options.of(6)));
    assertThrows(IllegalArgumentException.class, () -> Options.of(6).withOrder(0));
  }
}
