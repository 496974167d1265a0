package org.parallax.tuning.analyzer;

import java.util.List;
import java.util.Map;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.verify.Gain;

/**
 * Judges the condition of a model. When it has held in several judgements in turn, an action is advised, or the program is
 * asked what the model needs to know and the action is proposed. After each failure the condition must hold twice as long.
 * When nothing is to be changed, it rests.
 */
final class Watch {
  private static final int MOST_DOUBLINGS = 4;
  /** So long the models after this one wait for its first conclusion. */
  private static final long FIRST_NS = 10_000_000_000L;
  /** But only so long for one without a visit of its point: the program may never make such calls. */
  private static final long FIRST_VISIT_NS = 1_000_000_000L;

  /** What it needs of its subject. */
  interface Host {
    /** Whether something is on that has to be watched, or is being switched off. */
    boolean mustWatch();

    /** Whether a change like this one is on. */
    boolean isOn(Change change);

    /** Whether an action may be tried here now. */
    boolean isFree();

    /** The action is to be tried. */
    void attempt(Change change, Workload workload, String reason, long nowNs);
  }

  private final Scope scope;
  private final Host host;
  private final TuningModel model;
  private final Context context;
  private final Settled settled = new Settled();
  private final Rest rest;
  private final Gathering gathering;
  private final Questions questions;
  /** The measurements of the judgements in which the condition has held. */
  private Window pooled;
  private int steady;
  private int failures;
  private boolean isMore;
  private boolean isAsked;
  private boolean hasConcluded;
  private long freshNs;
  private long waitsSinceNs = Long.MIN_VALUE;
  private long judgedNs = -1;
  private boolean isHeld;
  private boolean isTroubled;
  private Map<String, Object> judgedValues = Map.of();

  Watch(Scope scope, Host host, long nowNs) {
    this.scope = scope;
    this.host = host;
    this.model = scope.model();
    this.context = scope.context();
    rest = new Rest(nowNs);
    questions = new Questions(model, context.requests());
    gathering = scope.gathering(model.after(), this::judge);
    gathering.restart(nowNs);
    freshNs = nowNs;
  }

  boolean isAsking() {
    return questions.isOpen();
  }

  boolean isResting() {
    return rest.isResting();
  }

  /** @return when its rest ends, or -1 */
  long restsUntilNs() {
    return rest.untilNs();
  }

  /** @return whether models after this one have to wait, because it may try something soon */
  boolean isComing(long nowNs) {
    if (context.isPaused()) {
      return false;
    }
    boolean hasBegun = steady > 0 || gathering.hasVisits();
    return waitsSinceNs > nowNs - FIRST_NS || !hasConcluded && freshNs > nowNs - (hasBegun ? FIRST_NS : FIRST_VISIT_NS);
  }

  /** @return the points that it needs now */
  List<MeasurePoint> needed() {
    return rest.isResting() || context.isPaused() ? List.of() : isMore ? model.allPoints() : model.points();
  }

  /** @return the changes that are not to be proposed again for now */
  Settled settled() {
    return settled;
  }

  void measured(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    gathering.measured(process, cells, fromNs, toNs);
  }

  // --- Judging

  private void judge(Window window, long nowNs) {
    if (questions.isOpen()) {
      return;
    }
    try {
      View view = scope.view(window);
      if (model.first() != null && !isMore && model.first().holds(view, Map.of())) {
        isMore = true;
        restart(nowNs);
        context.pointsChanged();
        return;
      }
      Map<String, Object> values = scope.values(view);
      boolean holds = (model.first() == null || isMore) && model.when().holds(view, values);
      judgedNs = nowNs;
      isHeld = holds;
      judgedValues = values;
      isTroubled = false;
      if (holds && (rest.isLooking() || rest.isLong(nowNs, context.intervalNs())) && isKnown(window, view, values, nowNs)) {
        rest.nothingNew(1);
        notHeld(nowNs);
      } else if (holds) {
        held(window, nowNs);
      } else {
        notHeld(nowNs);
      }
    } catch (FormulaException e) {
      isTroubled = true;
      scope.note(nowNs, "cannot be judged: " + e.getMessage());
      notHeld(nowNs);
    }
  }

  private void forget() {
    steady = 0;
    pooled = null;
    isAsked = false;
    waitsSinceNs = Long.MIN_VALUE;
  }

  private void notHeld(long nowNs) {
    forget();
    hasConcluded = true;
    if (rest.isDue(nowNs, context.intervalNs()) && !host.mustWatch()) {
      rest(nowNs, rest.begin(nowNs, context::restEnd));
    }
  }

  private void rest(long nowNs, String why) {
    scope.decide(nowNs, Kind.REST, "", why);
    isMore = false;
    context.pointsChanged();
  }

  /** Rests without a judgement if its measure point gives none. */
  private void restIfIdle(long nowNs) {
    if (rest.isResting() || context.isPaused() || questions.isOpen() || host.mustWatch()) {
      return;
    }
    String why = gathering.idle(nowNs, rest.patienceNs(context.intervalNs()));
    if (why != null) {
      forget();
      hasConcluded = true;
      rest(nowNs, rest.begin(nowNs, context::restEnd, why));
    }
  }

  /** Whether the only change that a judgement would lead to is settled or on. */
  private boolean isKnown(Window window, View view, Map<String, Object> values, long nowNs) throws FormulaException {
    Change change = Change.of(model, view, values, process -> scope.view(window, List.of(process)));
    return settled.knows(change, scope.workload(window), nowNs) || host.isOn(change);
  }

  private void held(Window window, long nowNs) throws FormulaException {
    if (pooled == null) {
      pooled = window;
    } else {
      pooled.add(window);
    }
    if (++steady >= needed(failures)) {
      propose(nowNs);
    }
  }

  /** In how many judgements the condition must hold. */
  private int needed(int after) {
    return model.steady() << Math.min(MOST_DOUBLINGS, after);
  }

  private void propose(long nowNs) throws FormulaException {
    Window all = pooled;
    View view = scope.view(all);
    Map<String, Object> values = scope.values(view);
    if (!model.when().holds(view, values)) {
      notHeld(nowNs);
      return;
    }
    Change change = Change.of(model, view, values, process -> scope.view(all, List.of(process)));
    Workload workload = scope.workload(all);
    if (settled.has(change, workload, nowNs) || host.isOn(change)) {
      rest.nothingNew(steady);
      notHeld(nowNs);
      return;
    }
    String reason = model.reason().fill(view, values);
    if (!context.isActing()) {
      scope.decide(nowNs, Kind.ADVISE, change.shown(), reason);
      settled.add(change, workload, Settled.Why.ADVISED);
      notHeld(nowNs);
    } else if (!host.isFree()) {
      // What another one changes may change what helps here, so this is judged anew.
      forget();
      waitsSinceNs = nowNs;
    } else if (!model.asks().isEmpty() && !isAsked) {
      isAsked = true;
      questions.ask(scope.processes(), view, nowNs, text -> scope.note(nowNs, text), this::answered);
    } else {
      gathering.stop();
      host.attempt(change, workload, reason, nowNs);
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

  // --- From its subject

  /** @return the workload of what was judged last, as far as it is known */
  Workload workload(long nowNs) {
    return scope.workload(pooled == null ? new Window(nowNs) : pooled);
  }

  /** Gathers and judges anew, without what came before and without the answers to questions. */
  void restart(long nowNs) {
    questions.cancel();
    gathering.restart(nowNs);
    forget();
  }

  /** Gathers anew, as a setting was switched. */
  void regather(long nowNs) {
    gathering.restart(nowNs);
  }

  /** A trial is over, with what it shows; null if it was given up. */
  void tried(Change change, Workload workload, Gain gain, long nowNs) {
    boolean helps = gain != null && gain.helps();
    if (gain != null && !helps && gain.share() > model.verification().by()) {
      settled.addUndecided(change, workload, nowNs);
    } else {
      settled.add(change, workload, helps ? Settled.Why.HELPED : Settled.Why.FAILED);
    }
    hasConcluded = true;
    failures = helps ? 0 : failures + 1;
    rest.reset(helps, nowNs);
    restart(nowNs);
  }

  /** Something was undone from outside. */
  void undone(long nowNs) {
    rest.reset(false, nowNs);
    restart(nowNs);
  }

  /** Looks at everything as if it were new. */
  void refresh(long nowNs) {
    forget();
    hasConcluded = false;
    freshNs = nowNs;
    wake(nowNs);
  }

  /** Looks again, if it rests. */
  void wake(long nowNs) {
    if (rest.wake(nowNs)) {
      gathering.restart(nowNs);
      context.pointsChanged();
    }
  }

  void tick(long nowNs) {
    if (rest.isOver(nowNs)) {
      wake(nowNs);
    }
    restIfIdle(nowNs);
    if (questions.isLate(nowNs)) {
      scope.decide(nowNs, Kind.NOTE, "", "the program did not answer in " + Questions.PATIENCE_NS / 1_000_000_000
          + " s; what is assumed otherwise holds");
      questions.giveUp(nowNs);
    }
  }

  /** @param now what the subject does, in words; empty when it only watches. @return what is known of the condition */
  Condition condition(long nowNs, String now) {
    String state = now;
    if (now.isEmpty() && questions.isOpen()) {
      state = "asking the program";
    } else if (now.isEmpty() && rest.isResting()) {
      state = "resting for " + rest.leftNs(nowNs) / 1_000_000_000 + " s";
    } else if (now.isEmpty() && steady > 0) {
      state = "held " + steady + " of " + needed(failures) + " times";
    } else if (now.isEmpty()) {
      state = isTroubled ? "cannot be judged" : judgedNs < 0 ? "measuring" : "watching";
    }
    return new Condition(model.name(), scope.name(), model.when().toString(), judgedNs, isHeld, judgedValues, state);
  }
}
