package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.json.Json;

/** A change in some processes, which is switched on and off. */
final class Setting {
  /** A request that is not taken in this time gives up: the program does not call the routine of the safe moment. */
  private static final long ANSWER_NS = 15_000_000_000L;

  /** Hears how a switch ends; exactly one of the two is called. */
  interface Listener {
    void settled(long timeNs);

    void failed(String why, long timeNs);
  }

  /** A process in which it is on. */
  private record Made(long id, Map<String, Object> statesBefore, Object valueBefore) {
  }

  private final Change change;
  private final Requests requests;
  private final List<TunedProcess> processes;
  private final Map<TunedProcess, Made> made = new LinkedHashMap<>();
  private final Map<Long, TunedProcess> open = new LinkedHashMap<>();
  private Listener listener;
  private boolean isOn;
  private int number;
  private long sinceNs;
  private long settledNs;
  private String failure;

  Setting(Change change, Requests requests, List<TunedProcess> processes) {
    this.change = change;
    this.requests = requests;
    this.processes = new ArrayList<>(processes);
  }

  Change change() {
    return change;
  }

  /** @return the number by which it can be undone, from 1 */
  int number() {
    return number;
  }

  void setNumber(int value) {
    number = value;
  }

  /** @return whether it is on, or about to be */
  boolean isOn() {
    return isOn;
  }

  boolean isEverMade() {
    return !made.isEmpty();
  }

  /** Switches it; one that is under way is forgotten. */
  void set(boolean on, long nowNs, Listener whenDone) {
    open.keySet().forEach(requests::forget);
    open.clear();
    isOn = on;
    sinceNs = nowNs;
    settledNs = nowNs;
    failure = null;
    listener = whenDone;
    for (TunedProcess process : List.copyOf(processes)) {
      ask(process, on);
    }
    settle();
  }

  private void ask(TunedProcess process, boolean on) {
    Made before = made.get(process);
    if (on == (before != null)) {
      return;
    }
    long id;
    if (on) {
      id = requests.ask(process, change.act(), line -> answered(process, line));
      Map<String, Object> states = new HashMap<>(process.states());
      made.put(process, new Made(id, states, process.value(change.tunable())));
    } else {
      id = requests.ask(process, change.undo(before.id()), line -> answered(process, line));
    }
    open.put(id, process);
  }

  private void answered(TunedProcess process, Map<?, ?> line) {
    open.remove(Json.whole(line, "id", -1));
    String state = Json.text(line, "state");
    settledNs = Math.max(settledNs, Json.whole(line, "time", settledNs));
    boolean isDone = state.equals("done") || state.equals("undone");
    if (!isDone) {
      String text = Json.text(line, "text");
      failure = state.equals("lost") ? "the request was lost" + (text.isEmpty() ? "" : ": " + text)
          : "refused: " + (text.isEmpty() ? "without a reason" : text);
    }
    if (isOn && isDone) {
      process.states().putAll(change.sets());
      process.setValue(change.tunable(), change.act().get("value"));
    } else if (isOn && state.equals("refused") || !isOn && isDone) {
      back(process);
    }
    settle();
  }

  private void back(TunedProcess process) {
    Made before = made.remove(process);
    if (before != null) {
      process.setValue(change.tunable(), before.valueBefore());
      for (String name : change.sets().keySet()) {
        if (before.statesBefore().containsKey(name)) {
          process.states().put(name, before.statesBefore().get(name));
        } else {
          process.states().remove(name);
        }
      }
    }
  }

  private void settle() {
    if (open.isEmpty() && listener != null) {
      Listener told = listener;
      listener = null;
      if (failure != null) {
        told.failed(failure, settledNs);
      } else {
        told.settled(settledNs);
      }
    }
  }

  /** A process has come that is to have it as the others. */
  void add(TunedProcess process, long nowNs) {
    processes.add(process);
    if (isOn) {
      sinceNs = nowNs;
      ask(process, true);
    }
  }

  /** A process has ended; nothing is to be waited for of it. */
  void ended(TunedProcess process) {
    processes.remove(process);
    made.remove(process);
    open.entrySet().removeIf(entry -> {
      if (entry.getValue() == process) {
        requests.forget(entry.getKey());
        return true;
      }
      return false;
    });
    settle();
  }

  /** Time has passed. */
  void tick(long nowNs) {
    if (!open.isEmpty() && nowNs - sinceNs > ANSWER_NS) {
      failure = "the request was not taken in " + ANSWER_NS / 1_000_000_000 + " s: the program did not reach "
          + change.act().get("at");
      open.keySet().forEach(requests::forget);
      open.clear();
      settle();
    }
  }
}
