package org.parallax.tuning.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.parallax.analysis.text.NearNames;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads maps, lists and words of YAML with their places, and collects all errors. */
final class YamlReader {
  private static final int MAX_BYTES = 1 << 20;
  /** Those of models have a few; more would exhaust the stack. */
  private static final int MOST_DEPTH = 64;

  private final String file;
  private final List<ModelProblem> problems = new ArrayList<>();

  YamlReader(String file) {
    this.file = file;
  }

  /** @return the root, or null after a problem */
  Node compose(String text) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).setUseMarks(true).setCodePointLimit(MAX_BYTES)
          .setMaxAliasesForCollections(10).build();
      Optional<Node> root = isTooDeep(settings, text) ? Optional.empty() : new Compose(settings).composeString(text);
      if (root.isPresent()) {
        refuseCycles(root.get());
        return problems.isEmpty() ? root.get() : null;
      }
      if (!problems.isEmpty()) {
        return null;
      }
      problems.add(new ModelProblem(file, 1, 1, "the file is empty; expected a model, which begins with: name: NAME"));
    } catch (MarkedYamlEngineException e) {
      Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
      problems.add(new ModelProblem(file, mark == null ? 1 : mark.getLine() + 1, mark == null ? 1 : mark.getColumn() + 1,
          "this is no YAML: " + e.getProblem() + (e.getContext() == null ? "" : " (" + e.getContext() + ")")));
    } catch (YamlEngineException e) {
      problems.add(new ModelProblem(file, 1, 1, "this is no YAML: " + e.getMessage()));
    }
    return null;
  }

  /** The library composes by recursion, but parses without it. */
  private boolean isTooDeep(LoadSettings settings, String text) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
      if (depth > MOST_DEPTH) {
        Mark mark = event.getStartMark().orElseThrow();
        problems.add(new ModelProblem(file, mark.getLine() + 1, mark.getColumn() + 1,
            "lists and maps stand in each other, more than " + MOST_DEPTH + " deep"));
        return true;
      }
    }
    return false;
  }

  private void refuseCycles(Node root) {
    refuseCycles(root, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private void refuseCycles(Node node, Set<Node> above) {
    if (!above.add(node)) {
      problem(node, "an alias stands within its own anchor");
      return;
    }
    if (node instanceof SequenceNode list) {
      list.getValue().forEach(element -> refuseCycles(element, above));
    } else if (node instanceof MappingNode map) {
      map.getValue().forEach(tuple -> refuseCycles(tuple.getValueNode(), above));
    }
    above.remove(node);
  }

  void problem(Node node, String text) {
    problem(node, 0, text);
  }

  /** @param offset characters after the beginning of the value, which stands on one line */
  void problem(Node node, int offset, String text) {
    Mark mark = node.getStartMark().orElse(null);
    int quote = node instanceof ScalarNode scalar && (scalar.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED
        || scalar.getScalarStyle() == ScalarStyle.SINGLE_QUOTED) ? 1 : 0;
    boolean isOneLine = mark != null && node.getEndMark().map(end -> end.getLine() == mark.getLine()).orElse(false);
    int column = mark == null ? 1 : mark.getColumn() + 1 + (isOneLine && offset > 0 ? offset + quote : offset == 0 ? 0 : quote);
    problems.add(new ModelProblem(file, mark == null ? 1 : mark.getLine() + 1, column, text));
  }

  /** @return all problems, in the order of the file */
  List<ModelProblem> problems() {
    List<ModelProblem> sorted = new ArrayList<>(problems);
    sorted.sort(Comparator.comparingInt(ModelProblem::line).thenComparingInt(ModelProblem::column));
    return sorted;
  }

  /**
   * The values of a map by their keys; keys that are unknown or twice there are problems.
   *
   * @param what of what it is a map, for the messages
   * @param keys those that are allowed; null for any
   * @param needed those that must be there
   */
  Map<String, Node> map(Node node, String what, Collection<String> keys, Collection<String> needed) {
    Map<String, Node> values = new LinkedHashMap<>();
    if (!(node instanceof MappingNode map)) {
      problem(node, what + ": expected keys with values"
          + (needed.isEmpty() ? "" : ", as {" + String.join(": ..., ", needed) + ": ...}"));
      return values;
    }
    Map<String, Node> places = new HashMap<>();
    for (NodeTuple tuple : map.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : null;
      if (key == null || key.isEmpty()) {
        problem(tuple.getKeyNode(), what + ": expected a word as key");
      } else if (keys != null && !keys.contains(key)) {
        problem(tuple.getKeyNode(), what + ": unknown key " + key + NearNames.hint(key, keys));
      } else if (places.put(key, tuple.getKeyNode()) != null) {
        problem(tuple.getKeyNode(), what + ": the key " + key + " is there twice");
      } else {
        values.put(key, tuple.getValueNode());
      }
    }
    for (String key : needed) {
      if (!values.containsKey(key)) {
        problem(node, what + ": the key " + key + " is missing");
      }
    }
    return values;
  }

  /** @return the elements of a list; a single word counts as a list of one */
  List<Node> list(Node node, String what) {
    if (node instanceof SequenceNode list) {
      return list.getValue();
    }
    if (node instanceof ScalarNode) {
      return List.of(node);
    }
    problem(node, what + ": expected a list, as [a, b]");
    return List.of();
  }

  /** @return a word or sentence; empty after a problem */
  String word(Node node, String what) {
    if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
      return scalar.getValue();
    }
    problem(node, what + ": expected a text");
    return "";
  }

  /** @return one of these words; the first after a problem */
  String choice(Node node, String what, List<String> words) {
    String word = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (words.contains(word)) {
      return word;
    }
    problem(node, what + ": expected " + String.join(" or ", words) + (word.isEmpty() ? "" : ", not " + word));
    return words.get(0);
  }

  /** @return a whole number in a range; the least after a problem */
  long whole(Node node, String what, long least, long most) {
    String word = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (word.matches("-?\\d{1,18}")) {
      long number = Long.parseLong(word);
      if (number >= least && number <= most) {
        return number;
      }
    }
    problem(node, what + ": expected a whole number from " + least + " to " + most);
    return least;
  }
}
