package org.parallax.experiment.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A design as it came out of a request.
 *
 * @param fraction the regular fraction, or full factorial, that it was made from
 * @param blockGenerators the terms whose signs tell the blocks of the fraction
 */
public record PlannedDesign(Design design, Optional<Fraction> fraction,
    List<Term> blockGenerators) {
  public PlannedDesign {
    blockGenerators = List.copyOf(blockGenerators);
  }

  /**
   * What people want to know of the design before they run it, without the alias table.
   *
   * @return lines: runs, generators, defining relation, words by length, blocks
   */
  public List<String> lines(List<String> names) {
    List<String> lines = new ArrayList<>();
    lines.add(design.name() + ": " + design.runs() + " runs, " + design.factors()
        + (design.factors() == 1 ? " factor" : " factors"));
    fraction.filter(each -> !each.generators().isEmpty()).ifPresent(each -> {
      lines.add("generators: " + Generator.text(each.generators(), names));
      if (each.generators().size() <= 5) {
        List<String> words = new ArrayList<>(List.of("I"));
        each.definingRelation().forEach(word -> words.add(word.name(names)));
        lines.add("defining relation: " + String.join(" = ", words));
      }
      long[] pattern = each.wordLengthPattern(Math.min(each.factors(), 6));
      List<String> lengths = new ArrayList<>();
      for (int length = 3; length < pattern.length; length++) {
        if (pattern[length] > 0) {
          lengths.add(pattern[length] + " of length " + length);
        }
      }
      if (!lengths.isEmpty()) {
        lines.add("words: " + String.join(", ", lengths));
      }
    });
    if (!blockGenerators.isEmpty()) {
      lines.add("blocks by the signs of "
          + String.join(", ", blockGenerators.stream().map(term -> term.name(names)).toList()));
    }
    return lines;
  }
}
