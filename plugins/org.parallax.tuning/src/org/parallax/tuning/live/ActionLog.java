package org.parallax.tuning.live;

import java.util.ArrayList;
import java.util.List;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.live.ActionState.State;

/** The actions of a session, from its decisions: the n-th that is tried has the number n. */
final class ActionLog {
  private static final int MOST = 1000;

  private final List<ActionState> actions = new ArrayList<>();
  private int tried;
  private int advised;

  void add(Decision decision) {
    switch (decision.kind()) {
      case ADVISE -> begin(decision, -++advised, State.ADVISED);
      case TRY -> begin(decision, ++tried, State.TRYING);
      case KEEP -> end(decision, State.KEPT);
      case UNDO -> end(decision, State.UNDONE);
      case GIVE_UP -> end(decision, State.GIVEN_UP);
      case RESTORE -> end(decision, State.RESTORED);
      default -> {
        // It is no action's end.
      }
    }
  }

  private void begin(Decision decision, int number, State state) {
    actions.add(0, new ActionState(number, decision.timeNs(), decision.model(), decision.subject(), decision.change(),
        decision.reason(), state, null, ""));
    if (actions.size() > MOST) {
      actions.remove(MOST);
    }
  }

  private void end(Decision decision, State state) {
    for (int i = 0; i < actions.size(); i++) {
      ActionState action = actions.get(i);
      if (action.isOn() && action.model().equals(decision.model()) && action.change().equals(decision.change())
          && action.subject().equals(decision.subject())) {
        actions.set(i, action.with(state, decision.gain(), decision.reason()));
        return;
      }
    }
  }

  /** @return the newest first */
  List<ActionState> all() {
    return List.copyOf(actions);
  }
}
