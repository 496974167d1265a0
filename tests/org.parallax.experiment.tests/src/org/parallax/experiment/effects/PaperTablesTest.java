package org.parallax.experiment.effects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.design.Design;
import org.parallax.experiment.design.Term;

/**
 * Tables II-B, III and IV of the paper, whose responses are not printed: sixteen effects with the
 * mean tell the responses of sixteen runs, of which they must come out again.
 */
class PaperTablesTest {
  /** 2^(8-4), columns by the paper's strings. */
  private static final Design NODE = design(new int[] {1, 2, 3}, new int[] {0, 2, 3},
      new int[] {0, 1, 2}, new int[] {0, 1, 3});
  private static final Design IMPROVED = design(new int[] {0, 1, 2, 3});

  /** Four factors in standard order, and products of these. */
  private static Design design(int[]... products) {
    int[][] settings = new int[16][4 + products.length];
    for (int run = 0; run < 16; run++) {
      for (int factor = 0; factor < 4; factor++) {
        settings[run][factor] = (run >> factor & 1) == 1 ? 1 : -1;
      }
      for (int i = 0; i < products.length; i++) {
        settings[run][4 + i] = Term.of(products[i]).contrast(settings[run]);
      }
    }
    return new Design("of the paper", 2, settings);
  }

  private static double[] responses(Design design, double mean, Map<Term, Double> effects) {
    double[] responses = new double[design.runs()];
    for (int run = 0; run < responses.length; run++) {
      responses[run] = mean;
      for (Map.Entry<Term, Double> effect : effects.entrySet()) {
        responses[run] +=
            effect.getValue() / 2 * effect.getKey().contrast(design.settings()[run]);
      }
    }
    return responses;
  }

  private static Responses trials(Design design, List<String> names, double[] values,
      double... around) {
    List<Observation> observations = new ArrayList<>();
    for (int replicate = 0; replicate < around.length; replicate++) {
      for (int run = 0; run < values.length; run++) {
        observations.add(new Observation(run, replicate, 0, observations.size(),
            values[run] + around[replicate]));
      }
    }
    return new Responses(design, names, "elapsed", Unit.NUMBER, observations, List.of());
  }

  /** Lines of an effect and its first term, of names of one letter or with & between them. */
  private static Map<Term, Double> effects(String table, List<String> names, String between) {
    Map<Term, Double> effects = new LinkedHashMap<>();
    for (String line : table.lines().toList()) {
      String[] fields = line.split(" ");
      effects.put(term(fields[1].split("\\+")[0], names, between),
          Double.parseDouble(fields[0]));
    }
    return effects;
  }

  private static Term term(String text, List<String> names, String between) {
    return Term.of(List.of(text.split(between)).stream().mapToInt(names::indexOf).toArray());
  }

  private static final Map<Term, Double> EFFECTS_III =
      effects(Paper.EFFECTS_III, Paper.NODE, "");
  private static final double[] RESPONSES_III =
      responses(NODE, Paper.MEAN_III, EFFECTS_III);

  @Test
  void responsesOfTableIIIAreTicksOfItsClock() {
    for (double response : RESPONSES_III) {
      assertEquals(Math.rint(response), response, 1e-9, "seconds");
      assertTrue(response >= 14 && response <= 37, "seconds: " + response);
    }
  }

  @Test
  void stringsOfTableIIIAreThePublishedOnes() {
    Effects effects = Effects.of(trials(NODE, Paper.NODE, RESPONSES_III, 0), Options.of(8));
    assertEquals(26.75, effects.mean(), 1e-9);
    assertEquals(15, effects.effects().size());
    for (String line : Paper.EFFECTS_III.lines().toList()) {
      String[] fields = line.split(" ");
      Set<Term> published = List.of(fields[1].split("\\+")).stream()
          .map(term -> term(term, Paper.NODE, "")).collect(Collectors.toSet());
      Effect effect = effects.effects().stream()
          .filter(one -> published.contains(one.term())).findFirst().orElseThrow();
      Set<Term> own = new HashSet<>();
      effect.string().terms().forEach(term -> {
        assertEquals(1, term.sign());
        if (term.term().order() == effect.term().order()) {
          own.add(term.term());
        }
      });
      assertEquals(published, own);
      assertEquals(Double.parseDouble(fields[0]), effect.estimate(), 1e-9, line);
    }
    assertEquals(Noise.Source.LENTH, effects.noise().source(), "no string is pure");
    assertEquals(List.of("c"), marked(effects, Verdict.UNSURE), "the rest is too alike to tell");
    assertEquals(14, marked(effects, Verdict.NONE).size());
  }

  /** Two trials a second off their mean have the published errors, 0.50 and 0.25. */
  @Test
  void delaysOfTableIIIThatMakeTheProgramFasterAreFoundWithItsError() {
    Effects effects =
        Effects.of(trials(NODE, Paper.NODE, RESPONSES_III, -1, 1), Options.of(8));
    assertEquals(0.25, effects.meanError(), 1e-9);
    Effect code = effects.effect(2).orElseThrow();
    assertEquals(0.50, code.standardError(), 1e-9);
    assertEquals(37, code.t(), 1e-9, "the paper's 18.5/0.5");
    assertTrue(marked(effects, Verdict.FASTER).containsAll(List.of("a", "b", "g")));
    assertTrue(Proposal.of(Diagnosis.of(effects)).stream().anyMatch(proposal ->
        proposal.action() == Proposal.Action.SEARCH && proposal.factors().contains("g")));
  }

  private static List<String> marked(Effects effects, Verdict verdict) {
    return effects.effects().stream().filter(effect -> effect.verdict() == verdict)
        .map(Effect::name).toList();
  }

  @Test
  void effectsOfTableIIBComeOutAgainAndItsPercentagesAreOfTwiceItsFirstRun() {
    Map<Term, Double> published = effects(Paper.EFFECTS_II_B, Paper.IMPROVED, "&");
    double[] values = responses(IMPROVED, Paper.MEAN_II_B, published);
    Effects effects =
        Effects.of(trials(IMPROVED, Paper.IMPROVED, values, 0), Options.of(5));
    assertEquals(Paper.MEAN_II_B, effects.mean(), 1e-9);
    published.forEach((term, value) -> assertEquals(value, effects.effects().stream()
        .filter(effect -> effect.string().terms().stream()
            .anyMatch(alias -> alias.term().equals(term))).findFirst().orElseThrow().estimate(),
        1e-9, term.name(Paper.IMPROVED)));
    assertEquals(0, effects.baseline().trials(), "no run has all five at -");
    // With four factors at -, code1 is at +; the paper's column divides by twice that response.
    assertEquals(21.87, values[0], 1e-9);
    Map.of("s_lock", 14.86, "push", 9.74, "pop", 10.20, "bubblesort", -0.18, "code1", 10.20)
        .forEach((name, percent) -> assertEquals(percent,
            100 * effects.effect(Paper.IMPROVED.indexOf(name)).orElseThrow().estimate()
                / (2 * values[0]), 0.006, name));
  }

  @Test
  void trial16OfTableIVIsTwiceAsFast() {
    int[][] settings = {{0, 0, 0, 0, 0, 0}, {1, 1, 2, 3, 4, 0}, {3, 0, 3, 1, 4, 2},
        {4, 4, 3, 2, 1, 0}};
    for (int[] run : settings) {
      for (int factor = 1; factor < 6; factor++) {
        assertEquals(factor == 1 ? run[1] : ((factor - 1) * run[0] + run[1]) % 5, run[factor]);
      }
    }
    Design design = new Design("OA25(5^6), four runs of it", 5, settings);
    Responses responses = trials(design, Planted.names(6), new double[] {66, 47, 33, 50}, 0);
    Ranking ranking = Ranking.of(responses, Options.of(6), Ranking.By.MEAN);
    assertEquals(2, ranking.best().run());
    assertEquals(50, ranking.best().gain(), 1e-9);
    assertEquals(66, ranking.baseline().value());
    assertEquals(Verdict.UNKNOWN, ranking.best().verdict(), "one trial each: no error is known");
    Responses known = new Responses(design, responses.factors(), "elapsed", Unit.NUMBER,
        responses.observations(), List.of(65.0, 66.0, 67.0, 66.0));
    Ranking compared = Ranking.of(known, Options.of(6), Ranking.By.MEAN);
    assertEquals(Noise.Source.UNPERTURBED, compared.noise().source());
    assertEquals(Verdict.FASTER, compared.best().verdict());
  }
}
