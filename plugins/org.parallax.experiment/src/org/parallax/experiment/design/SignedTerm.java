package org.parallax.experiment.design;

import java.util.List;

/**
 * A term, or its opposite: what stands in a string of aliases and in a defining relation.
 *
 * @param sign +1 or -1
 */
public record SignedTerm(Term term, int sign) implements Comparable<SignedTerm> {
  /** @throws IllegalArgumentException when the sign is neither +1 nor -1 */
  public SignedTerm {
    if (Math.abs(sign) != 1) {
      throw new IllegalArgumentException("a sign is +1 or -1");
    }
  }

  public SignedTerm times(SignedTerm other) {
    return new SignedTerm(term.times(other.term), sign * other.sign);
  }

  /** @return the term in words, after a minus sign when it is the opposite */
  public String name(List<String> names) {
    return (sign < 0 ? "-" : "") + term.name(names);
  }

  /** By term. */
  @Override
  public int compareTo(SignedTerm other) {
    int byTerm = term.compareTo(other.term);
    return byTerm != 0 ? byTerm : Integer.compare(other.sign, sign);
  }
}
