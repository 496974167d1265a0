package org.parallax.trace;

/** How a process came to its end in the trace. */
public enum EndReason {
  /** It ended by {@code exit} or by returning from {@code main}. */
  EXIT,
  /** It was replaced by another program. */
  EXEC,
  /** It went on, but had forbidden itself what recording takes (seccomp's strict mode). */
  SANDBOX,
  /** The run has ended and the process left no end: it was killed or crashed. */
  KILLED,
  /** No end is recorded and the run has not ended: it is live, or its recorder was killed. */
  RUNNING
}
