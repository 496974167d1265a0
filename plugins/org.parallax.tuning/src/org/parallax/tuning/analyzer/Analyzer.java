package org.parallax.tuning.analyzer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.TuningModel;

/**
 * The analyzer of Morajko et al. 2003, section 2.4: it takes the lines of a monitor, evaluates tuning models for each
 * process or for the run, asks for the measure points that they need, decides, explains each decision, asks for actions
 * and verifies them.
 *
 * <p>Everything that it does follows from the lines that it takes and the seed, so a recorded session replays. Besides
 * the monitor's lines these are {@code tick}, with the time, and {@code user}, with a command: {@code act},
 * {@code advise}, {@code pause}, {@code resume}, {@code stop}, {@code undo}, {@code undo N} for the N-th action that was
 * tried, and {@code leave} before nobody watches any more. Not for several threads at once.
 */
public final class Analyzer {
  /** So long the end of tuning waits for what is being undone. */
  private static final long LEAVE_NS = 5_000_000_000L;

  private final Consumer<Map<String, Object>> monitor;
  private final Consumer<Decision> decisions;
  private final World world = new World();
  private final Requests requests;
  private final Subjects subjects;
  private final long intervalNs;
  private final Deque<Map<String, Object>> toSend = new ArrayDeque<>();
  private boolean isActing;
  private boolean isPaused;
  private boolean isEnded;
  private int status;
  private long nowNs;
  private boolean isStopped;
  private int tried;
  private long leavesSinceNs = -1;
  private boolean isOver;

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
    this.intervalNs = intervalNs;
    this.isActing = isActing;
    this.monitor = monitor;
    this.decisions = decisions;
    requests = new Requests(toSend::add);
    PointPlan points = new PointPlan(models);
    subjects = new Subjects(models, world, points, new Shared(points, new Random(seed)));
    if (points.tooMany() > 0) {
      decide(Kind.NOTE, "", "the models need " + points.tooMany() + " measure points too many; those of the last ones are "
          + "left out");
    }
  }

  private final class Shared implements Context {
    private final PointPlan points;
    private final Random random;

    Shared(PointPlan points, Random random) {
      this.points = points;
      this.random = random;
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
    public boolean isPaused() {
      return isPaused;
    }

    @Override
    public boolean isFree(Subject subject) {
      return subjects.isFree(subject, nowNs);
    }

    @Override
    public void helped(Subject subject) {
      subjects.others(subject).forEach(other -> other.retryAfter(subject, nowNs));
    }

    @Override
    public long restEnd(long firstNs, long lastNs) {
      return subjects.restEnd(firstNs, lastNs);
    }

    @Override
    public void pointsChanged() {
      subjects.pointsChanged();
    }

    @Override
    public void decide(Decision decision) {
      decisions.accept(decision);
    }

    @Override
    public int nextAction() {
      return ++tried;
    }
  }

  private void decide(Kind kind, String subject, String text) {
    decisions.accept(new Decision(nowNs, kind, "", subject, 0, "", text, null));
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
      case "tick" -> subjects.all().forEach(subject -> subject.tick(nowNs));
      case "user" -> user(Json.text(line, "command"));
      default -> decide(Kind.NOTE, "", "the monitor sent a line of an unknown type: " + Json.text(line, "type"));
    }
    Map<String, Object> points = subjects.points(isPaused);
    if (points != null) {
      toSend.add(points);
    }
    finish();
    while (!toSend.isEmpty()) {
      monitor.accept(toSend.poll());
    }
  }

  private void hello() {
    Map<String, Object> interval = new LinkedHashMap<>();
    interval.put("type", "interval");
    interval.put("ns", intervalNs);
    toSend.add(interval);
  }

  private void host(Map<String, Object> line) {
    world.host(line);
    subjects.all().forEach(subject -> {
      subject.restoreIfNeeded(nowNs);
      subject.wake(nowNs);
    });
  }

  private void process(Map<String, Object> line) {
    TunedProcess known = world.process(line);
    switch (Json.text(line, "event")) {
      case "started" -> {
        if (known != null) {
          subjects.ended(known, nowNs);
        }
        TunedProcess process = world.start(line, nowNs);
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
          subjects.ended(known, nowNs);
        }
      }
      default -> decide(Kind.NOTE, "", "the monitor told of an unknown event of a process: " + Json.text(line, "event"));
    }
  }

  private void join(TunedProcess process) {
    if (!isStopped) {
      subjects.join(process, nowNs);
    }
  }

  private void metrics(Map<String, Object> line) {
    TunedProcess process = world.process(line);
    if (process == null || !(line.get("points") instanceof List<?> cells)) {
      return;
    }
    long toNs = Json.whole(line, "time", nowNs);
    for (Subject subject : subjects.of(process)) {
      subject.measured(process, cells, process.lastNs(), toNs);
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
      join(process);
    }
  }

  private void user(String command) {
    if (leavesSinceNs >= 0) {
      return;
    }
    if (isStopped && !command.startsWith("undo") && !command.equals("leave")) {
      decide(Kind.NOTE, "", "tuning was stopped; only undo is possible");
      return;
    }
    if (command.matches("undo \\d{1,9}")) {
      undo(Integer.parseInt(command.substring("undo ".length())));
      return;
    }
    switch (command) {
      case "act" -> {
        if (!isActing) {
          isActing = true;
          subjects.all().forEach(subject -> subject.reconsider(nowNs));
        }
      }
      case "advise" -> {
        isActing = false;
        subjects.all().forEach(subject -> subject.stopTrying(nowNs, "only advice is asked for now, and it was not verified"));
      }
      case "pause" -> pause("paused while it was tried");
      case "resume" -> {
        isPaused = false;
        subjects.all().forEach(subject -> subject.resume(nowNs));
        subjects.pointsChanged();
      }
      case "stop" -> {
        isStopped = true;
        pause("stopped while it was tried");
        decide(Kind.NOTE, "", "tuning is stopped, as you asked; the program goes on, and what has helped stays");
      }
      case "undo" -> subjects.all().forEach(subject -> subject.undo(nowNs, Kind.UNDO, "as you asked"));
      case "leave" -> {
        leavesSinceNs = nowNs;
        pause("tuning ends before its effect was verified");
        subjects.all().forEach(subject -> subject.leave(nowNs));
      }
      default -> decide(Kind.NOTE, "", "unknown command: " + command);
    }
  }

  private void pause(String why) {
    isPaused = true;
    subjects.all().forEach(subject -> subject.stopTrying(nowNs, why));
    subjects.pointsChanged();
  }

  private void undo(int number) {
    if (subjects.all().stream().noneMatch(subject -> subject.undo(nowNs, number))) {
      decide(Kind.NOTE, "", "there is no action " + number + " that could be undone");
    }
  }

  /** Tells the monitor that tuning is over, once what is being undone is or its time has passed. */
  private void finish() {
    if (leavesSinceNs < 0 || isOver) {
      return;
    }
    List<Subject> undoing = subjects.all().stream().filter(Subject::isUndoing).toList();
    if (undoing.isEmpty() || nowNs - leavesSinceNs > LEAVE_NS) {
      undoing.forEach(subject -> subject.giveUpUndoing(nowNs));
      isOver = true;
      toSend.add(Map.of("type", "stop"));
    }
  }

  /** @return the condition of each model for each process, or the run, as it was judged last */
  public List<Condition> conditions() {
    return subjects.all().stream().map(subject -> subject.condition(nowNs)).toList();
  }

  /** @return the actions that are on or being undone, by their numbers; the others are nowhere any more */
  public Map<Integer, Standing> standings() {
    Map<Integer, Standing> standings = new LinkedHashMap<>();
    subjects.all().forEach(subject -> subject.standings(standings));
    return standings;
  }

  /** @return whether the monitor has told the end of the program */
  public boolean isEnded() {
    return isEnded;
  }

  /** @return whether it has left, and nothing more is to be waited for */
  public boolean isOver() {
    return isOver;
  }

  /** @return the exit status of the program, as the monitor told it at the end */
  public int status() {
    return status;
  }
}
