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

  private final TuningModel model;
  private final Map<String, Object> act;
  /** What changes it back, by the values of all processes together; null when the tuner does it by itself. */
  private final Map<String, Object> undo;
  private final Function<TunedProcess, Measurements> alone;
  private final Map<String, Object> sets = new LinkedHashMap<>();

  private Change(TuningModel model, Map<String, Object> act, Map<String, Object> undo,
      Function<TunedProcess, Measurements> alone) {
    this.model = model;
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
  static Change of(TuningModel model, Measurements measured, Map<String, Object> values,
      Function<TunedProcess, Measurements> alone) throws FormulaException {
    Change change = new Change(model, fields(model.action(), measured, values),
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

  /** @return the fields that ask for it */
  Map<String, Object> act() {
    return act;
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
    fields.put("at", act.get("at"));
    fields.put("undoes", id);
    return fields;
  }

  /** @return the variable of the program that it sets, or null */
  String tunable() {
    return act.get("kind").equals("tunable") ? act.get("name").toString() : null;
  }

  /** @return states that it sets */
  Map<String, Object> sets() {
    return sets;
  }

  /** @return whether it is the same action with about the same values */
  boolean isLike(Change other) {
    return isLike(act, other.act);
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
    if (act.get("arguments") instanceof List<?> arguments) {
      return act.get("name") + arguments.stream().map(Change::plain).collect(Collectors.joining(", ", "(", ")"));
    }
    String name = act.get("name").toString();
    if (act.containsKey("index")) {
      String how = act.containsKey("least") ? "at least " + plain(act.get("least"))
          : act.containsKey("most") ? "at most " + plain(act.get("most")) : plain(act.get("value"));
      return "argument " + plain(act.get("index")) + " of " + name + " = " + how;
    }
    return act.containsKey("with") ? name + " replaced by " + act.get("with") : name + " = " + plain(act.get("value"));
  }

  private static String plain(Object value) {
    return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString(number.longValue()) : String.valueOf(value);
  }
}
