package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hipparchus.distribution.discrete.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.parallax.experiment.design.AliasTable;
import org.parallax.experiment.design.Augmentation;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Power;
import org.parallax.experiment.design.Term;

/** Warnings and proposals, where what they must say is planted. */
class DiagnosisTest {
  private static Diagnosis diagnose(Responses responses) {
    return Diagnosis.of(
        Effects.of(responses, Options.of(responses.design().factors())));
  }

  private static List<List<String>> proposed(Diagnosis diagnosis, Proposal.Action action) {
    return Proposal.of(diagnosis).stream().filter(proposal -> proposal.action() == action)
        .map(Proposal::factors).toList();
  }

  private static String warning(Diagnosis diagnosis, Warning.Kind kind) {
    return diagnosis.warnings().stream().filter(warning -> warning.kind() == kind)
        .map(Warning::text).findFirst().orElse("");
  }

  @Test
  void swapOfTableIIHidesTheOthers() {
    Diagnosis diagnosis = diagnose(Paper.tableII());
    Masking masking = diagnosis.masking();
    assertEquals(3, masking.factor());
    assertEquals(-1, masking.level());
    assertEquals(3.07, masking.spread(), 0.005);
    assertEquals(0.44, masking.maskedSpread(), 0.005);
    Map.of("s_lock", 3.82, "push", 2.23, "pop", 2.28, "code1", 2.34).forEach((name, effect) ->
        assertEquals(effect, masking.half().effects().stream()
            .filter(one -> one.name().equals(name)).findFirst().orElseThrow().estimate(), 0.006,
            name));
    assertEquals(List.of("swap"), Proposal.of(diagnosis).get(0).factors());
    assertEquals(Proposal.Action.HOLD, Proposal.of(diagnosis).get(0).action());
    assertEquals(List.of(List.of("swap")), proposed(diagnosis, Proposal.Action.REFINE));
    assertEquals(List.of(), proposed(diagnosis, Proposal.Action.DROP), "hidden ones may matter");
    assertTrue(warning(diagnosis, Warning.Kind.MASKING).contains("3.07"));
    assertFalse(diagnosis.has(Warning.Kind.OUTLIER), "what is hidden is no noise");
  }

  @Test
  void aProposedFoldoverSeparatesTheStringThatItNames() {
    Design design = Planted.fraction();
    Diagnosis diagnosis = diagnose(new Planted(1, design, Map.of(Term.of(0), 25.0,
        Term.of(0, 1), 25.0), Planted.Shape.NORMAL).responses(2, 0));
    List<String> factor = proposed(diagnosis, Proposal.Action.FOLDOVER).get(0);
    assertEquals(1, factor.size());
    assertTrue(AliasTable.of(design, 2).aliasesOf(Term.of(0, 1)).stream()
        .anyMatch(alias -> alias.term().order() == 2));
    Design folded =
        Augmentation.foldover(design, Planted.names(6).indexOf(factor.get(0)), false);
    assertTrue(AliasTable.of(folded, 2).aliasesOf(Term.of(0, 1)).isEmpty(), factor.toString());
    assertEquals(List.of(List.of("f")), proposed(diagnosis, Proposal.Action.DROP).stream()
        .filter(one -> one.contains("f")).toList());
  }

  @Test
  void mainEffectsThatAreMixedWithInteractionsAskForTheWholeFoldover() {
    Design third = new Design("2^(3-1) III", 2,
        new int[][] {{-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, 1}});
    Diagnosis diagnosis = diagnose(
        new Planted(2, third, Map.of(Term.of(2), 9.0), Planted.Shape.NORMAL).responses(6, 0));
    assertEquals(List.of(List.of("a", "b", "c")),
        proposed(diagnosis, Proposal.Action.FOLDOVER));
    assertTrue(Proposal.of(diagnosis).stream().anyMatch(one -> one.reason().contains("c + a&b")));
  }

  @Test
  void aProgramThatIsNotRepeatableIsToldHowManyReplicatesItTakes() {
    Planted planted = new Planted(3, Planted.full(3), Map.of(), Planted.Shape.NORMAL);
    Responses quiet = planted.responses(2, 0);
    double[] loud = quiet.values();
    for (int i = 0; i < loud.length; i++) {
      loud[i] = 100 + 25 * (loud[i] - 100);
    }
    Diagnosis diagnosis = diagnose(quiet.with(loud));
    int replicates = Power.replicates(quiet.design(),
        diagnosis.effects().baseline().value() / 20, diagnosis.effects().noise().deviation(), 0.8)
        .orElseThrow();
    assertTrue(replicates > 20, "replicates " + replicates);
    assertTrue(warning(diagnosis, Warning.Kind.NOISE).contains(" " + replicates + " replicates"),
        warning(diagnosis, Warning.Kind.NOISE));
    assertEquals(1, proposed(diagnosis, Proposal.Action.REPLICATE).size());
    assertFalse(diagnose(quiet).has(Warning.Kind.NOISE));
  }

  @Test
  void curvatureIsTold() {
    Diagnosis diagnosis = diagnose(Golden.responses("centre", 2));
    assertTrue(diagnosis.has(Warning.Kind.CURVATURE));
    assertEquals(1, proposed(diagnosis, Proposal.Action.MORE_LEVELS).size());
    assertFalse(diagnose(Golden.responses("unbalanced", 2)).has(Warning.Kind.CURVATURE));
  }

  @Test
  void anOutlierIsNamed() {
    Responses responses =
        new Planted(4, Planted.full(3), Map.of(), Planted.Shape.NORMAL).responses(4, 0);
    assertFalse(diagnose(responses).has(Warning.Kind.OUTLIER));
    double[] values = responses.values();
    values[13] += 12;
    Diagnosis diagnosis = diagnose(responses.with(values));
    assertEquals(13, diagnosis.residuals().outlier());
    Observation trial = responses.observations().get(13);
    assertTrue(warning(diagnosis, Warning.Kind.OUTLIER).contains("run " + (trial.run() + 1)
        + ", replicate " + (trial.replicate() + 1)));
  }

  @Test
  void missingTrialsTellWhatIsLost() {
    Responses whole =
        new Planted(5, Planted.full(3), Map.of(), Planted.Shape.NORMAL).responses(2, 0);
    Responses partial = new Responses(whole.design(), whole.factors(), "elapsed", whole.unit(),
        whole.observations().stream().filter(one -> one.run() != 6).toList(), List.of());
    Diagnosis diagnosis = diagnose(partial);
    assertEquals(List.of("a&b&c"), diagnosis.effects().lost());
    assertTrue(warning(diagnosis, Warning.Kind.LOST).contains("a&b&c"));
    assertFalse(diagnose(whole).has(Warning.Kind.LOST));
  }

  @Test
  void blocksThatHideAnInteractionAreTold() {
    Planted planted = new Planted(6, Planted.full(3), Map.of(), Planted.Shape.NORMAL);
    List<Observation> blocked = planted.responses(2, 0).observations().stream()
        .map(one -> new Observation(one.run(), one.replicate(), 2 * one.replicate()
            + (Term.of(0, 1, 2).contrast(Planted.full(3).settings()[one.run()]) + 1) / 2,
            one.position(), one.value())).toList();
    Effects effects = Effects.of(new Responses(Planted.full(3), Planted.names(3), "elapsed",
        org.parallax.analysis.table.Unit.NUMBER, blocked, List.of()), Options.of(3));
    assertEquals(List.of("a&b&c"), effects.lost());
    assertEquals(6, effects.effects().size());
  }

  @Test
  void anotherDelayShowsWhatIsNotInProportion() {
    int experiments = 200;
    int missed = 0;
    int wrong = 0;
    for (int i = 0; i < experiments; i++) {
      Effects shorter = Effects.of(new Planted(100 + i, Planted.full(3),
          Map.of(Term.of(0), 4.0, Term.of(1), 6.0), Planted.Shape.MEASURED).responses(4, 0),
          Options.of(3));
      Effects longer = Effects.of(new Planted(900 + i, Planted.full(3),
          Map.of(Term.of(0), 16.0, Term.of(1), 6.0), Planted.Shape.MEASURED).responses(4, 0),
          Options.of(3));
      List<Nonlinearity.Delay> delays = Nonlinearity.compare(shorter,
          new double[] {10, 10, 10}, longer, new double[] {40, 40, 40});
      missed += delays.get(1).corrected() > 0.05 ? 1 : 0;
      wrong += delays.get(0).corrected() <= 0.05 || delays.get(2).corrected() <= 0.05 ? 1 : 0;
    }
    assertEquals(0, missed);
    assertTrue(wrong <= new BinomialDistribution(experiments, 0.05)
        .inverseCumulativeProbability(0.999), wrong + " of " + experiments);
  }

  @Test
  void meansOfLevelsThatLieOnNoLineAreFound() {
    List<Nonlinearity.Shape> shapes =
        Nonlinearity.shapes(Golden.responses("array", 5), Options.of(6));
    // Planted: a by its root, c by a square; the others do nothing.
    assertTrue(shapes.get(0).corrected() < 0.001 && shapes.get(0).slope() < -1);
    assertTrue(shapes.get(2).corrected() < 0.001);
    for (int factor : new int[] {1, 3, 4, 5}) {
      assertTrue(shapes.get(factor).corrected() > 0.05, shapes.get(factor).toString());
    }
    assertEquals(List.of(), Nonlinearity.shapes(Paper.tableII(), Options.of(6)));
  }

  /** Counts of instructions, say. */
  @Test
  void aResponseWithoutAnyNoiseHasItsEffectsAndNoWarningsOfRounding() {
    Planted planted = new Planted(8, Planted.fraction(),
        Map.of(Term.of(0), 0.3, Term.of(1), -0.1), Planted.Shape.NORMAL);
    Responses noisy = planted.responses(3, 0);
    double[] exact = noisy.observations().stream()
        .mapToDouble(one -> planted.mean(one.run())).toArray();
    Diagnosis diagnosis = diagnose(noisy.with(exact));
    assertEquals(List.of("a", "b"), diagnosis.effects().effects().stream()
        .filter(effect -> effect.verdict().isMarked()).map(Effect::name).toList());
    assertEquals(List.of(), diagnosis.warnings());
    assertNull(diagnosis.drift());
    EffectTables.effects("f", diagnosis).rows().forEach(row ->
        assertFalse(row.values().contains(Double.POSITIVE_INFINITY), row.toString()));
    double[] same = exact.clone();
    Arrays.fill(same, 7);
    assertTrue(diagnose(noisy.with(same)).effects().effects().stream()
        .allMatch(effect -> effect.verdict() == Verdict.NONE));
  }

  @Test
  void withTooFewTrialsNothingIsToldOfNoiseAndTime() {
    Diagnosis diagnosis = diagnose(
        new Planted(7, Planted.full(2), Map.of(), Planted.Shape.NORMAL).responses(1, 0));
    assertNull(diagnosis.residuals());
    assertNull(diagnosis.sensitivity());
    assertTrue(diagnosis.has(Warning.Kind.ERROR));
    assertTrue(diagnosis.effects().effects().stream()
        .noneMatch(effect -> effect.verdict().isMarked()));
  }
}
