package org.parallax.tuning.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.parallax.analysis.text.NearNames;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.formula.Names;
import org.parallax.tuning.formula.Template;
import org.parallax.tuning.model.MeasurePoint.Key;
import org.parallax.tuning.model.TuningModel.Each;
import org.parallax.tuning.verify.BeforeAfter;
import org.parallax.tuning.verify.PairedTrial;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a tuning model from YAML; {@code docs/tuning.md} describes the keys. */
public final class ModelFile {
  private static final List<String> KEYS = List.of("name", "about", "for", "measure", "first", "more", "each", "after",
      "steady", "ask", "own", "let", "when", "act", "verify", "restore", "extend", "reason");
  private static final List<String> NEEDED = List.of("name", "about", "measure", "after", "when", "act", "verify", "reason");
  private static final Pattern VISITS = Pattern.compile("(\\d{1,9}) of (\\w+)");
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,2}(?:\\.\\d+)?) ?%");
  private static final String NAME = "[A-Za-z_]\\w*";
  /** A longer wait for a change helps no program that lasts minutes. */
  private static final int MAX_STEADY = 100;
  private static final int STEADY = 3;
  private static final int PAIRS = 8;

  private final YamlReader yaml;
  private final Map<String, Boolean> points = new LinkedHashMap<>();
  private final Set<String> values = new LinkedHashSet<>();
  private final Set<String> own = new LinkedHashSet<>();

  private ModelFile(String file) {
    yaml = new YamlReader(file);
  }

  /**
   * Reads a file.
   *
   * @throws ModelException with all errors of the file
   * @throws IOException when it cannot be read
   */
  public static TuningModel read(Path file) throws ModelException, IOException {
    return parse(file.toString(), Files.readString(file));
  }

  /**
   * Adds the models of files to others.
   *
   * @param base to which paths refer that are not absolute
   * @throws ModelException with all errors of all files, or when two models have one name
   */
  public static List<TuningModel> readAll(List<TuningModel> others, Path base, List<String> files) throws ModelException {
    List<TuningModel> models = new ArrayList<>(others);
    List<String> errors = new ArrayList<>();
    for (String file : files) {
      try {
        models.add(read(base.resolve(file)));
      } catch (ModelException e) {
        errors.add(e.getMessage());
      } catch (IOException e) {
        errors.add("cannot read the model " + file + ": "
            + (e instanceof NoSuchFileException ? "there is no such file" : e.getMessage()));
      }
    }
    if (!errors.isEmpty()) {
      throw new ModelException(String.join("\n", errors));
    }
    Set<String> names = new LinkedHashSet<>();
    for (TuningModel model : models) {
      if (!names.add(model.name())) {
        throw new ModelException("two models are called " + model.name() + "; rename one");
      }
    }
    return List.copyOf(models);
  }

  /**
   * Reads a text.
   *
   * @param file as errors name it
   * @throws ModelException with all errors
   */
  public static TuningModel parse(String file, String text) throws ModelException {
    ModelFile reader = new ModelFile(file);
    Node root = reader.yaml.compose(text);
    TuningModel model = root == null ? null : reader.model(root, text);
    if (!reader.yaml.problems().isEmpty()) {
      throw new ModelException(reader.yaml.problems());
    }
    return model;
  }

  private TuningModel model(Node root, String text) {
    Map<String, Node> keys = yaml.map(root, "the model", KEYS, NEEDED);
    String name = keys.containsKey("name") ? yaml.word(keys.get("name"), "name") : "";
    if (!name.isEmpty() && !name.matches("[\\w.-]{1,64}")) {
      yaml.problem(keys.get("name"), "name: expected letters, digits, - and _");
    }
    Map<String, Node> wanted = keys.containsKey("for")
        ? yaml.map(keys.get("for"), "for", List.of("library", "variable"), List.of()) : Map.of();
    String library = wanted.containsKey("library") ? yaml.word(wanted.get("library"), "library") : "";
    String variable = wanted.containsKey("variable") ? yaml.word(wanted.get("variable"), "variable") : "";
    List<MeasurePoint> always = measurePoints(keys.get("measure"), "measure");
    Map<String, Boolean> firstPoints = Map.copyOf(points);
    List<MeasurePoint> more = measurePoints(keys.get("more"), "more");
    if (keys.containsKey("more") != keys.containsKey("first")) {
      String there = keys.containsKey("more") ? "more" : "first";
      yaml.problem(keys.get(there), there + ": the keys first and more go together");
    }
    Formula first = !keys.containsKey("first") ? null
        : formula(keys.get("first"), "first", new Names(firstPoints, Set.of()));
    Map<String, TuningModel.Ask> asks = new ActionReader(yaml, this::expression, this::expression).asks(keys.get("ask"));
    Each each = keys.containsKey("each")
        ? Each.valueOf(yaml.choice(keys.get("each"), "each", List.of("process", "host", "run")).toUpperCase(Locale.ROOT))
        : Each.PROCESS;
    if (keys.containsKey("own") && each == Each.PROCESS) {
      yaml.problem(keys.get("own"), "own: only where several processes are judged together; add: each: host or: each: run");
    }
    Map<String, Formula> ownFormulas = formulas(keys.get("own"), "own", own);
    Map<String, Formula> let = formulas(keys.get("let"), "let", values);
    ActionReader.Acts acts = new ActionReader(yaml, this::ofProcess, this::expression).acts(keys.get("act"));
    return new TuningModel(name, keys.containsKey("about") ? yaml.word(keys.get("about"), "about") : "", library, variable,
        always, first, more, each, visits(keys.get("after"), "after"),
        keys.containsKey("steady") ? (int) yaml.whole(keys.get("steady"), "steady", 1, MAX_STEADY) : STEADY, asks,
        ownFormulas, let, formula(keys.get("when"), "when"), acts.action(), acts.undo(), acts.canUndo(), acts.sets(),
        verification(keys.get("verify"), acts.canUndo()), formula(keys.get("restore"), "restore"),
        formula(keys.get("extend"), "extend"), reason(keys.get("reason")), text);
  }

  private List<MeasurePoint> measurePoints(Node node, String what) {
    List<MeasurePoint> made = new ArrayList<>();
    for (Node element : node == null ? List.<Node>of() : yaml.list(node, what)) {
      Map<String, Node> keys = yaml.map(element, what, List.of("name", "routines", "key"), List.of("name", "routines"));
      if (!keys.containsKey("name") || !keys.containsKey("routines")) {
        continue;
      }
      String name = yaml.word(keys.get("name"), "name");
      Key key = keys.containsKey("key") ? Key.valueOf(
          yaml.choice(keys.get("key"), "key", List.of("none", "peer", "size")).toUpperCase(Locale.ROOT)) : Key.NONE;
      List<String> routines = yaml.list(keys.get("routines"), "routines").stream()
          .map(routine -> yaml.word(routine, "routines")).toList();
      if (!name.matches(NAME)) {
        yaml.problem(keys.get("name"), "name: expected a name of letters, digits and _");
      } else if (points.put(name, key == Key.SIZE) != null) {
        yaml.problem(keys.get("name"), "name: the measure point " + name + " is there twice");
      }
      made.add(new MeasurePoint(name, routines, key));
    }
    if (node != null && made.isEmpty()) {
      yaml.problem(node, what + ": expected measure points, as [{name: sent, routines: [pvm_send]}]");
    }
    return made;
  }

  /** Named formulas, whose names are added to others of their kind. */
  private Map<String, Formula> formulas(Node node, String what, Set<String> names) {
    Map<String, Formula> made = new LinkedHashMap<>();
    if (node != null) {
      yaml.map(node, what, null, List.of()).forEach((name, value) -> {
        if (!name.matches(NAME) || points.containsKey(name) || names != own && own.contains(name)) {
          yaml.problem(value, what + ": expected a name of letters, digits and _ that is no measure point"
              + (names == own ? "" : " and not in own") + ", not " + name);
        }
        // Those below may use it.
        made.put(name, names == own ? ofProcess(value, name) : formula(value, name));
        names.add(name);
      });
    }
    return made;
  }

  private Visits visits(Node node, String what) {
    if (node == null) {
      return null;
    }
    Matcher visits = VISITS.matcher(yaml.word(node, what));
    if (!visits.matches() || Long.parseLong(visits.group(1)) == 0) {
      yaml.problem(node, what + ": expected a number of visits, as: 50 of "
          + (points.isEmpty() ? "sent" : points.keySet().iterator().next()));
      return null;
    }
    if (!points.containsKey(visits.group(2))) {
      yaml.problem(node, visits.start(2), what + ": there is no measure point " + visits.group(2)
          + NearNames.hint(visits.group(2), points.keySet()));
    }
    return new Visits(Long.parseLong(visits.group(1)), visits.group(2));
  }

  private Verification verification(Node node, boolean canUndo) {
    if (node == null) {
      return null;
    }
    Map<String, Node> keys = yaml.map(node, "verify", List.of("metric", "better", "after", "by", "how", "pairs"),
        List.of("metric", "better", "after"));
    double by = 0;
    if (keys.containsKey("by")) {
      Matcher percent = PERCENT.matcher(yaml.word(keys.get("by"), "by"));
      if (percent.matches()) {
        by = Double.parseDouble(percent.group(1)) / 100;
      } else {
        yaml.problem(keys.get("by"), "by: expected a percentage below 100, as 2%");
      }
    }
    boolean isInterleaved = !keys.containsKey("how")
        || yaml.choice(keys.get("how"), "how", List.of("turns", "before-after")).equals("turns");
    if (isInterleaved && !canUndo) {
      yaml.problem(node, "verify: an action that cannot be undone cannot take turns; add: how: before-after");
    }
    int pairs = keys.containsKey("pairs") ? (int) yaml.whole(keys.get("pairs"), "pairs", PairedTrial.LEAST_PAIRS,
        PairedTrial.MOST_PAIRS) : PAIRS;
    if (!isInterleaved && keys.containsKey("pairs")) {
      yaml.problem(keys.get("pairs"), "pairs: only with \"how: turns\"; before-after has " + BeforeAfter.BEFORE + " periods before and "
          + BeforeAfter.AFTER + " after");
    }
    boolean isLower = !keys.containsKey("better") || yaml.choice(keys.get("better"), "better", List.of("lower", "higher"))
        .equals("lower");
    return new Verification(formula(keys.get("metric"), "metric"), isLower, visits(keys.get("after"), "after"), by,
        isInterleaved, pairs);
  }

  private Formula formula(Node node, String what) {
    return node == null ? null : formula(node, what, new Names(points, values, own));
  }

  /** A formula that is evaluated for each process by itself, if the model has such formulas. */
  private Formula ofProcess(Node node, String what) {
    Set<String> known = new LinkedHashSet<>(values);
    known.addAll(own);
    return formula(node, what, new Names(points, known, own));
  }

  private Formula expression(Node node, String what) {
    return formula(node, what);
  }

  private Formula formula(Node node, String what, Names names) {
    String text = yaml.word(node, what);
    try {
      return text.isEmpty() ? null : Formula.parse(text, names);
    } catch (FormulaException e) {
      yaml.problem(node, e.position(), what + ": " + e.getMessage());
      return null;
    }
  }

  private Template reason(Node node) {
    if (node == null) {
      return null;
    }
    try {
      return Template.parse(yaml.word(node, "reason"), new Names(points, values, own));
    } catch (FormulaException e) {
      yaml.problem(node, e.position(), "reason: " + e.getMessage());
      return null;
    }
  }
}
