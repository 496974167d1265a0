package org.parallax.analysis.replay;

import java.util.List;

/**
 * Is asked about each interaction that a replay follows, and can move the times of events so that
 * causes come before their effects. Of each thread it is asked in the order of the events. Threads are
 * given by their index in the replay.
 */
public interface TimeOrder {
  /** The replay begins. */
  void begin(List<ThreadRecord> threads);

  /**
   * An event of a thread is next.
   *
   * @param ns its time in the trace
   * @return the time with which the replay goes on; not before that of the thread's event before
   */
  default long timeNs(int thread, long ns) {
    return ns;
  }

  /**
   * A thread ends a call, or is at an event, that cannot have ended before something another thread did. It is the
   * event for which {@link #timeNs} was asked last.
   *
   * @param cause {@link Reference} of what the other thread did; of a group, of its last participant
   * @param causeNs when that was
   * @param endNs the end of the call
   * @return the end of the call, not before {@code endNs}
   */
  long met(int thread, ArcKind kind, long cause, long causeNs, long endNs);

  /** A thread takes part, from this time on, in a collective or barrier of so many. */
  default void contributed(int thread, long key, long number, int size, long ns) {
    // Of use where groups are kept.
  }

  /** A participant of the group ends its call, for which it needed others. */
  default void metGroup(long key, long number, long endNs) {
    // Of use where groups are kept.
  }

  /** A participant needs nothing more of the group; {@link #metGroup} may follow at once. */
  default void left(long key, long number, int size) {
    // Of use where groups are kept.
  }
}
