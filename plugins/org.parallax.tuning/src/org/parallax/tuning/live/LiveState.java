package org.parallax.tuning.live;

import java.util.List;
import org.parallax.tuning.analyzer.Condition;
import org.parallax.tuning.analyzer.Decision;

/**
 * A session of tuning at a moment.
 *
 * @param command the program
 * @param isActing whether actions are done, or else only advised
 * @param isPaused whether nothing is judged until it is resumed
 * @param isStopped whether it was told to tune no more
 * @param isEnded whether the program has ended
 * @param timeNs of the last line, since the start of the session
 * @param hosts the machines of the program, with their architectures
 * @param processes those that run, and the last of those that have ended
 * @param points measure points, also those that are off now
 * @param conditions of the models, as they were judged last
 * @param actions those that were advised or tried, the newest first
 * @param decisions the last ones, the newest first
 * @param decided how many there were
 */
public record LiveState(List<String> command, boolean isActing, boolean isPaused, boolean isStopped, boolean isEnded,
    long timeNs, List<String> hosts, List<ProcessState> processes, List<PointState> points, List<Condition> conditions,
    List<ActionState> actions, List<Decision> decisions, int decided) {
  /** @return what the analyzer does, in a word */
  public String mode() {
    return isEnded ? "ended" : isStopped ? "stopped" : isPaused ? "paused" : isActing ? "act" : "advise";
  }

  /** @return how many processes run */
  public long running() {
    return processes.stream().filter(ProcessState::isRunning).count();
  }

  /** @return how many actions have helped and were not undone */
  public long kept() {
    return actions.stream().filter(action -> action.state() == ActionState.State.KEPT).count();
  }

  /** @return the action of this number, or null */
  public ActionState action(int number) {
    return actions.stream().filter(action -> number > 0 && action.number() == number).findFirst().orElse(null);
  }
}
