package org.parallax.tuning.control;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.parallax.analysis.text.NearNames;
import org.parallax.analysis.text.Quantity;
import org.parallax.analysis.text.TextTable;
import org.parallax.tuning.analyzer.Standing;
import org.parallax.tuning.live.ActionState;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.LiveTables;
import org.parallax.tuning.session.LiveSession;

/** Carries out the commands of a person on a session, and tells what came of them. */
public final class Commands {
  /** The words that may be said. */
  public static final List<String> WORDS = List.of("act", "advise", "pause", "resume", "undo", "stop", "status");
  private static final String UNDO = "undo";
  private static final int MOST_ROWS = 50;
  private static final long PATIENCE_S = 10;
  /** So long a command waits until the program has undone an action. */
  private static final long UNDO_S = 5;
  private static final long POLL_MS = 5;

  private Commands() {
  }

  /**
   * Carries out a command. {@code undo} alone is for the last action that is on, {@code undo all} for all.
   *
   * @param line a word, after {@code undo} also a number
   * @return what came of it, in one or more lines
   * @throws ControlException when it cannot be carried out
   */
  public static String run(LiveSession session, String line) throws ControlException, InterruptedException {
    String[] words = line.strip().split("\\s+");
    if (!WORDS.contains(words[0])) {
      throw new ControlException("unknown command " + words[0] + NearNames.hint(words[0], WORDS));
    }
    if (words.length > (words[0].equals(UNDO) ? 2 : 1)) {
      throw new ControlException("too many words after " + words[0]);
    }
    switch (words[0]) {
      case "status":
        return status(session.state());
      case UNDO:
        return undo(session, words.length == 1 ? "" : words[1]);
      default:
        if (session.state().isStopped()) {
          throw new ControlException("tuning was stopped; only undo and status are possible");
        }
        give(session, words[0]);
        return LiveTables.summary(session.state());
    }
  }

  private static void give(LiveSession session, String command) throws ControlException, InterruptedException {
    try {
      if (!session.command(command).get(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new ControlException("the session has ended");
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new ControlException("the session does not answer; it may be busy, so try again");
    }
  }

  private static String undo(LiveSession session, String which) throws ControlException, InterruptedException {
    LiveState state = session.state();
    List<ActionState> on = state.actions().stream().filter(ActionState::canBeUndone).toList();
    if (on.isEmpty()) {
      throw new ControlException(state.actions().stream().anyMatch(action -> action.standing() != null)
          ? "no action that is on can be undone; see: status" : "no action is on, so there is nothing to undo");
    }
    if (which.equals("all")) {
      give(session, UNDO);
      await(session, on);
      return "undone: " + Quantity.of(on.size(), "action", "actions");
    }
    if (!which.isEmpty() && !which.matches("\\d{1,9}")) {
      throw new ControlException("undo takes the number of an action, or all, not " + which);
    }
    ActionState action = which.isEmpty() ? on.get(0) : state.action(Integer.parseInt(which));
    if (action == null || !action.canBeUndone()) {
      throw new ControlException("action " + which + (action == null ? " does not exist"
          : action.standing() == null ? " is not on (" + action.shown() + ")" : " cannot be undone (" + action.shown() + ")")
          + "; those that are on: "
          + String.join(", ", on.stream().map(each -> Integer.toString(each.number())).toList()));
    }
    give(session, UNDO + " " + action.number());
    await(session, List.of(action));
    return "undone: action " + action.number() + ", " + action.change();
  }

  /**
   * Waits until actions are undone.
   *
   * @throws ControlException when one is not: it may wait for its safe moment, its process may have ended, or nothing undoes it
   */
  private static void await(LiveSession session, List<ActionState> asked) throws ControlException, InterruptedException {
    long end = System.nanoTime() + UNDO_S * 1_000_000_000;
    LiveState state = session.state();
    while (!state.isEnded() && asked.stream().anyMatch(isBeingUndone(state)) && System.nanoTime() < end) {
      Thread.sleep(POLL_MS);
      state = session.state();
    }
    List<String> problems = problems(state, asked);
    if (!problems.isEmpty()) {
      throw new ControlException(String.join("; ", problems));
    }
  }

  private static Predicate<ActionState> isBeingUndone(LiveState state) {
    return asked -> state.action(asked.number()) != null
        && state.action(asked.number()).standing() == Standing.BEING_UNDONE;
  }

  private static List<String> problems(LiveState state, List<ActionState> asked) {
    List<String> problems = new ArrayList<>();
    for (ActionState each : asked) {
      ActionState now = state.action(each.number());
      if (now != null && now.standing() == Standing.BEING_UNDONE) {
        problems.add("action " + now.number() + " is being undone: the program did not reach its safe moment in " + UNDO_S
            + " s, and does it when it gets there");
      } else if (now != null && now.standing() == null && now.state() == ActionState.State.KEPT) {
        problems.add("action " + now.number() + " was not undone: its process has ended");
      } else if (now != null && now.standing() != null) {
        problems.add("action " + now.number() + " was not undone (" + now.shown() + ")"
            + (now.outcome().isEmpty() ? "" : ": " + now.outcome()));
      }
    }
    return problems;
  }

  private static String status(LiveState state) {
    return LiveTables.summary(state) + "\n\n" + TextTable.print(LiveTables.points(state), MOST_ROWS) + "\n"
        + TextTable.print(LiveTables.conditions(state), MOST_ROWS) + "\n"
        + TextTable.print(LiveTables.actions(state), MOST_ROWS);
  }
}
