package org.parallax.analysis.graph;

/** Counts and times of one thread; times in nanoseconds. */
public final class ThreadMetrics {
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

  /** @return the time spent waiting for other threads, of all kinds */
  public long waitNs() {
    return messageWaitNs + collectiveWaitNs + lockWaitNs + conditionWaitNs + barrierWaitNs
        + joinWaitNs;
  }

  void addWait(ArcKind kind, long waitNs) {
    switch (kind) {
      case MESSAGE, RENDEZVOUS -> messageWaitNs += waitNs;
      case COLLECTIVE -> collectiveWaitNs += waitNs;
      case LOCK -> lockWaitNs += waitNs;
      case CONDITION -> conditionWaitNs += waitNs;
      case BARRIER -> barrierWaitNs += waitNs;
      case JOIN -> joinWaitNs += waitNs;
      default -> throw new IllegalArgumentException(kind + " is not a wait");
    }
  }
}
