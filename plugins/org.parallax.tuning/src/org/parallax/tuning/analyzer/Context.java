package org.parallax.tuning.analyzer;

import java.util.Random;

/** What subjects share. */
interface Context {
  World world();

  PointPlan points();

  Requests requests();

  Random random();

  long intervalNs();

  /** Whether actions may be done, or else only advised. */
  boolean isActing();

  /** Whether nothing is to be done now, not even for processes that come. */
  boolean isPaused();

  /** An action of the subject has helped: others may help now. */
  void helped(Subject subject);

  /** Whether no other subject tries something in the processes of this one, and none of an earlier model is about to. */
  boolean isFree(Subject subject);

  /** The end of a rest of a subject within these times, or -1. */
  long restEnd(long firstNs, long lastNs);

  /** Other measure points are needed. */
  void pointsChanged();

  void decide(Decision decision);

  /** The number of an action that is about to be tried, from 1. */
  int nextAction();
}
