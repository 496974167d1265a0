package org.parallax.analysis.graph;

/** Kinds of arcs of the program activity graph (design, section 5). */
public enum ArcKind {
  /** Work of one thread; weighs the CPU time consumed, or wall time. */
  WORK("CPU"),
  /** What remains of a wait within the waiting thread once all it waited for was there. */
  WAIT("Wait"),
  /** A message, from the posting of its send to the completion of its receive. */
  MESSAGE("Msg"),
  /** The readiness of a receiver that let a blocked sender go on. */
  RENDEZVOUS("Rendezvous"),
  /** A collective operation, from a participant that it waited for. */
  COLLECTIVE("Coll"),
  /** A barrier of threads, from a participant that it waited for. */
  BARRIER("Barrier"),
  /** The hand-over of a lock, from its release to an acquisition that had to wait. */
  LOCK("Lock"),
  /** A condition, from the signal to the end of the wait. */
  CONDITION("Cond"),
  /** The start of a thread, from its creation to its first event. */
  FORK("Fork"),
  /** The end of a thread, to the completion of a join. */
  JOIN("Join");

  private final String label;

  ArcKind(String label) {
    this.label = label;
  }

  /** @return the word before the colon in critical path profiles, as in the figures of IPS-2 */
  public String label() {
    return label;
  }
}
