package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.formula.Measurements;
import org.parallax.tuning.model.Action;
import org.parallax.tuning.model.TuningModel;

/** An action of a model with its values, and what changes it back. */
final class Change {
  /** Numbers that differ by less are the same value: what did not help with one does not with the other. */
  private static final double SAME = 0.25;
  private static final int MOST_SHOWN = 8;

  private final TuningModel model;
  /** The same for all processes; empty when each has its own. */
  private final Map<String, Object> act;
  /** Of each process, when the model has formulas of own; else empty. */
  private final Map<TunedProcess, Map<String, Object>> acts;
  /** What changes it back, by the values of all processes together; null when the tuner does it by itself. */
  private final Map<String, Object> undo;
  private final Function<TunedProcess, Measurements> alone;
  private final Map<String, Object> sets = new LinkedHashMap<>();

  private Change(TuningModel model, Map<String, Object> act, Map<TunedProcess, Map<String, Object>> acts,
      Map<String, Object> undo, Function<TunedProcess, Measurements> alone) {
    this.model = model;
    this.acts = acts;
    this.act = act;
    this.undo = undo;
    this.alone = alone;
  }

  /**
   * Evaluates the action of a model.
   *
   * @param measured what was measured in all processes that it is for
   * @param values the named formulas of it
   * @param alone the same, but with one process and what is known of it
   * @throws FormulaException when an argument has no value
   */
  static Change of(TuningModel model, View measured, Map<String, Object> values,
      Function<TunedProcess, Measurements> alone) throws FormulaException {
    Map<TunedProcess, Map<String, Object>> acts = new LinkedHashMap<>();
    for (int i = 0; i < (model.own().isEmpty() ? 0 : measured.all().size()); i++) {
      View one = measured.of(i);
      Map<String, Object> known = OwnValues.of(one, model.own());
      known.putAll(values);
      acts.put(measured.all().get(i), fields(model.action(), one, known));
    }
    Change change = new Change(model, acts.isEmpty() ? fields(model.action(), measured, values) : Map.of(), acts,
        model.undo() == null ? null : fields(model.undo(), measured, values), alone);
    for (Map.Entry<String, Formula> set : model.sets().entrySet()) {
      change.sets.put(set.getKey(), set.getValue().value(measured, values));
    }
    return change;
  }

  /** @return the fields of a line to the monitor, without the process */
  static Map<String, Object> fields(Action action, Measurements measured, Map<String, Object> values)
      throws FormulaException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", action.kind().word());
    fields.put("at", action.at());
    fields.put("name", action.name());
    if (action.kind().fields().contains("arguments")) {
      List<Object> arguments = new ArrayList<>();
      for (Object argument : action.arguments()) {
        arguments.add(value(argument, measured, values));
      }
      fields.put("arguments", arguments);
    }
    for (Map.Entry<String, Object> field : action.fields().entrySet()) {
      // "type" is that of the line.
      fields.put(field.getKey().equals("type") ? "value_type" : field.getKey(), value(field.getValue(), measured, values));
    }
    return fields;
  }

  private static Object value(Object value, Measurements measured, Map<String, Object> values) throws FormulaException {
    if (value instanceof Formula formula) {
      return formula.value(measured, values);
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> made = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        made.put(entry.getKey().toString(), value(entry.getValue(), measured, values));
      }
      return made;
    }
    return value;
  }

  /** @return the fields that ask for it in a process */
  Map<String, Object> act(TunedProcess process) {
    return acts.getOrDefault(process, act);
  }

  /** @return whether it is known what it is in a process; of one that came later it may not be */
  boolean isFor(TunedProcess process) {
    return acts.isEmpty() || acts.containsKey(process);
  }

  private Map<String, Object> any() {
    return acts.isEmpty() ? act : acts.values().iterator().next();
  }

  /** @return the safe moment */
  String at() {
    return any().get("at").toString();
  }

  /** @return whether anything changes it back */
  boolean canUndo() {
    return model.canUndo();
  }

  /**
   * What changes it back in one process, to what is there now; processes may have different values.
   *
   * @return the fields that ask for it, or null when the tuner does it by itself
   */
  Map<String, Object> undoOf(TunedProcess process) {
    if (undo == null) {
      return null;
    }
    try {
      Measurements own = alone.apply(process);
      return fields(model.undo(), own, model.evaluate(own));
    } catch (FormulaException e) {
      return undo;
    }
  }

  /** @return the fields by which the tuner changes it back, given the number of the request that made it */
  Map<String, Object> undo(long id) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "undo");
    // The program need not reach another safe moment.
    fields.put("at", at());
    fields.put("undoes", id);
    return fields;
  }

  /** @return the variable of the program that it sets, or null */
  String tunable() {
    return any().get("kind").equals("tunable") ? any().get("name").toString() : null;
  }

  /** @return states that it sets */
  Map<String, Object> sets() {
    return sets;
  }

  /** @return whether it is the same action with about the same values */
  boolean isLike(Change other) {
    return isLike(act, other.act) && isLike(acts, other.acts);
  }

  private static boolean isLike(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      double most = Math.max(Math.abs(x.doubleValue()), Math.abs(y.doubleValue()));
      return Math.abs(x.doubleValue() - y.doubleValue()) <= SAME * most;
    }
    if (a instanceof List<?> x && b instanceof List<?> y && x.size() == y.size()) {
      for (int i = 0; i < x.size(); i++) {
        if (!isLike(x.get(i), y.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y && x.keySet().equals(y.keySet())) {
      return x.keySet().stream().allMatch(key -> isLike(x.get(key), y.get(key)));
    }
    return a.equals(b);
  }

  /** @return as a person reads it, "pvm_setopt(10, 180224)" */
  String shown() {
    if (acts.isEmpty()) {
      return shown(act);
    }
    return acts.entrySet().stream().limit(MOST_SHOWN).map(one -> shown(one.getValue()) + " in " + one.getKey().name())
        .collect(Collectors.joining(", ")) + (acts.size() > MOST_SHOWN ? ", and so on" : "");
  }

  private static String shown(Map<String, Object> act) {
    if (act.get("arguments") instanceof List<?> arguments) {
      return act.get("name") + arguments.stream().map(Change::plain).collect(Collectors.joining(", ", "(", ")"));
    }
    String name = act.get("name").toString();
    if (act.containsKey("index")) {
      String how = act.containsKey("least") ? "at least " + plain(act.get("least"))
          : act.containsKey("most") ? "at most " + plain(act.get("most")) : plain(act.get("value"));
      return "argument " + plain(act.get("index")) + " of " + name + " = " + how;
    }
    if (act.containsKey("method")) {
      return name + " by " + act.get("method") + (act.containsKey("from") ? " from " + plain(act.get("from")) : "")
          + (act.containsKey("to") ? " to " + plain(act.get("to")) : "") + (act.containsKey("from") || act.containsKey("to") ? " bytes" : "");
    }
    return act.containsKey("with") ? name + " replaced by " + act.get("with") : name + " = " + plain(act.get("value"));
  }

  private static String plain(Object value) {
    return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString(number.longValue()) : String.valueOf(value);
  }
}
