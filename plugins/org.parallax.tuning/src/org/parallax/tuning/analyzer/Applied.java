package org.parallax.tuning.analyzer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.analyzer.Decision.Kind;

/**
 * What a model has changed outside a trial: settings that have helped and stay, and those that are being switched off, until
 * all processes have answered.
 */
final class Applied {
  /** Hears of decisions, and when a switch is over. */
  interface Host {
    void decide(long nowNs, Kind kind, Setting setting, String why);

    void switched(long timeNs);
  }

  private final Host host;
  /** The last first. */
  private final Deque<Setting> kept = new ArrayDeque<>();
  private final List<Setting> undoing = new ArrayList<>();
  /** Those that were to be undone, and could not be. */
  private final List<Setting> stuck = new ArrayList<>();

  Applied(Host host) {
    this.host = host;
  }

  /** @return the setting that has helped last, or null */
  Setting last() {
    return kept.peek();
  }

  /** @return those that stay, the last first */
  List<Setting> kept() {
    return List.copyOf(kept);
  }

  /** @return whether something is being switched off */
  boolean isUndoing() {
    return !undoing.isEmpty();
  }

  /** @return whether something is being switched on or off */
  boolean isSwitching() {
    return isUndoing() || kept.stream().anyMatch(Setting::isSwitching);
  }

  /** A setting has helped: it is switched on, if it is not. */
  void keep(Setting setting, long nowNs) {
    kept.push(setting);
    if (!setting.isOn()) {
      setting.set(true, nowNs, heard(setting, nowNs));
    }
  }

  /** Switches it off wherever it is on or may get on. */
  void takeOff(Setting setting, long nowNs) {
    kept.remove(setting);
    if (setting.isAnywhere()) {
      undoing.add(setting);
      setting.set(false, nowNs, heard(setting, nowNs));
    }
  }

  /** Nothing undoes it: it is on as long as its processes run. */
  void stay(Setting setting) {
    if (!kept.contains(setting)) {
      stuck.add(setting);
    }
  }

  /** Switches what has helped last also on in a process that came later. */
  void extend(TunedProcess process, long nowNs) {
    Setting last = kept.peek();
    if (last != null && !last.isIn(process)) {
      last.extend(process, nowNs, heard(last, nowNs));
    }
  }

  private Setting.Listener heard(Setting setting, long nowNs) {
    return new Setting.Listener() {
      @Override
      public void settled(long timeNs) {
        undoing.remove(setting);
        host.switched(timeNs);
      }

      @Override
      public void failed(String why, long timeNs) {
        if (undoing.remove(setting) && setting.isAnywhere()) {
          stuck.add(setting);
        }
        if (!setting.isAnywhere()) {
          kept.remove(setting);
        }
        tell(why, timeNs);
      }

      @Override
      public void late(String why, long timeNs) {
        tell(why, timeNs);
      }

      private void tell(String why, long timeNs) {
        host.decide(Math.max(nowNs, timeNs), Kind.NOTE, setting,
            (setting.isOn() ? "could not be set: " : "could not be undone: ") + why);
      }
    };
  }

  /** A process has ended. */
  void ended(TunedProcess process) {
    kept.forEach(each -> each.ended(process));
    List.copyOf(undoing).forEach(each -> each.ended(process));
    stuck.forEach(each -> each.ended(process));
    stuck.removeIf(each -> !each.isAnywhere());
  }

  /** Time has passed. */
  void tick(long nowNs) {
    kept.forEach(each -> each.tick(nowNs));
    List.copyOf(undoing).forEach(each -> each.tick(nowNs));
  }

  /** Tuning ends: what is still being switched off will not be any more. */
  void giveUpUndoing(long nowNs) {
    undoing.forEach(each -> host.decide(nowNs, Kind.NOTE, each,
        "not undone before tuning ended: the program did not reach its safe moment, and does it when it gets there"));
    stuck.addAll(undoing);
    undoing.clear();
  }

  /** Adds how its actions stand, by their numbers. */
  void standings(Map<Integer, Standing> to) {
    kept.forEach(each -> to.put(each.number(), each.canBeUndone() ? Standing.ON : Standing.STAYS));
    undoing.forEach(each -> to.put(each.number(), Standing.BEING_UNDONE));
    stuck.forEach(each -> to.put(each.number(), Standing.STAYS));
  }
}
