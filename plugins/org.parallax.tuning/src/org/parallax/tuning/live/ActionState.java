package org.parallax.tuning.live;

import java.util.Locale;
import org.parallax.tuning.analyzer.Standing;
import org.parallax.tuning.verify.Gain;

/**
 * An action that was advised or tried.
 *
 * @param number the number by which it can be undone; of advice its number as such, below 0
 * @param timeNs when it was advised or begun, since the start of the session
 * @param model the name of the model
 * @param subject the process or the run
 * @param change what is changed
 * @param reason why, with numbers
 * @param state how far it is
 * @param gain its measured effect, or null
 * @param outcome why it was kept, undone or given up; empty before
 * @param standing how it stands in the program now; null when it is on in no process and none gets it
 */
public record ActionState(int number, long timeNs, String model, String subject, String change, String reason, State state,
    Gain gain, String outcome, Standing standing) {
  /** How far an action is. */
  public enum State {
    ADVISED, TRYING, KEPT, UNDONE, GIVEN_UP, RESTORED;

    /** @return in words */
    public String shown() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** @return whether it is on and can be undone */
  public boolean canBeUndone() {
    return standing == Standing.ON;
  }

  /** @return in words how far it is, and how it stands */
  public String shown() {
    if (state == State.KEPT) {
      return standing == null ? "kept, ended" : standing == Standing.STAYS ? "kept, nothing undoes it" : state.shown();
    }
    return standing == Standing.BEING_UNDONE ? "being undone" : standing == Standing.STAYS ? "not undone" : state.shown();
  }

  ActionState with(State now, Gain measured, String why) {
    return new ActionState(number, timeNs, model, subject, change, reason, now, measured == null ? gain : measured, why,
        now == State.KEPT ? Standing.ON : Standing.BEING_UNDONE);
  }

  ActionState with(String why) {
    return new ActionState(number, timeNs, model, subject, change, reason, state, gain, why, standing);
  }

  ActionState with(Standing now) {
    return new ActionState(number, timeNs, model, subject, change, reason, state, gain, outcome, now);
  }
}
