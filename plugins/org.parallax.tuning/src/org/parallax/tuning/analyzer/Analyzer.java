package org.parallax.tuning.analyzer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;

/**
 * The analyzer of Morajko et al. 2003, section 2.4: it takes the lines of a monitor, evaluates tuning models for each
 * process or for the run, asks for the measure points that they need, decides, explains each decision, asks for actions
 * and verifies them.
 *
 * <p>Everything that it does follows from the lines that it takes and the seed, so a recorded session replays. Besides
 * the monitor's lines these are {@code tick}, with the time, and {@code user}, with a command: {@code act},
 * {@code advise}, {@code pause}, {@code resume}, {@code stop}, {@code undo}, {@code undo N} for the N-th action that was tried.
 * Not for several threads at once.
 */
public final class Analyzer {
  private final List<TuningModel> models;
  private final Consumer<Map<String, Object>> monitor;
  private final Consumer<Decision> decisions;
  private final List<Subject> subjects = new ArrayList<>();
  private final World world = new World();
  private final PointPlan points;
  private final Requests requests;
  private final Shared shared;
  private final Deque<Map<String, Object>> toSend = new ArrayDeque<>();
  private boolean isActing;
  private boolean isPaused;
  private boolean isStopped;
  private int tried;
  private boolean arePointsChanged;
  private boolean isEnded;
  private int status;
  private long nowNs;

  /**
   * @param models the models, those to be tried first in front
   * @param isActing whether actions are done, or else only advised
   * @param seed for the order of periods
   * @param intervalNs in which the monitor sends metrics
   * @param monitor takes lines for the monitor
   * @param decisions takes decisions as they are made
   */
  public Analyzer(List<TuningModel> models, boolean isActing, long seed, long intervalNs,
      Consumer<Map<String, Object>> monitor, Consumer<Decision> decisions) {
    this.models = List.copyOf(models);
    this.isActing = isActing;
    this.monitor = monitor;
    this.decisions = decisions;
    points = new PointPlan(models);
    requests = new Requests(toSend::add);
    shared = new Shared(new Random(seed), intervalNs);
    if (points.tooMany() > 0) {
      decide(Kind.NOTE, "", "the models need " + points.tooMany() + " measure points too many; those of the last ones are "
          + "left out");
    }
  }

  private final class Shared implements Context {
    private final Random random;
    private final long intervalNs;

    Shared(Random random, long intervalNs) {
      this.random = random;
      this.intervalNs = intervalNs;
    }

    @Override
    public World world() {
      return world;
    }

    @Override
    public PointPlan points() {
      return points;
    }

    @Override
    public Requests requests() {
      return requests;
    }

    @Override
    public Random random() {
      return random;
    }

    @Override
    public long intervalNs() {
      return intervalNs;
    }

    @Override
    public boolean isActing() {
      return isActing;
    }

    @Override
    public boolean isFree(Subject subject) {
      return subjects.stream().noneMatch(other -> other != subject && other.isBusy()
          && other.processes().stream().anyMatch(subject.processes()::contains));
    }

    @Override
    public void pointsChanged() {
      arePointsChanged = true;
    }

    @Override
    public void decide(Decision decision) {
      tried += decision.kind() == Kind.TRY ? 1 : 0;
      decisions.accept(decision);
    }

    @Override
    public int tried() {
      return tried;
    }
  }

  private void decide(Kind kind, String subject, String text) {
    decisions.accept(new Decision(nowNs, kind, "", subject, "", text, null));
  }

  /** Takes a line; lines for the monitor follow before it returns. */
  public void take(Map<String, Object> line) {
    nowNs = Math.max(nowNs, Json.whole(line, "time", nowNs));
    switch (Json.text(line, "type")) {
      case "hello" -> hello();
      case "host" -> host(line);
      case "process" -> process(line);
      case "metrics" -> metrics(line);
      case "tunables" -> tunables(line);
      case "action" -> requests.answered(line);
      case "problem" -> decide(Kind.NOTE, Json.text(line, "host"), Json.text(line, "text"));
      case "end" -> {
        isEnded = true;
        status = (int) Json.whole(line, "status", 0);
      }
      case "tick" -> List.copyOf(subjects).forEach(subject -> subject.tick(nowNs));
      case "user" -> user(Json.text(line, "command"));
      default -> decide(Kind.NOTE, "", "the monitor sent a line of an unknown type: " + Json.text(line, "type"));
    }
    tellPoints();
    while (!toSend.isEmpty()) {
      monitor.accept(toSend.poll());
    }
  }

  private void hello() {
    Map<String, Object> interval = new LinkedHashMap<>();
    interval.put("type", "interval");
    interval.put("ns", shared.intervalNs());
    toSend.add(interval);
  }

  private void host(Map<String, Object> line) {
    world.host(line);
    List.copyOf(subjects).forEach(subject -> {
      subject.restoreIfNeeded(nowNs);
      subject.wake(nowNs);
    });
  }

  private void process(Map<String, Object> line) {
    TunedProcess known = world.process(line);
    switch (Json.text(line, "event")) {
      case "started" -> {
        if (known != null) {
          leave(known);
        }
        TunedProcess process = world.start(line);
        process.told(line);
        join(process);
      }
      case "changed" -> {
        if (known != null) {
          known.told(line);
          join(known);
        }
      }
      case "ended" -> {
        if (known != null) {
          leave(known);
        }
      }
      default -> decide(Kind.NOTE, "", "the monitor told of an unknown event of a process: " + Json.text(line, "event"));
    }
  }

  /** Adds a process to the subjects of models that are for it and do not have it. */
  private void join(TunedProcess process) {
    if (isStopped) {
      return;
    }
    for (TuningModel model : models) {
      if (!model.isFor(process.library())) {
        continue;
      }
      List<Subject> own = subjects.stream().filter(subject -> subject.model() == model).toList();
      if (own.stream().anyMatch(subject -> subject.processes().contains(process))) {
        continue;
      }
      Subject subject;
      if (model.isForRun() && !own.isEmpty()) {
        subject = own.get(0);
      } else {
        subject = new Subject(model, shared, process.lastNs());
        subjects.add(subject);
      }
      subject.add(process, nowNs);
      arePointsChanged = true;
    }
  }

  private void leave(TunedProcess process) {
    world.end(process);
    for (Subject subject : List.copyOf(subjects)) {
      if (subject.processes().contains(process)) {
        subject.remove(process, nowNs);
        if (subject.processes().isEmpty() && !subject.model().isForRun()) {
          subjects.remove(subject);
        }
        arePointsChanged = true;
      }
    }
  }

  private void metrics(Map<String, Object> line) {
    TunedProcess process = world.process(line);
    if (process == null || !(line.get("points") instanceof List<?> cells)) {
      return;
    }
    long toNs = Json.whole(line, "time", nowNs);
    if (!isPaused) {
      for (Subject subject : List.copyOf(subjects)) {
        if (subject.processes().contains(process)) {
          subject.measured(cells, process.lastNs(), toNs);
        }
      }
    }
    process.setLastNs(toNs);
  }

  private void tunables(Map<String, Object> line) {
    TunedProcess process = world.process(line);
    if (process != null && line.get("variables") instanceof List<?> variables) {
      for (Object variable : variables) {
        if (variable instanceof Map<?, ?> map) {
          process.declares(map);
        }
      }
    }
  }

  private void user(String command) {
    if (isStopped && !command.startsWith("undo")) {
      decide(Kind.NOTE, "", "tuning was stopped; only undo is possible");
      return;
    }
    if (command.matches("undo \\d{1,9}")) {
      undo(Integer.parseInt(command.substring("undo ".length())));
      return;
    }
    switch (command) {
      case "act", "advise" -> {
        isActing = command.equals("act");
        if (isActing) {
          subjects.forEach(subject -> subject.reconsider(nowNs));
        }
      }
      case "pause", "resume" -> {
        isPaused = command.equals("pause");
        subjects.forEach(subject -> subject.pause(nowNs, isPaused));
        arePointsChanged = true;
      }
      case "stop" -> {
        isPaused = true;
        isStopped = true;
        subjects.forEach(subject -> subject.pause(nowNs, true));
        arePointsChanged = true;
        decide(Kind.NOTE, "", "tuning is stopped, as you asked; the program goes on, and what has helped stays");
      }
      case "undo" -> subjects.forEach(subject -> subject.undo(nowNs, Kind.UNDO, "as you asked"));
      default -> decide(Kind.NOTE, "", "unknown command: " + command);
    }
  }

  private void undo(int number) {
    if (List.copyOf(subjects).stream().noneMatch(subject -> subject.undo(nowNs, number))) {
      decide(Kind.NOTE, "", "there is no action " + number + " that could be undone");
    }
  }

  private void tellPoints() {
    if (!arePointsChanged) {
      return;
    }
    arePointsChanged = false;
    Map<String, TreeSet<Long>> needed = new TreeMap<>();
    for (Subject subject : subjects) {
      for (MeasurePoint point : isPaused ? List.<MeasurePoint>of() : subject.needed()) {
        TreeSet<Long> pids =
            needed.computeIfAbsent(points.wireNames(subject.model()).get(point.name()), none -> new TreeSet<>());
        subject.processes().forEach(process -> pids.add(process.pid()));
      }
    }
    Map<String, Object> line = points.line(needed, world.processes().size());
    if (line != null) {
      toSend.add(line);
    }
  }

  /** @return the condition of each model for each process, or the run, as it was judged last */
  public List<Condition> conditions() {
    return subjects.stream().map(subject -> subject.condition(nowNs)).toList();
  }

  /** @return whether the monitor has told the end of the program */
  public boolean isEnded() {
    return isEnded;
  }

  /** @return the exit status of the program, as the monitor told it at the end */
  public int status() {
    return status;
  }
}
