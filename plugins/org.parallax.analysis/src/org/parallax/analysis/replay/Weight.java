package org.parallax.analysis.replay;

/** What an arc of work weighs. */
public enum Weight {
  /** CPU time that the thread consumed. */
  CPU,
  /** Wall time that passed, whether the thread had a processor or not. */
  WALL
}
