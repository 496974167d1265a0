package org.parallax.trace;

/** How a process came to its end in the trace. */
public enum EndReason {
  /** It exited, as it told itself or who waited for it saw. */
  EXIT,
  /** It was replaced by another program. */
  EXEC,
  /** It went on, but had forbidden itself what recording takes (seccomp's strict mode). */
  SANDBOX,
  /** It went on when its recorder ended, which had attached to it. */
  DETACHED,
  /** A signal ended it, as who waited for it saw. */
  KILLED,
  /** The run has ended and the process left no end, and nobody saw it. */
  UNTOLD,
  /** No end is recorded and the run has not ended: it is live, or its recorder was killed. */
  RUNNING
}
