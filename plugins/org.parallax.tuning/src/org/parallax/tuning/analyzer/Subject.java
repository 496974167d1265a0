package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.formula.FormulaException;
import org.parallax.tuning.model.Action;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.verify.Gain;

/**
 * A model and what it judges: a process, those of a host, or all of the run. It watches ({@link Watch}), tries the action that
 * the watch proposes ({@link Trial}), and keeps what helps ({@link Applied}). What did not help is not tried again before the
 * {@link Workload} changes or another model has helped.
 */
final class Subject implements Watch.Host, Trial.Host, Applied.Host {
  private static final String ENDED = "the process has ended";

  private final TuningModel model;
  private final Context context;
  private final Scope scope;
  private final Watch watch;
  private final Applied applied = new Applied(this);
  private Setting setting;
  private Trial trial;
  private Workload triedWorkload;
  /** Processes that came later and are to get what has helped. */
  private final Set<TunedProcess> introduced = new HashSet<>();
  private final Introductions introductions;

  Subject(TuningModel model, Context context, long nowNs) {
    this.model = model;
    this.context = context;
    scope = new Scope(model, context);
    watch = new Watch(scope, this, nowNs);
    introductions = new Introductions(scope);
  }

  TuningModel model() {
    return model;
  }

  List<TunedProcess> processes() {
    return scope.processes();
  }

  /** @return whether a process is to be judged together with those that it has */
  boolean hasPlaceFor(TunedProcess process) {
    return scope.hasPlaceFor(process);
  }

  /** @return whether it tries an action */
  boolean isTrying() {
    return trial != null;
  }

  /** @return whether it asks, tries or undoes something */
  boolean isBusy() {
    return trial != null || watch.isAsking() || applied.isSwitching();
  }

  /** @return whether models after this one have to wait, because it may try something soon */
  boolean isComing(long nowNs) {
    return watch.isComing(nowNs);
  }

  /** @return when its rest ends, or -1 */
  long restsUntilNs() {
    return watch.restsUntilNs();
  }

  /** @return the points that it needs now */
  List<MeasurePoint> needed() {
    return watch.needed();
  }

  // --- Processes

  void add(TunedProcess process, long nowNs) {
    scope.add(process);
    extend(nowNs);
    watch.wake(nowNs);
    if (trial != null) {
      Setting tried = setting;
      introductions.ask(process, nowNs, timeNs -> {
        if (setting == tried && introductions.mayHave(process, timeNs)) {
          tried.add(process);
        }
      });
    }
  }

  /** Has what helped done also in processes that came later. */
  private void extend(long nowNs) {
    Setting kept = applied.last();
    if (kept == null || !scope.mayAct()) {
      return;
    }
    for (TunedProcess process : List.copyOf(scope.processes())) {
      if (!kept.isIn(process) && kept.change().isFor(process) && introduced.add(process)) {
        introductions.ask(process, nowNs, timeNs -> {
          if (!scope.processes().contains(process) || !introductions.mayHave(process, timeNs)) {
            return;
          }
          introduced.remove(process);
          if (applied.last() != kept) {  // it was undone, or another one helped
            extend(timeNs);
          } else if (scope.mayAct()) {
            decide(timeNs, Kind.EXTEND, kept, "also in " + process.name() + ", which came later");
            applied.extend(process, timeNs);
          }
        });
      }
    }
  }

  void remove(TunedProcess process, long nowNs) {
    scope.processes().remove(process);
    introduced.remove(process);
    introductions.ended(process);
    applied.ended(process);
    if (setting != null) {
      setting.ended(process);
    }
    if (scope.processes().isEmpty() && (trial != null || watch.isAsking())) {
      if (setting == null) {
        scope.decide(nowNs, Kind.GIVE_UP, "", ENDED);
      } else {
        decide(nowNs, Kind.GIVE_UP, setting, ENDED);
      }
      abandon();
      watch.restart(nowNs);
    }
  }

  void measured(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    if (context.isPaused() || watch.isResting()) {
      return;
    }
    if (trial != null) {
      trial.measured(process, cells, fromNs, toNs);
    } else {
      watch.measured(process, cells, fromNs, toNs);
    }
  }

  // --- For the watch

  /** A method of a collective holds for its sizes alone. Another value that was kept may be wrong in the next phase. */
  @Override
  public boolean mustWatch() {
    return applied.isSwitching() || applied.last() != null && model.action().kind() != Action.Kind.COLLECTIVE;
  }

  @Override
  public boolean isOn(Change change) {
    return applied.last() != null && applied.last().change().isLike(change);
  }

  @Override
  public boolean isFree() {
    return !applied.isSwitching() && context.isFree(this);
  }

  @Override
  public void attempt(Change change, Workload workload, String reason, long nowNs) {
    triedWorkload = workload;
    setting = new Setting(change, context.nextAction(), context.requests(), scope.processes());
    decide(nowNs, Kind.TRY, setting, reason);
    trial = new Trial(model.verification(), setting, this, context.random());
    trial.begin(nowNs);
  }

  // --- For the trial

  @Override
  public double metric(Window window) throws FormulaException {
    View view = scope.view(window);
    return model.verification().metric().number(view, scope.values(view));
  }

  @Override
  public Workload workload(Window window) {
    return scope.workload(window);
  }

  @Override
  public Gathering gathering(Gathering.Full full) {
    return scope.gathering(model.verification().after(), full);
  }

  @Override
  public void ended(Gain gain, String givenUp, long nowNs) {
    Setting tried = setting;
    boolean helps = gain != null && gain.helps();
    abandon();
    watch.tried(tried.change(), triedWorkload, gain, nowNs);
    scope.decide(nowNs, helps ? Kind.KEEP : givenUp == null ? Kind.UNDO : Kind.GIVE_UP, tried,
        givenUp == null ? model.verification().shown(gain) : givenUp, gain);
    if (helps) {
      if (model.restore() == null) {
        tried.stay();
      }
      applied.keep(tried, nowNs);
      extend(nowNs);
      context.helped(this);
    } else {
      applied.takeOff(tried, nowNs);
    }
  }

  private void abandon() {
    if (trial != null) {
      trial.abandon();
    }
    trial = null;
    setting = null;
  }

  // --- For what was applied

  @Override
  public void decide(long nowNs, Kind kind, Setting action, String why) {
    scope.decide(nowNs, kind, action, why, null);
  }

  @Override
  public void switched(long timeNs) {
    if (trial == null) {
      watch.regather(timeNs);
    }
  }

  // --- From outside

  /** Undoes what was done at once, when the condition for that holds. */
  void restoreIfNeeded(long nowNs) {
    if (model.restore() == null || made().isEmpty()) {
      return;
    }
    try {
      if (model.restore().holds(scope.view(new Window(nowNs)), Map.of())) {
        undo(nowNs, Kind.RESTORE, "now " + model.restore() + " holds");
      }
    } catch (FormulaException e) {
      scope.note(nowNs, "cannot tell whether to restore: " + e.getMessage());
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
    Workload workload = tried == null ? watch.workload(nowNs) : triedWorkload;
    abandon();
    for (Setting each : some) {
      if (!each.canBeUndone()) {
        decide(nowNs, each == tried ? Kind.GIVE_UP : Kind.NOTE, each, why + ", but nothing undoes it, so it stays");
        applied.stay(each);
      } else {
        decide(nowNs, kind, each, why);
        applied.takeOff(each, nowNs);
      }
      // After a restore it may help again, when the circumstance has passed. What a person undoes is not done again.
      watch.settled().remove(each.change());
      if (kind != Kind.RESTORE) {
        watch.settled().add(each.change(), workload, Settled.Why.UNDONE);
      }
    }
    watch.undone(nowNs);
  }

  /** Ends what it asks or tries, and undoes the latter. */
  void stopTrying(long nowNs, String why) {
    Setting tried = setting;
    abandon();
    watch.restart(nowNs);
    if (tried != null) {
      decide(nowNs, Kind.UNDO, tried, why);
      applied.takeOff(tried, nowNs);
    }
  }

  /** Goes on after a pause. */
  void resume(long nowNs) {
    watch.restart(nowNs);
    extend(nowNs);
  }

  /** Nobody watches any more: what only its condition to restore keeps right is undone. */
  void leave(long nowNs) {
    if (model.restore() != null) {
      undo(nowNs, Kind.UNDO, "tuning ends, and nobody would undo it when " + model.restore() + " holds");
    }
  }

  /** Adds how its actions stand, by their numbers. */
  void standings(Map<Integer, Standing> to) {
    applied.standings(to);
    if (setting != null) {
      to.put(setting.number(), setting.canBeUndone() ? Standing.ON : Standing.STAYS);
    }
  }

  /** @return whether something is being switched off */
  boolean isUndoing() {
    return applied.isUndoing();
  }

  /** The patience with the program is over. */
  void giveUpUndoing(long nowNs) {
    applied.giveUpUndoing(nowNs);
  }

  /** Proposes again what was advised, now that it may act. */
  void reconsider(long nowNs) {
    watch.settled().removeAdvised();
    watch.refresh(nowNs);
    extend(nowNs);
  }

  /** Another model has helped in some of its processes: what was measured before is old, and what has failed may help now. */
  void retryAfter(Subject other, long nowNs) {
    if (trial == null) {
      watch.restart(nowNs);
    }
    if (watch.settled().retryAfter(other.model().name())) {
      watch.refresh(nowNs);
    }
  }

  /** Looks again, if it rests. */
  void wake(long nowNs) {
    watch.wake(nowNs);
  }

  void tick(long nowNs) {
    watch.tick(nowNs);
    if (trial != null) {
      trial.tick(nowNs);
    }
    applied.tick(nowNs);
    introductions.tick(nowNs);
  }

  /** @return what is known of its condition, and what follows from it now */
  Condition condition(long nowNs) {
    return watch.condition(nowNs, trial != null ? "trying " + setting.change().shown() : applied.isUndoing() ? "undoing" : "");
  }
}
