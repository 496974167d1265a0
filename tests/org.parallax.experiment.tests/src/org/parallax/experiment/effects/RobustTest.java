package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;

class RobustTest {
  @ParameterizedTest
  @CsvSource({"unbalanced, 2", "burman, 2", "centre, 3"})
  void ranksAreThoseOfStatsmodels(String name, int order) {
    Robust robust = Robust.of(
        Effects.of(Golden.responses(name, 2), Options.of(4).withOrder(order)));
    int checked = 0;
    for (Map<String, String> row : Golden.rows(name + "-effects.csv")) {
      if (row.containsKey("rankP")) {
        Robust.RobustEffect effect = robust.effects().stream().filter(one ->
            List.of(one.classic().name().split(" or ")).contains(row.get("name"))).findFirst()
            .orElseThrow();
        assertEquals(Golden.number(row, "rankP"), effect.rankP(), 1e-6, row.get("name"));
        checked++;
      }
    }
    assertEquals(7, checked);
  }

  @Test
  void fewOrdersAreAllGoneThroughWithinBlocks() {
    List<String> orders = new ArrayList<>();
    Permutations permutations = new Permutations(new int[] {0, 1, 0, 1, 0}, 7);
    permutations.forEach(order -> {
      assertTrue(order[0] % 2 == 0 && order[1] % 2 == 1 && order[4] % 2 == 0);
      orders.add(java.util.Arrays.toString(order));
    });
    assertTrue(permutations.isExact());
    assertEquals(12, orders.size());
    assertEquals(12, new TreeSet<>(orders).size());
    assertFalse(new Permutations(new int[16], 7).isExact());
  }

  /** One factor in four runs of two blocks each: 24 * 24 orders, of which few are as extreme. */
  @Test
  void theExactTestCountsOrders() {
    int[][] settings = {{-1}, {1}};
    List<Observation> observations = new ArrayList<>();
    double[] values = {1, 9, 2, 8, 11, 19, 12, 18};
    for (int i = 0; i < values.length; i++) {
      observations.add(new Observation(i % 2, i / 2, i / 4, i, values[i]));
    }
    Robust robust = Robust.of(Effects.of(new Responses(new Design("one", 2, settings),
        List.of("one"), "elapsed", Unit.NUMBER, observations, List.of()), Options.of(1)));
    assertTrue(robust.exact());
    // All low values on one side, in each block: 2 * (2! * 2!)^2 of 24^2.
    assertEquals(2.0 * 16 / 576, robust.effects().get(0).permutationP(), 1e-12);
    assertEquals(7, robust.effects().get(0).median() + 0, 1e-9);
  }

  @Test
  void anOutlierMovesTheMeanButNotTheMedian() {
    Responses planted = Golden.responses("centre", 2);
    double[] values = planted.values();
    Responses replicated = repeat(planted.design(), 5);
    values = replicated.values();
    values[7] += 100;
    Effects effects = Effects.of(replicated.with(values), Options.of(3));
    Robust robust = Robust.of(effects);
    for (Robust.RobustEffect effect : robust.effects()) {
      double truth = effect.classic().name().equals("a") ? 6 : 0;
      assertEquals(truth, effect.median(), 0.5, effect.classic().name());
      assertTrue(Math.abs(effect.classic().estimate() - truth) > 2, effect.toString());
    }
    assertTrue(robust.bootstrap().startsWith("BCa"), robust.bootstrap());
  }

  private static Responses repeat(Design design, int replicates) {
    List<Observation> observations = new ArrayList<>();
    java.util.Random random = new java.util.Random(3);
    for (int i = 0; i < replicates * 8; i++) {
      int run = i % 8;
      observations.add(new Observation(run, i / 8, 0, i,
          50 + 3 * design.settings()[run][0] + 0.1 * random.nextGaussian()));
    }
    return new Responses(design, List.of("a", "b", "c"), "elapsed", Unit.NUMBER, observations,
        List.of());
  }

  @Test
  void withoutReplicatesThereIsNoBootstrapNorMedianButAPermutationTest() {
    Robust robust =
        Robust.of(Effects.of(Paper.tableII(), Options.of(6).withOrder(4)));
    for (Robust.RobustEffect effect : robust.effects()) {
      assertNull(effect.interval());
      assertTrue(Double.isNaN(effect.median()));
      assertEquals(effect.classic().name().equals("swap"), effect.permutationP() < 0.05,
          effect.toString());
    }
  }
}
