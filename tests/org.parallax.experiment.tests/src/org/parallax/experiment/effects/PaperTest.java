package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.parallax.experiment.design.Term;

/** Table II of the paper from its own responses. */
class PaperTest {
  private static final double PRINTED = 0.015;
  private final Responses responses = Paper.tableII();
  private final Effects effects = Effects.of(responses, Options.of(6).withOrder(4));

  @Test
  void effectsAreThosePublished() {
    assertEquals(48.03, effects.mean(), PRINTED);
    assertEquals(15, effects.effects().size());
    for (String line : Paper.EFFECTS_II.lines().toList()) {
      String[] fields = line.split(" ");
      assertEquals(Double.parseDouble(fields[0]), find(fields[1]).estimate(), PRINTED, line);
    }
  }

  @Test
  void effectsAreMeansOfPlusLessMeansOfMinus() {
    for (Effect effect : effects.effects()) {
      int[] contrast = responses.design().contrast(effect.term());
      double sum = 0;
      for (Observation observation : responses.observations()) {
        sum += contrast[observation.run()] * observation.value();
      }
      assertEquals(sum / 8, effect.estimate(), 1e-9, effect.name());
    }
  }

  @Test
  void theDesignAliasesBubbleWithThreeFactorsAndNotWithPopAndSwap() {
    Effect bubble = effects.effect(4).orElseThrow();
    assertTrue(bubble.aliases().contains("s_lock&push&pop"), bubble.toString());
    assertEquals(-0.0988, bubble.estimate(), 5e-5);
    Effect pair = find("pop&swap");
    assertEquals(-0.9812, pair.estimate(), 5e-5);
    assertEquals(Set.of("pop&swap", "push&code1"), simplest("pop&swap"));
    assertTrue(pair.aliases().stream().noneMatch("bubble"::equals), pair.toString());
  }

  @Test
  void aliasesAreThoseOfTheDefiningRelation() {
    assertEquals(Set.of("s_lock&push", "pop&bubble"), simplest("s_lock&push"));
    assertEquals(Set.of("s_lock&pop", "push&bubble"), simplest("s_lock&pop"));
    assertEquals(Set.of("push&pop", "s_lock&bubble", "swap&code1"), simplest("push&pop"));
    assertEquals(Set.of("s_lock&swap", "bubble&code1"), simplest("s_lock&swap"));
    assertEquals(Set.of("push&swap", "pop&code1"), simplest("push&swap"));
    assertEquals(Set.of("s_lock&code1", "swap&bubble"), simplest("s_lock&code1"));
    assertTrue(find("s_lock&code1").aliases().contains("s_lock&push&pop&swap"));
    assertTrue(effects.effect(5).orElseThrow().aliases().contains("push&pop&swap"));
  }

  private Set<String> simplest(String term) {
    return Set.of(find(term).name().split(" or "));
  }

  @Test
  void theErrorComesFromTheTwoPureStrings() {
    Noise noise = effects.noise();
    assertEquals(Noise.Source.PURE_STRINGS, noise.source());
    assertEquals(2, noise.degreesOfFreedom());
    Effect swap = effects.effect(3).orElseThrow();
    assertEquals(0.3989, swap.standardError(), 5e-5);
    assertEquals(0.3989 / 2, effects.meanError(), 5e-5);
    assertEquals(13, effects.effects().stream().filter(effect -> !effect.forNoise()).count());
    assertEquals(Verdict.SLOWER, swap.verdict());
    assertEquals(List.of("swap"), effects.effects().stream()
        .filter(effect -> effect.verdict().isMarked()).map(Effect::name).toList());
  }

  @Test
  void onlySwapPassesLenthsMargins() {
    Lenth lenth = effects.lenth();
    assertEquals(1.5619, lenth.pseudoStandardError(), 5e-5);
    assertEquals(4.015, lenth.marginOfError(), 5e-4);
    assertEquals(8.151, lenth.simultaneousMargin(), 5e-4);
    Effects byLenth = Effects.of(responses,
        Options.of(6).withOrder(4).withSource(Noise.Source.LENTH));
    assertEquals(5, byLenth.noise().degreesOfFreedom());
    for (Effect effect : byLenth.effects()) {
      assertEquals(1.5619, effect.standardError(), 5e-5);
      assertEquals(effect.name().equals("swap") ? Verdict.SLOWER : Verdict.NONE,
          effect.verdict(), effect.name());
    }
  }

  @Test
  void percentagesAreOfTheUnperturbedRun() {
    assertEquals(19.11, effects.baseline().value());
    assertEquals(1, effects.baseline().trials());
    Map<String, Double> published = new HashMap<>(Map.of("s_lock", 10.36, "push", 5.86,
        "pop", 6.80, "swap", 262.17, "code1", 5.76));
    published.forEach((name, percent) ->
        assertEquals(percent, find(name).percent(), 100 * PRINTED / 19.11, name));
    // The paper's -5.13 of bubblesort is -0.98/19.11, of the string of pop&swap.
    assertEquals(-5.13, find("pop&swap").percent(), 100 * PRINTED / 19.11);
    assertEquals(-0.52, effects.effect(4).orElseThrow().percent(), 0.005);
  }

  @Test
  void withoutAnErrorNothingIsMarked() {
    Effects unknown = Effects.of(responses,
        Options.of(6).withSource(Noise.Source.REPLICATES));
    assertEquals(Noise.Source.NONE, unknown.noise().source());
    for (Effect effect : unknown.effects()) {
      assertTrue(Double.isNaN(effect.standardError()));
      assertNull(effect.interval());
      assertEquals(Verdict.UNKNOWN, effect.verdict());
    }
  }

  /** The effect of a term, or of the string that has it among its aliases. */
  private Effect find(String term) {
    return effects.effects().stream().filter(effect ->
        List.of(effect.name().split(" or ")).contains(term) || effect.aliases().contains(term))
        .findFirst().orElseThrow(() -> new AssertionError(term));
  }

  @Test
  void theMeanIsNoEffect() {
    assertTrue(effects.effects().stream().noneMatch(effect -> effect.term().equals(Term.MEAN)));
  }
}
