package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.model.TuningModel.Each;
import org.parallax.tuning.model.Visits;
import org.parallax.tuning.verify.Gain;

/** The processes that a model judges together, what its formulas see of them, and how decisions name them. */
final class Scope {
  private final TuningModel model;
  private final Context context;
  private final List<TunedProcess> processes = new ArrayList<>();
  private final Map<String, Double> otherwise = new HashMap<>();
  private final Set<String> troubles = new HashSet<>();
  private TunedProcess last;

  Scope(TuningModel model, Context context) {
    this.model = model;
    this.context = context;
    model.asks().forEach((state, ask) -> otherwise.put(state, ask.otherwise()));
  }

  TuningModel model() {
    return model;
  }

  Context context() {
    return context;
  }

  List<TunedProcess> processes() {
    return processes;
  }

  void add(TunedProcess process) {
    processes.add(process);
    last = process;
  }

  /** @return whether a process is to be judged together with those that it has */
  boolean hasPlaceFor(TunedProcess process) {
    return model.isForRun() || model.each() == Each.HOST && last != null && process.host().equals(last.host());
  }

  /** @return as decisions name it; what is known of a process may come after its start */
  String name() {
    if (model.isForRun()) {
      return "the run";
    }
    return last == null ? "" : model.each() == Each.HOST ? "host " + last.host() : last.name();
  }

  /** @return whether actions may be done now */
  boolean mayAct() {
    return context.isActing() && !context.isPaused();
  }

  // --- What formulas see

  View view(Window window) {
    return view(window, processes);
  }

  View view(Window window, List<TunedProcess> of) {
    return new View(window, of, context.world(), context.points().wireNames(model), otherwise);
  }

  /**
   * Evaluates the named formulas of the model.
   *
   * @throws FormulaException when one has no value
   */
  Map<String, Object> values(View view) throws FormulaException {
    OwnValues.set(view, model.own());
    return model.evaluate(view);
  }

  Workload workload(Window window) {
    return new Workload(window, context.points().wireNames(model).values(), context.world());
  }

  /** @return what gathers lines until there are enough visits */
  Gathering gathering(Visits enough, Gathering.Full full) {
    return new Gathering(context.points().wireNames(model).get(enough.point()), enough.count(), model.isForSeveral(),
        context.intervalNs(), processes, !model.own().isEmpty(), full);
  }

  // --- What is told

  /** Tells of something that is no action that was tried. */
  void decide(long nowNs, Kind kind, String change, String why) {
    context.decide(new Decision(nowNs, kind, model.name(), name(), 0, change, why, null));
  }

  /** Tells of an action that is or was tried. */
  void decide(long nowNs, Kind kind, Setting action, String why, Gain gain) {
    context.decide(new Decision(nowNs, kind, model.name(), name(), action.number(), action.change().shown(), why, gain));
  }

  /** Tells a text once. */
  void note(long nowNs, String text) {
    if (troubles.add(text)) {
      decide(nowNs, Kind.NOTE, "", text);
    }
  }
}
