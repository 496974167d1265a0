package org.parallax.tuning.analyzer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.formula.Formula;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.formula.Measurements;
import org.parallax.tuning.json.Json;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.verify.Gain;

/**
 * A model and what it judges: a process, or all of the run. It watches; when the condition has held in several
 * judgements in turn, it advises, or asks the program what it needs to know and tries the action; what a {@link Trial}
 * shows to help stays. What did not help is not tried again before the {@link Workload} changes, and after each failure
 * the condition must hold twice as long. When nothing helps, it rests: its measure points are removed, for longer each
 * time.
 */
final class Subject implements Trial.Host {
  private static final int QUIET = 20;
  /** How many judgements it looks after a rest. */
  private static final int LOOK = 4;
  private static final long LEAST_REST_NS = 5_000_000_000L;
  private static final long MOST_REST_NS = 60_000_000_000L;
  private static final int MOST_DOUBLINGS = 4;
  private static final long ASK_NS = 15_000_000_000L;

  /** A change that is not to be proposed while the workload is this. */
  private record Settled(Change change, Workload workload) {
  }

  private final TuningModel model;
  private final Context context;
  private final List<TunedProcess> processes = new ArrayList<>();
  private final Map<String, Double> otherwise = new HashMap<>();
  private final List<Settled> settled = new ArrayList<>();
  private TunedProcess last;
  private Period period;
  private Window pooled;
  private long readyNs = -1;
  private int steady;
  private int quiet;
  private int failures;
  private long restNs = LEAST_REST_NS;
  private long restUntilNs = -1;
  private boolean isMore;
  private long askedNs = -1;
  private int answersToCome;
  private boolean isAsked;
  private Setting setting;
  private Trial trial;
  /** What has helped, the last first. */
  private final Deque<Setting> kept = new ArrayDeque<>();
  private String reason = "";
  private String trouble = "";
  private long judgedNs = -1;
  private boolean isHeld;
  private Map<String, Object> judgedValues = Map.of();

  Subject(TuningModel model, Context context, long nowNs) {
    this.model = model;
    this.context = context;
    model.asks().forEach((state, ask) -> otherwise.put(state, ask.otherwise()));
    period = new Period(nowNs);
  }

  TuningModel model() {
    return model;
  }

  List<TunedProcess> processes() {
    return processes;
  }

  boolean isBusy() {
    return trial != null || askedNs >= 0;
  }

  boolean isResting() {
    return restUntilNs >= 0;
  }

  /** @return the points that it needs now */
  List<MeasurePoint> needed() {
    return isResting() ? List.of() : isMore ? model.allPoints() : model.points();
  }

  /** What is known of a process may come after its start. */
  private String name() {
    return model.isForRun() ? "the run" : last == null ? "" : last.name();
  }

  void add(TunedProcess process, long nowNs) {
    processes.add(process);
    last = process;
    if (!kept.isEmpty()) {
      decide(nowNs, Kind.EXTEND, kept.peek().change().shown(), "also in " + process.name() + ", which came later", null);
      kept.peek().add(process, nowNs);
    }
    if (setting != null) {
      setting.add(process, nowNs);
    }
  }

  void remove(TunedProcess process, long nowNs) {
    processes.remove(process);
    made().forEach(each -> each.ended(process));
    if (processes.isEmpty() && isBusy()) {
      decide(nowNs, Kind.GIVE_UP, setting == null ? "" : setting.change().shown(), "the process has ended", null);
      abandon();
    }
  }

  /** @return what it has switched on, the last first */
  private List<Setting> made() {
    List<Setting> all = new ArrayList<>(kept);
    if (setting != null) {
      all.add(0, setting);
    }
    return all;
  }

  private View view(Window window) {
    return new View(window, processes, context.world(), context.points().wireNames(model), otherwise);
  }

  private Map<String, Object> values(Measurements measured) throws FormulaException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Formula> value : model.values().entrySet()) {
      values.put(value.getKey(), value.getValue().value(measured, values));
    }
    return values;
  }

  private void decide(long nowNs, Kind kind, String change, String why, Gain gain) {
    context.decide(new Decision(nowNs, kind, model.name(), name(), change, why, gain));
  }

  // --- Watching

  void measured(List<?> cells, long fromNs, long toNs) {
    if (isResting()) {
      return;
    }
    if (trial != null) {
      trial.measured(cells, fromNs, toNs);
      return;
    }
    if (readyNs >= 0 && toNs >= readyNs + intervalNs() / 2) {
      judge(toNs);
    }
    if (trial != null) {
      return;
    }
    period.add(cells, fromNs, toNs);
    if (readyNs < 0 && period.visits(wireName(model.after().point())) >= model.after().count()) {
      readyNs = toNs;
      if (!isOfSeveral()) {
        judge(toNs);
      }
    }
  }

  private void judge(long nowNs) {
    readyNs = -1;
    Window window = period.window();
    period = period.next();
    if (askedNs >= 0) {
      return;
    }
    try {
      View view = view(window);
      if (model.first() != null && !isMore && model.first().holds(view, Map.of())) {
        isMore = true;
        period = new Period(nowNs);
        forget();
        context.pointsChanged();
        return;
      }
      Map<String, Object> values = values(view);
      boolean holds = (model.first() == null || isMore) && model.when().holds(view, values);
      judgedNs = nowNs;
      isHeld = holds;
      judgedValues = values;
      trouble = "";
      if (holds) {
        held(window, nowNs);
      } else {
        notHeld(nowNs);
      }
    } catch (FormulaException e) {
      if (!trouble.equals(e.getMessage())) {
        trouble = e.getMessage();
        decide(nowNs, Kind.NOTE, "", "cannot be judged: " + trouble, null);
      }
      notHeld(nowNs);
    }
  }

  private void forget() {
    steady = 0;
    pooled = null;
    isAsked = false;
  }

  private void notHeld(long nowNs) {
    forget();
    if (++quiet >= QUIET && kept.isEmpty()) {
      rest(nowNs);
    }
  }

  private void held(Window window, long nowNs) throws FormulaException {
    if (pooled == null) {
      pooled = window;
    } else {
      pooled.add(window);
    }
    if (++steady >= model.steady() << Math.min(MOST_DOUBLINGS, failures)) {
      propose(nowNs);
    }
  }

  private void propose(long nowNs) throws FormulaException {
    View view = view(pooled);
    Map<String, Object> values = values(view);
    if (!model.when().holds(view, values)) {
      notHeld(nowNs);
      return;
    }
    Change change = Change.of(model, view, values);
    Workload workload = workload(pooled);
    settled.removeIf(one -> one.workload().differs(workload));
    if (settled.stream().anyMatch(one -> one.change().isLike(change))
        || !kept.isEmpty() && kept.peek().change().isLike(change)) {
      // After a rest, one look is enough to see that nothing is new.
      quiet = restNs > LEAST_REST_NS ? QUIET : quiet;
      notHeld(nowNs);
      return;
    }
    reason = model.reason().fill(view, values);
    if (!context.isActing()) {
      decide(nowNs, Kind.ADVISE, change.shown(), reason, null);
      settled.add(new Settled(change, workload));
      notHeld(nowNs);
    } else if (context.isFree(this)) {
      if (!model.asks().isEmpty() && !isAsked) {
        ask(nowNs);
      } else {
        attempt(change, nowNs);
      }
    }
  }

  private void rest(long nowNs) {
    restUntilNs = nowNs + restNs;
    decide(nowNs, Kind.REST, "", "nothing to change in " + quiet + " judgements; its measure points are removed for "
        + restNs / 1_000_000_000 + " s", null);
    restNs = Math.min(MOST_REST_NS, 2 * restNs);
    isMore = false;
    forget();
    context.pointsChanged();
  }

  // --- Asking

  private void ask(long nowNs) {
    isAsked = true;
    askedNs = nowNs;
    answersToCome = 0;
    for (TunedProcess process : List.copyOf(processes)) {
      for (Map.Entry<String, TuningModel.Ask> ask : model.asks().entrySet()) {
        try {
          Map<String, Object> fields = Change.fields(ask.getValue().call(), view(pooled), Map.of());
          answersToCome++;
          context.requests().ask(process, fields, line -> {
            if (Json.text(line, "state").equals("done") && line.get("result") instanceof Number result) {
              process.states().put(ask.getKey(), result.doubleValue());
            }
            answered(Json.whole(line, "time", nowNs));
          });
        } catch (FormulaException e) {
          decide(nowNs, Kind.NOTE, "", "cannot ask for " + ask.getKey() + ": " + e.getMessage(), null);
        }
      }
    }
  }

  private void answered(long nowNs) {
    if (--answersToCome == 0 && askedNs >= 0) {
      resume(nowNs);
    }
  }

  /** Judges again with what is known now. */
  private void resume(long nowNs) {
    askedNs = -1;
    period = period.next();
    if (pooled != null) {
      try {
        propose(nowNs);
      } catch (FormulaException e) {
        notHeld(nowNs);
      }
    }
  }

  // --- Trying

  private void attempt(Change change, long nowNs) {
    setting = new Setting(change, context.requests(), processes);
    decide(nowNs, Kind.TRY, change.shown(), reason, null);
    setting.setNumber(context.tried());
    trial = new Trial(model.verification(), setting, this, context.random());
    trial.begin(nowNs);
  }

  @Override
  public double metric(Window window) throws FormulaException {
    View view = view(window);
    return model.verification().metric().number(view, values(view));
  }

  @Override
  public Workload workload(Window window) {
    return new Workload(window, context.points().wireNames(model).values(), context.world());
  }

  @Override
  public String wireName(String point) {
    return context.points().wireNames(model).get(point);
  }

  @Override
  public boolean isOfSeveral() {
    return model.isForRun();
  }

  @Override
  public long intervalNs() {
    return context.intervalNs();
  }

  @Override
  public void ended(Gain gain, String givenUp, long nowNs) {
    Setting tried = setting;
    Workload workload = workload(pooled);
    trial.abandon();
    trial = null;
    setting = null;
    boolean helps = gain != null && gain.helps();
    settled.add(new Settled(tried.change(), workload));
    if (helps) {
      failures = 0;
      restNs = LEAST_REST_NS;
      kept.push(tried);
      decide(nowNs, Kind.KEEP, tried.change().shown(), effect(gain), gain);
    } else {
      failures++;
      decide(nowNs, givenUp == null ? Kind.UNDO : Kind.GIVE_UP, tried.change().shown(),
          givenUp == null ? effect(gain) : givenUp, gain);
    }
    forget();
    quiet = 0;
    period = new Period(nowNs);
    if (helps != tried.isOn() || !helps && tried.isEverMade()) {
      tried.set(helps, nowNs, told(tried, nowNs));
    }
  }

  /** What is heard when a setting is switched for the last time. */
  private Setting.Listener told(Setting of, long nowNs) {
    return new Setting.Listener() {
      @Override
      public void settled(long timeNs) {
        period = new Period(timeNs);
      }

      @Override
      public void failed(String why, long timeNs) {
        decide(Math.max(nowNs, timeNs), Kind.NOTE, of.change().shown(),
            (of.isOn() ? "could not be set at the end: " : "could not be undone: ") + why, null);
      }
    };
  }

  private String effect(Gain gain) {
    String metric = model.verification().metric().toString();
    String word = model.verification().isLowerBetter() ? " less" : " better";
    return metric + " is " + gain.shown() + word + " (" + gain.basis()
        + String.format(Locale.ROOT, ", p = %.4f)", gain.probability())
        + (gain.helps() ? "" : ", which is not beyond noise"
            + (model.verification().by() > 0 ? " and " + Math.round(1000 * model.verification().by()) / 10.0 + " %" : ""));
  }

  private void abandon() {
    if (trial != null) {
      trial.abandon();
    }
    trial = null;
    setting = null;
    askedNs = -1;
    forget();
  }

  // --- From outside

  /** Undoes what was done at once, when the condition for that holds. */
  void restoreIfNeeded(long nowNs) {
    if (model.restore() == null || made().isEmpty()) {
      return;
    }
    try {
      View view = view(new Window(nowNs));
      if (model.restore().holds(view, Map.of())) {
        undo(nowNs, Kind.RESTORE, "now " + model.restore() + " holds");
      }
    } catch (FormulaException e) {
      decide(nowNs, Kind.NOTE, "", "cannot tell whether to restore: " + e.getMessage(), null);
    }
  }

  /** Undoes what it changed, also in a trial. */
  void undo(long nowNs, Kind kind, String why) {
    for (Setting each : made()) {
      if (each.isEverMade()) {
        decide(nowNs, kind, each.change().shown(), why, null);
        each.set(false, nowNs, told(each, nowNs));
        if (kind == Kind.RESTORE) {
          // It may help again when the circumstance has passed.
          settled.removeIf(one -> one.change().isLike(each.change()));
        }
      }
    }
    abandon();
    kept.clear();
    quiet = 0;
    period = new Period(nowNs);
  }

  /** Ends what it is about to try, and takes no notice until it is resumed. */
  void pause(long nowNs, boolean paused) {
    if (paused && setting != null) {
      Setting tried = setting;
      decide(nowNs, Kind.UNDO, tried.change().shown(), "paused while it was tried", null);
      abandon();
      tried.set(false, nowNs, told(tried, nowNs));
    }
    period = new Period(nowNs);
    forget();
  }

  /** Proposes again what was settled. */
  void reconsider(long nowNs) {
    settled.clear();
    forget();
    wake(nowNs);
  }

  /** Looks again, if it rests. */
  void wake(long nowNs) {
    if (isResting()) {
      restUntilNs = -1;
      quiet = QUIET - LOOK;
      readyNs = -1;
      period = new Period(nowNs);
      context.pointsChanged();
    }
  }

  void tick(long nowNs) {
    if (isResting() && nowNs >= restUntilNs) {
      wake(nowNs);
    }
    if (trial != null) {
      trial.tick(nowNs);
    }
    kept.forEach(each -> each.tick(nowNs));
    if (askedNs >= 0 && nowNs - askedNs > ASK_NS) {
      decide(nowNs, Kind.NOTE, "", "the program did not answer in " + ASK_NS / 1_000_000_000
          + " s; what is assumed otherwise holds", null);
      resume(nowNs);
    }
  }

  /**
   * Undoes an action, and what it has kept or tries since. The same is not proposed again before the workload changes.
   *
   * @return whether the action is one of this
   */
  boolean undo(long nowNs, int number) {
    List<Setting> made = made();
    int last = -1;
    for (int i = 0; i < made.size(); i++) {
      last = made.get(i).number() == number ? i : last;
    }
    if (last < 0) {
      return false;
    }
    Workload workload = pooled == null ? null : workload(pooled);
    abandon();
    for (Setting each : List.copyOf(made.subList(0, last + 1))) {
      kept.remove(each);
      if (workload != null) {
        settled.add(new Settled(each.change(), workload));
      }
      decide(nowNs, Kind.UNDO, each.change().shown(), "as you asked", null);
      each.set(false, nowNs, told(each, nowNs));
    }
    quiet = 0;
    period = new Period(nowNs);
    return true;
  }

  /** @return what is known of its condition, and what follows from it now */
  Condition condition(long nowNs) {
    String state;
    if (trial != null) {
      state = "trying " + setting.change().shown();
    } else if (askedNs >= 0) {
      state = "asking the program";
    } else if (isResting()) {
      state = "resting for " + Math.max(0, (restUntilNs - nowNs) / 1_000_000_000) + " s";
    } else if (steady > 0) {
      state = "held " + steady + " of " + (model.steady() << Math.min(MOST_DOUBLINGS, failures)) + " times";
    } else {
      state = judgedNs < 0 ? "measuring" : trouble.isEmpty() ? "watching" : "cannot be judged";
    }
    return new Condition(model.name(), name(), model.when().toString(), judgedNs, isHeld, judgedValues, state);
  }
}
