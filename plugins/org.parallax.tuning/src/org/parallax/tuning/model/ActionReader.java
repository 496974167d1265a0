package org.parallax.tuning.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.parallax.analysis.text.NearNames;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.model.Action.Kind;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads the actions of a model file. */
final class ActionReader {
  private static final List<String> ANY_ACTION = List.of("at", "sets", "undo");
  private static final List<String> TYPES = List.of("i32", "u32", "i64", "u64", "f32", "f64");

  private final YamlReader yaml;
  private final BiFunction<Node, String, Formula> formulas;
  private final BiFunction<Node, String, Formula> formulasOfAll;

  /**
   * @param formulas reads those of actions, which may be evaluated for each process
   * @param formulasOfAll reads those that are evaluated for all processes together
   */
  ActionReader(YamlReader yaml, BiFunction<Node, String, Formula> formulas,
      BiFunction<Node, String, Formula> formulasOfAll) {
    this.yaml = yaml;
    this.formulas = formulas;
    this.formulasOfAll = formulasOfAll;
  }

  /** What a model changes, and how it is changed back. */
  record Acts(Action action, Action undo, boolean canUndo, Map<String, Formula> sets) {
  }

  Acts acts(Node node) {
    Map<String, Formula> sets = new LinkedHashMap<>();
    if (node == null) {
      return new Acts(null, null, true, sets);
    }
    Map<String, Node> all = yaml.map(node, "act", null, List.of());
    Action action = action(node, "act", all, ANY_ACTION);
    if (all.containsKey("sets")) {
      yaml.map(all.get("sets"), "sets", null, List.of()).forEach(
          (name, value) -> sets.put(name, formulasOfAll.apply(value, name)));
    }
    Node undo = all.get("undo");
    boolean isNone = undo instanceof ScalarNode scalar && scalar.getValue().equals("none");
    Action undoing = undo == null || isNone ? null
        : new ActionReader(yaml, formulasOfAll, formulasOfAll).action(undo, "undo", yaml.map(undo, "undo", null, List.of()), List.of("at"));
    if (action != null && undo == null && !action.kind().canUndo()) {
      yaml.problem(node, "act: a call is undone by another one; add: undo: {" + action.kind().word()
          + ": NAME, arguments: [...]} or: undo: none");
    }
    return new Acts(action, undoing, !isNone, sets);
  }

  Map<String, TuningModel.Ask> asks(Node node) {
    Map<String, TuningModel.Ask> asks = new LinkedHashMap<>();
    if (node != null) {
      yaml.map(node, "ask", null, List.of()).forEach((name, value) -> {
        Map<String, Node> all = yaml.map(value, name, List.of("call", "arguments", "at", "else"), List.of("call", "else"));
        Action call = action(value, name, all, List.of("at", "else"));
        double otherwise = all.containsKey("else")
            ? yaml.whole(all.get("else"), "else", Integer.MIN_VALUE, Integer.MAX_VALUE) : 0;
        asks.put(name, new TuningModel.Ask(call, otherwise));
      });
    }
    return asks;
  }

  private Action action(Node node, String what, Map<String, Node> all, List<String> others) {
    List<Kind> kinds = Stream.of(Kind.values()).filter(kind -> all.containsKey(kind.word())).toList();
    List<String> words = Stream.of(Kind.values()).map(Kind::word).toList();
    if (kinds.size() != 1) {
      // A wrong word for the kind is the likely cause.
      String wrong = all.keySet().stream().filter(key -> !others.contains(key) && !NearNames.of(key, words).isEmpty())
          .findFirst().orElse("");
      if (!kinds.isEmpty() || !all.isEmpty() || node instanceof MappingNode) {
        yaml.problem(node, what + ": expected one of the kinds of actions " + String.join(", ", words)
            + (wrong.isEmpty() ? "" : ", not " + wrong + NearNames.hint(wrong, words)));
      }
      return null;
    }
    Kind kind = kinds.get(0);
    List<String> allowed = new ArrayList<>(List.of(kind.word()));
    allowed.addAll(kind.fields());
    allowed.addAll(others);
    all.forEach((key, value) -> {
      if (!allowed.contains(key)) {
        yaml.problem(value, what + ": " + kind.word() + " has no key " + key + NearNames.hint(key, allowed));
      }
    });
    List<Object> arguments = new ArrayList<>();
    if (all.containsKey("arguments")) {
      yaml.list(all.get("arguments"), "arguments").forEach(value -> arguments.add(formulas.apply(value, "arguments")));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String field : kind.fields()) {
      if (all.containsKey(field) && !field.equals("arguments")) {
        fields.put(field, field(field, all.get(field)));
      }
    }
    checkFields(node, what, kind, fields);
    return new Action(kind, yaml.word(all.get(kind.word()), kind.word()),
        all.containsKey("at") ? yaml.word(all.get("at"), "at") : "any", arguments, fields);
  }

  private Object field(String field, Node node) {
    return switch (field) {
      case "type" -> yaml.choice(node, field, TYPES);
      case "index" -> (Object) yaml.whole(node, field, 0, 5);
      case "with", "before", "after", "method" -> yaml.word(node, field);
      case "only" -> {
        Map<String, Node> keys = yaml.map(node, field, List.of("index", "equals"), List.of("index", "equals"));
        Map<String, Object> only = new LinkedHashMap<>();
        if (keys.size() == 2) {
          only.put("index", yaml.whole(keys.get("index"), "index", 0, 5));
          only.put("equals", formulas.apply(keys.get("equals"), "equals"));
        }
        yield only;
      }
      default -> formulas.apply(node, field);
    };
  }

  private void checkFields(Node node, String what, Kind kind, Map<String, Object> fields) {
    String fault = switch (kind) {
      case CALL -> null;
      case SET_VARIABLE -> !fields.containsKey("value") || !fields.containsKey("type") ? "value and type" : null;
      case MPI_VARIABLE, TUNABLE -> !fields.containsKey("value") ? "value" : null;
      case COLLECTIVE -> !fields.containsKey("method") ? "method" : null;
      case REPLACE -> !fields.containsKey("with") ? "with" : null;
      case INSERT_CALL -> fields.containsKey("before") == fields.containsKey("after") ? "either before or after" : null;
      case ARGUMENT -> !fields.containsKey("index")
          || Stream.of("value", "least", "most").filter(fields::containsKey).count() != 1
              ? "index and one of value, least, most" : null;
    };
    if (fault != null) {
      yaml.problem(node, what + ": " + kind.word() + " needs the key " + fault);
    }
  }
}
