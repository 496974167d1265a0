package org.parallax.tuning.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.analyzer.Standing;
import org.parallax.tuning.live.ActionState.State;

/** The actions of a session, from its decisions and from how they stand in the program. */
final class ActionLog {
  private static final int MOST = 1000;

  private final List<ActionState> actions = new ArrayList<>();
  private int advised;

  void add(Decision decision) {
    switch (decision.kind()) {
      case ADVISE -> begin(decision, -++advised, State.ADVISED, null);
      case TRY -> begin(decision, decision.action(), State.TRYING, Standing.ON);
      case KEEP -> end(decision, State.KEPT);
      case UNDO -> end(decision, State.UNDONE);
      case GIVE_UP -> end(decision, State.GIVEN_UP);
      case RESTORE -> end(decision, State.RESTORED);
      case NOTE -> replace(decision.action(), action -> action.with(decision.reason()));
      default -> {
        // It is no action's end.
      }
    }
  }

  private void begin(Decision decision, int number, State state, Standing standing) {
    actions.add(0, new ActionState(number, decision.timeNs(), decision.model(), decision.subject(), decision.change(),
        decision.reason(), state, null, "", standing));
    if (actions.size() > MOST) {
      actions.remove(MOST);
    }
  }

  private void end(Decision decision, State state) {
    replace(decision.action(), action -> action.with(state, decision.gain(), decision.reason()));
  }

  /** Numbers of actions begin with 1. */
  private void replace(int number, UnaryOperator<ActionState> by) {
    for (int i = 0; i < actions.size() && number > 0; i++) {
      if (actions.get(i).number() == number) {
        actions.set(i, by.apply(actions.get(i)));
        return;
      }
    }
  }

  /**
   * Takes how actions stand in the program.
   *
   * @param standings by their numbers, of those that are on or being undone
   * @return whether one stands otherwise than before
   */
  boolean stand(Map<Integer, Standing> standings) {
    boolean isOther = false;
    for (int i = 0; i < actions.size(); i++) {
      ActionState action = actions.get(i);
      if (action.standing() != standings.get(action.number())) {
        actions.set(i, action.with(standings.get(action.number())));
        isOther = true;
      }
    }
    return isOther;
  }

  /** @return the newest first */
  List<ActionState> all() {
    return List.copyOf(actions);
  }
}
