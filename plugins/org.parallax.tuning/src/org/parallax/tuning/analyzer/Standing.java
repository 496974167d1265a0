package org.parallax.tuning.analyzer;

/** How an action that was tried stands in the program. */
public enum Standing {
  /** It is tried, or stays because it has helped. Processes that come later may get it. */
  ON,
  /** It is to be undone, and not all processes have done so. */
  BEING_UNDONE,
  /** It is on in a process, and nothing undoes it. */
  STAYS
}
