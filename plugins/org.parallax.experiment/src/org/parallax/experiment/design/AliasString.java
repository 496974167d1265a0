package org.parallax.experiment.design;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Terms that a design cannot tell from each other: their contrasts are equal, or opposite for those
 * with a minus sign. What is measured is the sum of their effects, with these signs.
 *
 * @param terms rising by order; the first has the sign +1
 * @param blockShare how much of the contrast is a difference between blocks: 0 for none, 1 when it
 *     cannot be told from one
 */
public record AliasString(List<SignedTerm> terms, double blockShare) {
  public AliasString {
    terms = List.copyOf(terms);
  }

  /** @return the term of the lowest order, whose contrast the string has */
  public Term first() {
    return terms.get(0).term();
  }

  /** @return the order of the first term */
  public int lowestOrder() {
    return first().order();
  }

  /** @return whether the effect cannot be told, wholly or in part, from differences of blocks */
  public boolean inBlocks() {
    return blockShare > 1e-9;
  }

  /** @return for people: {@code ab + cg - dh}, terms as {@link Term#name} says them */
  public String name(List<String> names) {
    return terms.stream().map(term -> (term.sign() < 0 ? " - " : " + ") + term.term().name(names))
        .collect(Collectors.joining()).substring(3);
  }
}
