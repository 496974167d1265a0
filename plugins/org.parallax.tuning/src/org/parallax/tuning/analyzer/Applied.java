package org.parallax.tuning.analyzer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.parallax.tuning.analyzer.Decision.Kind;

/**
 * What a model has changed outside a trial: settings that have helped and stay, and those that are being switched off, until
 * all processes have answered.
 */
final class Applied {
  /** Hears of decisions, and when a switch is over. */
  interface Host {
    void decide(long nowNs, Kind kind, String change, String why);

    void switched(long timeNs);
  }

  private final Host host;
  /** The last first. */
  private final Deque<Setting> kept = new ArrayDeque<>();
  private final List<Setting> leaving = new ArrayList<>();

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
  boolean isLeaving() {
    return !leaving.isEmpty();
  }

  /** @return whether something is being switched on or off */
  boolean isSwitching() {
    return isLeaving() || kept.stream().anyMatch(Setting::isSwitching);
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
      leaving.add(setting);
      setting.set(false, nowNs, heard(setting, nowNs));
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
        leaving.remove(setting);
        host.switched(timeNs);
      }

      @Override
      public void failed(String why, long timeNs) {
        leaving.remove(setting);
        tell(why, timeNs);
      }

      @Override
      public void late(String why, long timeNs) {
        tell(why, timeNs);
      }

      private void tell(String why, long timeNs) {
        host.decide(Math.max(nowNs, timeNs), Kind.NOTE, setting.change().shown(),
            (setting.isOn() ? "could not be set: " : "could not be undone: ") + why);
      }
    };
  }

  /** A process has ended. */
  void ended(TunedProcess process) {
    kept.forEach(each -> each.ended(process));
    List.copyOf(leaving).forEach(each -> each.ended(process));
  }

  /** Time has passed. */
  void tick(long nowNs) {
    kept.forEach(each -> each.tick(nowNs));
    List.copyOf(leaving).forEach(each -> each.tick(nowNs));
  }

  /** Tuning ends: what is still being switched off will not be any more. */
  void leave(long nowNs) {
    leaving.forEach(each -> host.decide(nowNs, Kind.NOTE, each.change().shown(),
        "could not be undone before tuning ended: the program did not reach its safe moment"));
    leaving.clear();
  }
}
