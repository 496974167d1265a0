package org.parallax.tuning.analyzer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.formula.FormulaException;

/** Asks processes that came later what they have set, before they get what the others have. */
final class Introductions {
  private final Scope scope;
  private final Map<Questions, TunedProcess> open = new LinkedHashMap<>();

  Introductions(Scope scope) {
    this.scope = scope;
  }

  /** @param then hears when the process has answered, at once if there are no questions, or when the patience is over */
  void ask(TunedProcess process, long nowNs, LongConsumer then) {
    Questions questions = new Questions(scope.model(), scope.context().requests());
    open.put(questions, process);
    questions.ask(List.of(process), scope.view(new Window(nowNs), List.of(process)), nowNs,
        text -> scope.note(nowNs, text), timeNs -> {
          open.remove(questions);
          then.accept(timeNs);
        });
  }

  /** @return whether a process that came later may have what the others have; not before it has told what it has set */
  boolean mayHave(TunedProcess process, long nowNs) {
    Formula extend = scope.model().extend();
    if (extend == null) {
      return true;
    }
    String why;
    try {
      if (!process.states().keySet().containsAll(scope.model().asks().keySet())) {
        why = "it has not told what it has set";
      } else if (extend.holds(scope.view(new Window(nowNs), List.of(process)), Map.of())) {
        return true;
      } else {
        why = extend + " does not hold there";
      }
    } catch (FormulaException e) {
      why = e.getMessage();
    }
    scope.note(nowNs, "not in " + process.name() + ", which came later: " + why);
    return false;
  }

  /** A process has ended; nothing is to be waited for of it. */
  void ended(TunedProcess process) {
    open.entrySet().removeIf(each -> {
      if (each.getValue() == process) {
        each.getKey().cancel();
        return true;
      }
      return false;
    });
  }

  /** Time has passed: those that do not answer get it without. */
  void tick(long nowNs) {
    for (Map.Entry<Questions, TunedProcess> each : List.copyOf(open.entrySet())) {
      if (each.getKey().isLate(nowNs)) {
        // With a condition to extend, what then is told says that it does not get it.
        scope.decide(nowNs, Kind.NOTE, "", each.getValue().name() + " did not answer in " + Questions.PATIENCE_NS / 1_000_000_000 + " s"
            + (scope.model().extend() == null ? "; what is assumed otherwise holds for it" : ""));
        each.getKey().giveUp(nowNs);
      }
    }
  }
}
