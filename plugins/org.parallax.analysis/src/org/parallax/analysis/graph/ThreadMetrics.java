package org.parallax.analysis.graph;

import org.parallax.trace.EventCursor;

/** Counts and times of one thread; times in nanoseconds. */
public final class ThreadMetrics {
  static final ThreadMetrics NONE = new ThreadMetrics();

  public long elapsedNs;
  public long cpuNs;
  public long events;
  public long samples;
  public long messagesSent;
  public long bytesSent;
  public long messagesReceived;
  public long bytesReceived;
  public long collectives;
  public long collectiveBytesSent;
  public long collectiveBytesReceived;
  public long lockAcquisitions;
  public long contendedAcquisitions;
  public long messageWaitNs;
  public long collectiveWaitNs;
  public long lockWaitNs;
  public long conditionWaitNs;
  public long barrierWaitNs;
  public long joinWaitNs;
  public long semaphoreWaitNs;
  public long taskWaitNs;
  public long streamWaitNs;
  public long processWaitNs;
  public long semaphoreWaits;
  public long processesCreated;
  public long streamSends;
  public long streamBytesSent;
  public long streamReceives;
  public long streamBytesReceived;
  public long fileOperations;
  public long fileBytesRead;
  public long fileBytesWritten;
  public long voluntarySwitches;
  public long involuntarySwitches;
  public long minorFaults;
  public long majorFaults;

  /** @return the time spent waiting for other threads, of all kinds */
  public long waitNs() {
    return messageWaitNs + collectiveWaitNs + lockWaitNs + conditionWaitNs + barrierWaitNs
        + joinWaitNs + semaphoreWaitNs + taskWaitNs + streamWaitNs + processWaitNs;
  }

  /** Takes the counts since the thread began from an event that tells them, less those before. */
  void setCounters(EventCursor cursor, ThreadMetrics before) {
    voluntarySwitches = cursor.payload(0) - before.voluntarySwitches;
    involuntarySwitches = cursor.payload(1) - before.involuntarySwitches;
    minorFaults = cursor.payload(2) - before.minorFaults;
    majorFaults = cursor.payload(3) - before.majorFaults;
  }

  void addWait(ArcKind kind, long waitNs) {
    switch (kind) {
      case MESSAGE, RENDEZVOUS -> messageWaitNs += waitNs;
      case COLLECTIVE -> collectiveWaitNs += waitNs;
      case LOCK -> lockWaitNs += waitNs;
      case CONDITION -> conditionWaitNs += waitNs;
      case BARRIER -> barrierWaitNs += waitNs;
      case JOIN -> joinWaitNs += waitNs;
      case SEMAPHORE -> semaphoreWaitNs += waitNs;
      case TASK -> taskWaitNs += waitNs;
      case STREAM, ROOM -> streamWaitNs += waitNs;
      case PROCESS_END -> processWaitNs += waitNs;
      default -> throw new IllegalArgumentException(kind + " is not a wait");
    }
  }
}
