package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Augmentation;
import org.parallax.experiment.design.Design;

/** The same numbers as statsmodels. */
class OracleTest {
  @ParameterizedTest
  @CsvSource({"unbalanced, 2, REPLICATES, 7", "burman, 2, RESIDUAL, 7",
      "centre, 3, REPLICATES, 7"})
  void effects(String name, int order, Noise.Source source, int count) {
    Effects effects =
        Effects.of(Golden.responses(name, 2), Options.of(4).withOrder(order));
    assertEquals(source, effects.noise().source());
    assertEquals(count, effects.effects().size());
    int checked = 0;
    for (Map<String, String> row : Golden.rows(name + "-effects.csv")) {
      String term = row.get("name");
      if (term.equals("mean")) {
        close(row, "estimate", effects.mean());
        close(row, "error", effects.meanError());
        close(row, "df", effects.noise().degreesOfFreedom());
      } else if (term.equals("curvature")) {
        close(row, "estimate", effects.curvature().estimate());
        close(row, "error", effects.curvature().standardError());
        close(row, "t", effects.curvature().t());
        close(row, "p", effects.curvature().p());
      } else {
        check(row, effects.effects().stream().filter(
            effect -> List.of(effect.name().split(" or ")).contains(term)).findFirst()
            .orElseThrow());
        checked++;
      }
    }
    assertEquals(count, checked);
  }

  @Test
  void centrePointsAreReplicatesOfOneSetting() {
    int[][] cube = new int[8][];
    for (int run = 0; run < cube.length; run++) {
      cube[run] = new int[] {2 * (run & 1) - 1, (run & 2) - 1, (run & 4) / 2 - 1};
    }
    Design design = Augmentation.withCentrePoints(new Design("2^3", 2, cube), 4);
    // An interaction of all three, which must not be taken for noise.
    double[] values = {10, 14, 12, 16, 20, 8, 22, 10, 13.5, 14, 14.5, 14};
    List<Observation> observations = IntStream.range(0, values.length)
        .mapToObj(run -> new Observation(run, 0, 0, run, values[run])).toList();
    Noise noise = Effects.of(new Responses(design, List.of("a", "b", "c"), "elapsed", Unit.NUMBER,
        observations, List.of()), Options.of(3)).noise();
    assertEquals(Noise.Source.REPLICATES, noise.source());
    assertEquals(3, noise.degreesOfFreedom());
    assertEquals(Math.sqrt(0.5 / 3), noise.deviation(), 1e-12);
  }

  private static void check(Map<String, String> row, Effect effect) {
    close(row, "estimate", effect.estimate());
    close(row, "error", effect.standardError());
    close(row, "t", effect.t());
    close(row, "p", effect.p());
    close(row, "low", effect.interval().low());
    close(row, "high", effect.interval().high());
    close(row, "holm", effect.holm());
    close(row, "bh", effect.benjaminiHochberg());
  }

  private static void close(Map<String, String> row, String column, double value) {
    double expected = Golden.number(row, column);
    assertEquals(expected, value, 1e-6 * Math.abs(expected) + 1e-12,
        () -> column + " of " + row.get("name"));
  }

  @ParameterizedTest
  @CsvSource({"unbalanced, 2, SEQUENTIAL, SEQUENTIAL", "unbalanced, 2, MARGINAL, MARGINAL",
      "burman, 2, MARGINAL, ORTHOGONAL", "centre, 3, SEQUENTIAL, ORTHOGONAL"})
  void squares(String name, int order, Anova.Sums wanted, Anova.Sums made) {
    Anova anova =
        Anova.of(Golden.responses(name, 2), Options.of(4).withOrder(order), wanted);
    assertEquals(made, anova.sums());
    String column = wanted == Anova.Sums.MARGINAL ? "marginal" : "sequential";
    int checked = 0;
    for (Map<String, String> row : Golden.rows(name + "-effects.csv")) {
      if (row.containsKey(column)) {
        Anova.Source source = anova.sources().stream().filter(line ->
            List.of(line.name().split(" or ")).contains(row.get("name"))).findFirst()
            .orElseThrow();
        close(row, column, source.squares());
        if (made != Anova.Sums.SEQUENTIAL) {
          assertEquals(Golden.number(row, "p"), source.p(), 1e-9, "F is the square of t");
        }
        checked++;
      }
    }
    assertEquals(7, checked);
    if (made != Anova.Sums.MARGINAL) {
      assertEquals(anova.total(),
          anova.sources().stream().mapToDouble(Anova.Source::squares).sum(), 1e-6);
    }
    assertEquals(anova.degrees(),
        anova.sources().stream().mapToInt(Anova.Source::degrees).sum());
  }

  @Test
  void oneWayAnalysesOfAnOrthogonalArray() {
    Anova anova =
        Anova.of(Golden.responses("array", 5), Options.of(6), Anova.Sums.SEQUENTIAL);
    assertEquals(Anova.Sums.ORTHOGONAL, anova.sums());
    int checked = 0;
    for (Map<String, String> row : Golden.rows("array-anova.csv")) {
      Anova.Source source = anova.source(row.get("name"));
      if (Golden.number(row, "df") == 0) {
        assertNull(source);
        continue;
      }
      close(row, "squares", source.squares());
      close(row, "df", source.degrees());
      if (row.containsKey("f")) {
        close(row, "f", source.f());
        assertEquals(Golden.number(row, "p"), source.p(), 1e-9);
      }
      checked++;
    }
    assertEquals(8, checked);
  }

  @Test
  void missingTrialsOfAnUnbalancedExperimentCostNoEffect() {
    Effects effects = Effects.of(Golden.responses("unbalanced", 2), Options.of(4));
    assertTrue(effects.lost().isEmpty());
    assertTrue(effects.complete());
    assertEquals(3, effects.blocks());
  }
}
