package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.List;
import org.parallax.tuning.analyzer.Decision.Kind;

/** The decisions of an analyzer, in their order. */
abstract class DecisionsFixture {
  protected final List<Decision> decisions = new ArrayList<>();

  protected final long count(Kind kind) {
    return decisions.stream().filter(decision -> decision.kind() == kind).count();
  }

  protected final Decision first(Kind kind) {
    return decisions.stream().filter(decision -> decision.kind() == kind).findFirst().orElseThrow();
  }

  /** The models whose actions were tried. */
  protected final List<String> tried() {
    return decisions.stream().filter(decision -> decision.kind() == Kind.TRY).map(Decision::model).toList();
  }

  /** All of them as text, for messages of tests. */
  protected final String shown() {
    StringBuilder text = new StringBuilder();
    decisions.forEach(decision -> text.append(decision.shown()).append('\n'));
    return text.toString();
  }
}
