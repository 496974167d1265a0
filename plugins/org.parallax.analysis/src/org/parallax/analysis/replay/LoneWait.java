package org.parallax.analysis.replay;

/** What the innermost call of a thread waited for, if no recorded thread ends that wait. */
final class LoneWait {
  /** Null where nobody is told of waits. */
  private final WaitListener waits;
  private final OutsideWaits outside;
  private final ThreadRecord record;

  /** What the call waited for if nobody is found; or null. */
  private WaitState state;
  /** Whether an event of another thread ended a wait in the call. */
  private boolean hasCause;
  /** Whether the call transferred bytes of a file, or the like. */
  private boolean usesFile;
  /** Whether the call transferred bytes of a stream whose other end is not recorded, or found that it is closed. */
  private boolean usesOutside;
  /** Time of the call without a processor. */
  private long lostNs;

  /** @param waits is told; null for nobody */
  LoneWait(Replay replay, WaitListener waits, ThreadRecord record, int process) {
    this.waits = waits;
    this.record = record;
    outside = waits == null ? null : replay.outsideWaits(process);
  }

  /** A call begins. */
  void entered() {
    state = null;
    if (waits == null) {
      return;
    }
    hasCause = false;
    usesFile = false;
    usesOutside = false;
    lostNs = 0;
  }

  /** The call waited for what no recorded thread has brought about. */
  void isFor(WaitState state) {
    this.state = state;
  }

  /** An event of another thread ended a wait in the call. */
  void hasCause() {
    hasCause = true;
  }

  void usesFile() {
    usesFile = true;
  }

  void usesOutside() {
    usesOutside = true;
  }

  /** The thread had no processor for some time. */
  void lost(long ns) {
    lostNs += ns;
  }

  /** @return whether it is known what the call waited for */
  boolean isKnown() {
    return state != null;
  }

  /** @return true if it would be told when the call ends, could the call have waited */
  boolean isTold() {
    return waits != null && !hasCause;
  }

  /**
   * Tells the wait of the innermost call, which ends.
   *
   * @param waited whether the replay has accounted for a wait in it
   */
  void tell(OpenCalls calls, boolean waited, long nowNs) {
    WaitState told = state != null ? state
        : outside.contains(calls.path()) || usesOutside && 2 * lostNs > nowNs - calls.beginNs()
            ? WaitState.UNKNOWN_WAKER
        : calls.isPolled() && !waited && !usesFile ? WaitState.POLLING : null;
    if (told != null) {
      waits.waitedAlone(record, told, calls.path(), calls.beginNs(), nowNs);
    }
  }

  /** A call ends. */
  void left() {
    state = null;
  }
}
