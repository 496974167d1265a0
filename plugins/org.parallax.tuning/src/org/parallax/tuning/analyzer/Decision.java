package org.parallax.tuning.analyzer;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.parallax.tuning.verify.Gain;

/**
 * What the analyzer decided, and why.
 *
 * @param timeNs when, since the start of the session
 * @param kind what it is
 * @param model the name of the model, empty when it is of none
 * @param subject the process or the run
 * @param action the number of the action that was tried, from 1; 0 when it is of none
 * @param change what is changed, as "pvm_setopt(10, 180224)"; empty when nothing is
 * @param reason in words, with numbers
 * @param gain the verified effect, or null
 */
public record Decision(long timeNs, Kind kind, String model, String subject, int action, String change, String reason,
    Gain gain) {
  /** Kinds of decisions. */
  public enum Kind {
    /** An action would help, by the model; nothing is changed. */
    ADVISE,
    /** An action is tried. */
    TRY,
    /** The action has helped and stays. */
    KEEP,
    /** The action has not helped and is undone. */
    UNDO,
    /** The action cannot be done or verified. */
    GIVE_UP,
    /** A circumstance has changed, so an action is undone at once. */
    RESTORE,
    /** An action that helped is done in a process that came later. */
    EXTEND,
    /** Measure points are removed, because nothing helps. */
    REST,
    /** What the person should know. */
    NOTE
  }

  /** @return the fields, for a line of the recorded session */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("time", timeNs);
    map.put("kind", kind.name().toLowerCase(Locale.ROOT));
    map.put("model", model);
    map.put("subject", subject);
    if (action > 0) {
      map.put("action", action);
    }
    map.put("change", change);
    map.put("reason", reason);
    if (gain != null) {
      map.put("gain", gain.share());
      map.put("low", gain.low());
      map.put("high", gain.high());
      map.put("probability", gain.probability());
      map.put("helps", gain.helps());
    }
    return map;
  }

  /** @return a line for a person */
  public String shown() {
    String what = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return String.format(Locale.ROOT, "%8.2f s  %-7s  %s%s%s%s", timeNs / 1e9, what, model.isEmpty() ? "" : model + ", ",
        subject.isEmpty() ? "" : subject + ": ", change.isEmpty() ? "" : change + (reason.isEmpty() ? "" : ": "), reason);
  }
}
