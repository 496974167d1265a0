package org.parallax.analysis.timeline;

import java.util.OptionalLong;
import java.util.function.IntPredicate;
import org.parallax.analysis.waits.Interplay;
import org.parallax.analysis.waits.ThreadMail;
import org.parallax.trace.Progress;

/**
 * Finds the moments at which a thread comes into states, and sends and receives messages.
 *
 * <p>An occurrence of states is a stretch of time without a gap in which the thread is in one of them. Cost: O(log(time) *
 * steps) for states, O(messages) for messages. All methods can be called from any thread.
 */
public final class Occurrences {
  private final StateIndex index;
  private final Interplay interplay;
  private final int thread;
  private final long beginNs;
  private final long endNs;
  private final int states;
  private final int threads;
  private final Progress progress;

  /**
   * @param interplay null while it is not known
   * @param threads how many there are
   * @param states how many there are
   */
  Occurrences(StateIndex index, Interplay interplay, int thread, int threads, int states,
      Progress progress) {
    this.index = index;
    this.interplay = interplay;
    this.thread = thread;
    this.states = states;
    this.threads = threads;
    this.progress = progress;
    beginNs = index.steps() == 0 ? 0 : index.beginNs(0);
    endNs = index.steps() == 0 ? 0 : index.endNs(index.steps() - 1);
  }

  /** Whether a condition holds for the time from a moment on; once it holds, it does so for all later moments. */
  private interface Condition {
    boolean holds(long untilNs);
  }

  /**
   * The first begin of an occurrence after a moment.
   *
   * @return empty if there is none
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public OptionalLong next(IntPredicate wanted, long afterNs) {
    long from = Math.max(beginNs - 1, afterNs);
    if (from >= endNs) {
      return OptionalLong.empty();
    }
    long left = from;
    if (timeIn(wanted, from, from + 1) > 0) {
      // It is in an occurrence now: this one must end first.
      left = first(from, until -> timeIn(wanted, from, until) < until - from) - 1;
    }
    long begin = left;
    long end = first(begin, until -> timeIn(wanted, begin, until) > 0);
    return end > endNs ? OptionalLong.empty() : OptionalLong.of(end - 1);
  }

  /**
   * The last begin of an occurrence before a moment.
   *
   * @return empty if there is none
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public OptionalLong previous(IntPredicate wanted, long beforeNs) {
    long to = Math.min(endNs, beforeNs);
    if (to <= beginNs) {
      return OptionalLong.empty();
    }
    // Where the occurrence before ends, and then where it begins; times are counted back from there.
    long gap = first(-to, back -> timeIn(wanted, -back, to) > 0, -beginNs);
    if (gap > -beginNs) {
      return OptionalLong.empty();
    }
    long end = -gap + 1;
    long begin = first(-end, back -> timeIn(wanted, -back, end) < end + back, -beginNs);
    return OptionalLong.of(-begin + 1);
  }

  /** The first moment after one, at most one after the end, from which on a condition holds. */
  private long first(long fromNs, Condition condition) {
    return first(fromNs, condition, endNs);
  }

  private long first(long fromNs, Condition condition, long lastNs) {
    long low = fromNs;
    long step = 1;
    while (low + step < lastNs && !condition.holds(low + step)) {
      low += step;
      step *= 2;
      progress.check();
    }
    long high = Math.min(lastNs, low + step);
    if (high <= low || !condition.holds(high)) {
      return lastNs + 1;
    }
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (condition.holds(middle)) {
        high = middle;
      } else {
        low = middle;
      }
      progress.check();
    }
    return high;
  }

  private long timeIn(IntPredicate wanted, long fromNs, long toNs) {
    StateTimes times = new StateTimes(states);
    new StateReader(index, fromNs, true).addUntil(toNs, times);
    long sum = 0;
    for (int state : times.states()) {
      sum += wanted.test(state) ? times.ns(state) : 0;
    }
    return sum;
  }

  /**
   * The nearest moment at which the thread has sent or received a message.
   *
   * @param forward whether after the moment; else before it
   * @return empty if there is none, or if messages are not known yet
   */
  public OptionalLong message(long fromNs, boolean forward) {
    long best = forward ? Long.MAX_VALUE : Long.MIN_VALUE;
    boolean found = false;
    for (int to = 0; interplay != null && to < threads; to++) {
      ThreadMail mail = interplay.mail(to);
      progress.check();
      for (long i = 0; i < mail.count(); i++) {
        for (long at : new long[] {mail.sender(i) == thread ? mail.sentNs(i) : fromNs,
            to == thread ? mail.receivedNs(i) : fromNs}) {
          if (forward ? at > fromNs && at < best : at < fromNs && at > best) {
            best = at;
            found = true;
          }
        }
      }
    }
    return found ? OptionalLong.of(best) : OptionalLong.empty();
  }
}
