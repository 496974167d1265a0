package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.tuning.json.Json;

/**
 * A change in some processes, which is switched on and off. A request that still waits when the setting is switched back
 * is taken back; if it is done by then, the opposite is asked for when its answer comes.
 */
final class Setting {
  /** After this time the process is told not to reach the routine of the safe moment. */
  private static final long ANSWER_NS = 15_000_000_000L;

  /** Hears how a switch ends: {@code settled} or {@code failed}, before that {@code late} if it takes long. */
  interface Listener {
    void settled(long timeNs);

    void failed(String why, long timeNs);

    /** Not all processes have answered in time; their answers may still come. */
    void late(String why, long timeNs);
  }

  /** The change in one process. */
  private final class Part {
    private final TunedProcess process;
    private boolean isDone;
    private long doneBy;
    private Map<String, Object> undo;
    private Map<String, Object> statesBefore = Map.of();
    private Object valueBefore;
    /** The request that is not answered, and to which side it switches. */
    private long open = -1;
    private boolean opensOn;
    private boolean isTakenBack;

    Part(TunedProcess process) {
      this.process = process;
    }

    void step() {
      if (open >= 0) {
        if (opensOn != isOn && !isTakenBack) {
          isTakenBack = true;
          requests.takeBack(process, open);
        }
      } else if (isDone && !isOn && !change.canUndo()) {
        failure = "nothing undoes it";
      } else if (isDone != isOn && change.isFor(process)) {
        opensOn = isOn;
        isTakenBack = false;
        if (isOn) {
          undo = change.undoOf(process);
          statesBefore = new HashMap<>(process.states());
          valueBefore = process.value(change.tunable());
        }
        open = requests.ask(process, isOn ? acting() : undoing(), this::answered);
      }
    }

    private Map<String, Object> acting() {
      Map<String, Object> fields = new LinkedHashMap<>(change.act(process));
      if (undo != null) {
        // For the monitor, if tuning ends before this is kept or undone.
        fields.put("undo", undo);
      }
      return fields;
    }

    private Map<String, Object> undoing() {
      Map<String, Object> fields = new LinkedHashMap<>(undo == null ? change.undo(doneBy) : undo);
      fields.put("undoes", doneBy);
      return fields;
    }

    /** It is on, and is not to be undone when tuning ends. */
    void keep() {
      if (isDone && stays) {
        requests.keep(process, doneBy);
      }
    }

    private void answered(Map<?, ?> line) {
      open = -1;
      String state = Json.text(line, "state");
      settledNs = Math.max(settledNs, Json.whole(line, "time", settledNs));
      if (state.equals("done") || state.equals("undone")) {
        isDone = opensOn;
        if (isDone) {
          doneBy = Json.whole(line, "id", -1);
          keep();
        }
        note();
        step();
      } else if (isTakenBack && state.equals("refused")) {
        step();
      } else {
        String text = Json.text(line, "text");
        failure = state.equals("lost") ? "the request was lost" + (text.isEmpty() ? "" : ": " + text)
            : "refused: " + (text.isEmpty() ? "without a reason" : text);
      }
      settle();
    }

    /** What is known of the process has changed. */
    private void note() {
      process.setValue(change.tunable(), isDone ? change.act(process).get("value") : valueBefore);
      change.sets().forEach((name, value) -> {
        if (isDone) {
          process.states().put(name, value);
        } else if (statesBefore.containsKey(name)) {
          process.states().put(name, statesBefore.get(name));
        } else {
          process.states().remove(name);
        }
      });
    }
  }

  private final Change change;
  private final int number;
  private final Requests requests;
  private final Map<TunedProcess, Part> parts = new LinkedHashMap<>();
  private Listener listener;
  private boolean isOn;
  private boolean stays;
  private boolean isLate;
  private long sinceNs;
  private long settledNs;
  private String failure;

  /** @param number by which it can be undone, from 1 */
  Setting(Change change, int number, Requests requests, List<TunedProcess> processes) {
    this.change = change;
    this.number = number;
    this.requests = requests;
    processes.forEach(process -> parts.put(process, new Part(process)));
  }

  Change change() {
    return change;
  }

  /** @return the number by which it can be undone, from 1 */
  int number() {
    return number;
  }

  /** @return whether it is on, or about to be */
  boolean isOn() {
    return isOn;
  }

  /** @return whether a process has not answered yet */
  boolean isSwitching() {
    return parts.values().stream().anyMatch(part -> part.open >= 0);
  }

  boolean isIn(TunedProcess process) {
    return parts.containsKey(process);
  }

  /** @return whether it is or may be on in a process */
  boolean isAnywhere() {
    return parts.values().stream().anyMatch(part -> part.isDone || part.open >= 0);
  }

  /** @return whether something undoes it, or it is on nowhere */
  boolean canBeUndone() {
    return change.canUndo() || parts.values().stream().noneMatch(part -> part.isDone);
  }

  /** It has helped: where it is on, also later, it is left on when tuning ends. */
  void stay() {
    stays = true;
    parts.values().forEach(Part::keep);
  }

  /** Switches it; who heard of the switch before hears nothing more. */
  void set(boolean on, long nowNs, Listener whenDone) {
    isOn = on;
    begin(parts.values(), nowNs, whenDone);
    settle();
  }

  private void begin(Collection<Part> some, long nowNs, Listener whenDone) {
    sinceNs = nowNs;
    settledNs = nowNs;
    isLate = false;
    failure = null;
    listener = whenDone;
    List.copyOf(some).forEach(Part::step);
  }

  private void settle() {
    if (listener != null && parts.values().stream().allMatch(part -> part.open < 0)) {
      Listener told = listener;
      listener = null;
      if (failure != null) {
        told.failed(failure, settledNs);
      } else {
        told.settled(settledNs);
      }
    }
  }

  /** A process has come that takes part in the switch that is under way, or in the next one. */
  void add(TunedProcess process) {
    Part part = new Part(process);
    parts.put(process, part);
    if (isOn) {
      part.step();
    }
  }

  /** A process has come that is to have it as the others, after these have settled. */
  void extend(TunedProcess process, long nowNs, Listener whenDone) {
    Part part = new Part(process);
    parts.put(process, part);
    begin(List.of(part), nowNs, whenDone);
  }

  /** A process has ended; nothing is to be waited for of it. */
  void ended(TunedProcess process) {
    Part part = parts.remove(process);
    if (part != null && part.open >= 0) {
      requests.forget(part.open);
    }
    settle();
  }

  /** Time has passed. */
  void tick(long nowNs) {
    if (listener != null && !isLate && nowNs - sinceNs > ANSWER_NS) {
      isLate = true;
      List<String> silent = new ArrayList<>();
      parts.values().stream().filter(part -> part.open >= 0).forEach(part -> silent.add(part.process.name()));
      listener.late("the request was not taken in " + ANSWER_NS / 1_000_000_000 + " s: " + silent.get(0)
          + (silent.size() > 1 ? " and " + (silent.size() - 1) + " more" : "") + " did not reach " + change.at(),
          nowNs);
    }
  }
}
