package org.parallax.analysis.replay;

/** Kinds of arcs of the program activity graph (design, section 5). */
public enum ArcKind {
  /** Work of one thread; weighs the CPU time consumed, or wall time. */
  WORK("CPU"),
  /** What remains of a wait within the waiting thread once all it waited for was there. */
  WAIT("Local"),
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
  JOIN("Join"),
  /** A semaphore, from the post to the end of the wait that took it. */
  SEMAPHORE("Sem"),
  /** A word of memory, from the wake to the end of the wait. */
  FUTEX("Futex"),
  /** A signal between processes or threads, from its sending to the end of the wait for it. */
  SIGNAL("Signal"),
  /** An eventfd, from the write to the end of the read, or of the wait until it is ready. */
  EVENT("Event"),
  /** A message of a queue, from the begin of its sending to the end of the call that received it. */
  QUEUE("Queue"),
  /** The receipt that made room in a queue for a sender that was blocked. */
  QUEUE_ROOM("Queue room"),
  /** A lock of a file, from its release to the acquisition that had to wait. */
  FILE_LOCK("File lock"),
  /** A parallel region or task of OpenMP, from its creation to where a thread begins it. */
  TASK("Task"),
  /** The end of a task of OpenMP, to where a thread begins one that depends on it or has waited for it. */
  TASK_END("TaskEnd"),
  /** Bytes of a pipe or connection, from where they were sent to the end of the receiving call. */
  STREAM("Stream"),
  /** The reading that made room in a pipe or connection for a sender that was blocked. */
  ROOM("Room"),
  /** One-sided communication, from what made its target or origin ready to the end of the call that waited. */
  WINDOW("Win"),
  /** The start of a process, from its creation to its first event. */
  SPAWN("Spawn"),
  /** The start of the program that replaces another in a process. */
  EXEC("Exec"),
  /** The end of a process, to the end of the wait for it. */
  PROCESS_END("Wait");

  private final String label;

  ArcKind(String label) {
    this.label = label;
  }

  /** @return true for arcs to the first event of a thread: before them there is nothing */
  public boolean isBegin() {
    return this == FORK || this == SPAWN || this == EXEC;
  }

  /** @return the word before the colon in critical path profiles, as in the figures of IPS-2 */
  public String label() {
    return label;
  }
}
