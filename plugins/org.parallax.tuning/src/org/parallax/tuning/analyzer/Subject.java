package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.model.TuningModel.Each;
import org.parallax.tuning.verify.Gain;

/**
 * A model and what it judges: a process, or all of the run. It watches; when the condition has held in several
 * judgements in turn, it advises, or asks the program what it needs to know and tries the action; what a {@link Trial}
 * shows to help stays. What did not help is not tried again before the {@link Workload} changes or another model has
 * helped, and after each failure the condition must hold twice as long. When nothing helps, it rests: its measure points
 * are removed, for longer each time.
 */
final class Subject implements Trial.Host, Applied.Host {
  private static final int MOST_DOUBLINGS = 4;
  /** So long the models after this one wait for its first conclusion. */
  private static final long FIRST_NS = 10_000_000_000L;

  private final TuningModel model;
  private final Context context;
  private final List<TunedProcess> processes = new ArrayList<>();
  private final Map<String, Double> otherwise = new HashMap<>();
  private final Settled settled = new Settled();
  private final Applied applied = new Applied(this);
  private final Gathering gathering;
  private final Questions questions;
  private final Rest rest = new Rest();
  private final Set<String> troubles = new HashSet<>();
  private TunedProcess last;
  private String host;
  private Window pooled;
  private int steady;
  private int failures;
  private boolean isMore;
  private boolean isAsked;
  private Setting setting;
  private Trial trial;
  private Workload triedWorkload;
  /** Processes that came later and are asked what they have set before. */
  private final Set<TunedProcess> introduced = new HashSet<>();
  private String reason = "";
  private boolean hasConcluded;
  private long freshNs;
  private long waitsSinceNs = Long.MIN_VALUE;
  private long judgedNs = -1;
  private boolean isHeld;
  private boolean isTroubled;
  private Map<String, Object> judgedValues = Map.of();

  Subject(TuningModel model, Context context, long nowNs) {
    this.model = model;
    this.context = context;
    model.asks().forEach((state, ask) -> otherwise.put(state, ask.otherwise()));
    questions = new Questions(model, context.requests());
    gathering = new Gathering(wireName(model.after().point()), model.after().count(), model.isForSeveral(), context.intervalNs(),
        looked(), this::judge);
    gathering.restart(nowNs);
    freshNs = nowNs;
  }

  TuningModel model() {
    return model;
  }

  List<TunedProcess> processes() {
    return processes;
  }

  /** @return whether it asks, tries or undoes something */
  boolean isBusy() {
    return trial != null || questions.isOpen() || applied.isSwitching();
  }

  /** @return whether models after this one have to wait, because it may try something soon */
  boolean isComing(long nowNs) {
    long since = Math.max(waitsSinceNs, hasConcluded ? Long.MIN_VALUE : freshNs);
    return !context.isPaused() && since > nowNs - FIRST_NS;
  }

  /** @return the points that it needs now */
  List<MeasurePoint> needed() {
    return rest.isResting() || context.isPaused() ? List.of() : isMore ? model.allPoints() : model.points();
  }

  /** @return as decisions name it; what is known of a process may come after its start */
  String name() {
    if (model.each() == Each.HOST) {
      return host == null ? "" : "host " + host;
    }
    return model.isForRun() ? "the run" : last == null ? "" : last.name();
  }

  /** @return whether a process is to be judged together with those that it has */
  boolean hasPlaceFor(TunedProcess process) {
    return model.isForRun() || model.each() == Each.HOST && process.host().equals(host);
  }

  /** @return the processes that its formulas look at by themselves */
  private List<TunedProcess> looked() {
    return model.own().isEmpty() ? List.of() : processes;
  }

  void add(TunedProcess process, long nowNs) {
    processes.add(process);
    last = process;
    host = process.host();
    extend(nowNs);
    if (trial != null) {
      Setting tried = setting;
      introduce(process, nowNs, timeNs -> {
        if (setting == tried) {
          tried.add(process);
        }
      });
    }
  }

  /** Has what helped done also in processes that came later. */
  private void extend(long nowNs) {
    Setting kept = applied.last();
    if (kept == null || !mayAct()) {
      return;
    }
    for (TunedProcess process : List.copyOf(processes)) {
      if (!kept.isIn(process) && kept.change().isFor(process) && introduced.add(process)) {
        decide(nowNs, Kind.EXTEND, kept.change().shown(), "also in " + process.name() + ", which came later");
        introduce(process, nowNs, timeNs -> {
          introduced.remove(process);
          if (processes.contains(process) && mayAct()) {
            applied.extend(process, timeNs);
          }
        });
      }
    }
  }

  private boolean mayAct() {
    return context.isActing() && !context.isPaused();
  }

  private void introduce(TunedProcess process, long nowNs, LongConsumer then) {
    new Questions(model, context.requests()).ask(List.of(process), view(new Window(nowNs), List.of(process)), nowNs,
        text -> note(nowNs, text), then);
  }

  void remove(TunedProcess process, long nowNs) {
    processes.remove(process);
    introduced.remove(process);
    applied.ended(process);
    if (setting != null) {
      setting.ended(process);
    }
    if (processes.isEmpty() && (trial != null || questions.isOpen())) {
      decide(nowNs, Kind.GIVE_UP, setting == null ? "" : setting.change().shown(), "the process has ended");
      abandon();
    }
  }

  private View view(Window window, List<TunedProcess> of) {
    return new View(window, of, context.world(), context.points().wireNames(model), otherwise);
  }

  private View view(Window window) {
    return view(window, processes);
  }

  private Map<String, Object> values(View view) throws FormulaException {
    OwnValues.set(view, model.own());
    return model.evaluate(view);
  }

  @Override
  public void decide(long nowNs, Kind kind, String change, String why) {
    context.decide(new Decision(nowNs, kind, model.name(), name(), change, why, null));
  }

  /** Each text is told once. */
  private void note(long nowNs, String text) {
    if (troubles.add(text)) {
      decide(nowNs, Kind.NOTE, "", text);
    }
  }

  // --- Watching

  void measured(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    if (context.isPaused() || rest.isResting()) {
      return;
    }
    if (trial != null) {
      trial.measured(process, cells, fromNs, toNs);
    } else {
      gathering.measured(process, cells, fromNs, toNs);
    }
  }

  private void judge(Window window, long nowNs) {
    if (questions.isOpen()) {
      return;
    }
    try {
      View view = view(window);
      if (model.first() != null && !isMore && model.first().holds(view, Map.of())) {
        isMore = true;
        restart(nowNs);
        context.pointsChanged();
        return;
      }
      Map<String, Object> values = values(view);
      boolean holds = (model.first() == null || isMore) && model.when().holds(view, values);
      judgedNs = nowNs;
      isHeld = holds;
      judgedValues = values;
      isTroubled = false;
      if (holds) {
        held(window, nowNs);
      } else {
        notHeld(nowNs);
      }
    } catch (FormulaException e) {
      isTroubled = true;
      note(nowNs, "cannot be judged: " + e.getMessage());
      notHeld(nowNs);
    }
  }

  private void forget() {
    steady = 0;
    pooled = null;
    isAsked = false;
    waitsSinceNs = Long.MIN_VALUE;
  }

  /** Gathers and judges anew, without what came before. */
  private void restart(long nowNs) {
    gathering.restart(nowNs);
    forget();
  }

  private void notHeld(long nowNs) {
    forget();
    hasConcluded = true;
    if (rest.isDue() && applied.last() == null && !applied.isLeaving()) {
      decide(nowNs, Kind.REST, "", rest.begin(nowNs));
      isMore = false;
      context.pointsChanged();
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
    Window all = pooled;
    View view = view(all);
    Map<String, Object> values = values(view);
    if (!model.when().holds(view, values)) {
      notHeld(nowNs);
      return;
    }
    Change change = Change.of(model, view, values, process -> view(all, List.of(process)));
    Workload workload = workload(all);
    Setting kept = applied.last();
    if (settled.has(change, workload) || kept != null && kept.change().isLike(change)) {
      rest.nothingNew();
      notHeld(nowNs);
      return;
    }
    reason = model.reason().fill(view, values);
    if (!context.isActing()) {
      decide(nowNs, Kind.ADVISE, change.shown(), reason);
      settled.add(change, workload, false);
      notHeld(nowNs);
    } else if (applied.isSwitching() || !context.isFree(this)) {
      waitsSinceNs = nowNs;
    } else if (!model.asks().isEmpty() && !isAsked) {
      isAsked = true;
      questions.ask(processes, view, nowNs, text -> note(nowNs, text), this::answered);
    } else {
      attempt(change, workload, nowNs);
    }
  }

  /** Judges again with what is known now. */
  private void answered(long nowNs) {
    gathering.restart(nowNs);
    if (pooled != null) {
      try {
        propose(nowNs);
      } catch (FormulaException e) {
        notHeld(nowNs);
      }
    }
  }

  // --- Trying

  private void attempt(Change change, Workload workload, long nowNs) {
    triedWorkload = workload;
    setting = new Setting(change, context.requests(), processes);
    gathering.stop();
    decide(nowNs, Kind.TRY, change.shown(), reason);
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

  private String wireName(String point) {
    return context.points().wireNames(model).get(point);
  }

  @Override
  public Gathering gathering(Gathering.Full full) {
    return new Gathering(wireName(model.verification().after().point()), model.verification().after().count(),
        model.isForSeveral(), context.intervalNs(), looked(), full);
  }

  @Override
  public void ended(Gain gain, String givenUp, long nowNs) {
    Setting tried = setting;
    boolean helps = gain != null && gain.helps();
    settled.add(tried.change(), triedWorkload, !helps);
    abandon();
    hasConcluded = true;
    rest.reset(helps);
    gathering.restart(nowNs);
    failures = helps ? 0 : failures + 1;
    Kind kind = helps ? Kind.KEEP : givenUp == null ? Kind.UNDO : Kind.GIVE_UP;
    context.decide(new Decision(nowNs, kind, model.name(), name(), tried.change().shown(), givenUp == null ? effect(gain) : givenUp,
        gain));
    if (helps) {
      applied.keep(tried, nowNs);
      extend(nowNs);
      context.helped(this);
    } else {
      applied.takeOff(tried, nowNs);
    }
  }

  @Override
  public void switched(long timeNs) {
    if (trial == null) {
      gathering.restart(timeNs);
    }
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
    questions.cancel();
    forget();
  }

  // --- From outside

  /** Undoes what was done at once, when the condition for that holds. */
  void restoreIfNeeded(long nowNs) {
    if (model.restore() == null || setting == null && applied.last() == null) {
      return;
    }
    try {
      if (model.restore().holds(view(new Window(nowNs)), Map.of())) {
        undo(nowNs, Kind.RESTORE, "now " + model.restore() + " holds");
      }
    } catch (FormulaException e) {
      note(nowNs, "cannot tell whether to restore: " + e.getMessage());
    }
  }

  /** @return what it has switched on, the last first */
  private List<Setting> made() {
    List<Setting> made = new ArrayList<>(applied.kept());
    if (setting != null) {
      made.add(0, setting);
    }
    return made;
  }

  /** Undoes what it changed, also in a trial. */
  void undo(long nowNs, Kind kind, String why) {
    undo(nowNs, kind, why, made());
  }

  /**
   * Undoes an action, and what it has kept or tries since. The same is not proposed again before the workload changes.
   *
   * @return whether the action is one of this
   */
  boolean undo(long nowNs, int number) {
    List<Setting> made = made();
    for (int i = 0; i < made.size(); i++) {
      if (made.get(i).number() == number) {
        undo(nowNs, Kind.UNDO, "as you asked", made.subList(0, i + 1));
        return true;
      }
    }
    return false;
  }

  private void undo(long nowNs, Kind kind, String why, List<Setting> some) {
    Setting tried = setting;
    Workload workload = workload(pooled == null ? new Window(nowNs) : pooled);
    abandon();
    for (Setting each : some) {
      if (each == tried || each.isAnywhere()) {
        decide(nowNs, kind, each.change().shown(), why);
      }
      applied.takeOff(each, nowNs);
      // After a restore it may help again, when the circumstance has passed. What a person undoes is not done again.
      settled.remove(each.change());
      if (kind != Kind.RESTORE) {
        settled.add(each.change(), workload, false);
      }
    }
    rest.reset(false);
    gathering.restart(nowNs);
  }

  /** Ends what it asks or tries, and undoes the latter. */
  void stopTrying(long nowNs, String why) {
    Setting tried = setting;
    abandon();
    gathering.restart(nowNs);
    if (tried != null) {
      decide(nowNs, Kind.UNDO, tried.change().shown(), why);
      applied.takeOff(tried, nowNs);
    }
  }

  /** Goes on after a pause. */
  void resume(long nowNs) {
    restart(nowNs);
    extend(nowNs);
  }

  /** Nobody watches any more: what only its condition to restore keeps right is undone. */
  void leave(long nowNs) {
    if (model.restore() != null) {
      undo(nowNs, Kind.UNDO, "tuning ends, and nobody would undo it when " + model.restore() + " holds");
    }
  }

  /** @return whether something is being switched off */
  boolean isLeaving() {
    return applied.isLeaving();
  }

  /** The patience with the program is over. */
  void giveUpLeaving(long nowNs) {
    applied.leave(nowNs);
  }

  /** Proposes again what was settled, now that it may act. */
  void reconsider(long nowNs) {
    settled.clear();
    refresh(nowNs);
    extend(nowNs);
  }

  /** Another model has helped in some of its processes: what has failed may help now. */
  void retryAfter(Subject other, long nowNs) {
    if (settled.retryAfter(other.model().name())) {
      refresh(nowNs);
    }
  }

  private void refresh(long nowNs) {
    forget();
    hasConcluded = false;
    freshNs = nowNs;
    wake(nowNs);
  }

  /** Looks again, if it rests. */
  void wake(long nowNs) {
    if (rest.wake()) {
      gathering.restart(nowNs);
      context.pointsChanged();
    }
  }

  void tick(long nowNs) {
    if (rest.isOver(nowNs)) {
      wake(nowNs);
    }
    if (trial != null) {
      trial.tick(nowNs);
    }
    applied.tick(nowNs);
    if (questions.isLate(nowNs)) {
      decide(nowNs, Kind.NOTE, "", "the program did not answer in " + Questions.PATIENCE_NS / 1_000_000_000
          + " s; what is assumed otherwise holds");
      questions.giveUp(nowNs);
    }
  }

  /** @return what is known of its condition, and what follows from it now */
  Condition condition(long nowNs) {
    String state;
    if (trial != null) {
      state = "trying " + setting.change().shown();
    } else if (questions.isOpen()) {
      state = "asking the program";
    } else if (applied.isLeaving()) {
      state = "undoing";
    } else if (rest.isResting()) {
      state = "resting for " + rest.leftNs(nowNs) / 1_000_000_000 + " s";
    } else if (steady > 0) {
      state = "held " + steady + " of " + (model.steady() << Math.min(MOST_DOUBLINGS, failures)) + " times";
    } else {
      state = isTroubled ? "cannot be judged" : judgedNs < 0 ? "measuring" : "watching";
    }
    return new Condition(model.name(), name(), model.when().toString(), judgedNs, isHeld, judgedValues, state);
  }
}
