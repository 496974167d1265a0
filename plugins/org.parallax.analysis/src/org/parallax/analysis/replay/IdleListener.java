package org.parallax.analysis.replay;

/**
 * Is told by the replay when threads did not execute: they waited for others, were idle before they
 * began what others had made, or, where CPU time counts, had no processor.
 */
public interface IdleListener {
  /**
   * A thread was idle. Intervals of a thread can overlap, and come by rising time but for those in
   * one call.
   *
   * @param thread index in the replay
   * @param toNs later than {@code fromNs}, or the same
   */
  void idle(int thread, long fromNs, long toNs);
}
