package org.parallax.analysis.replay;

/** The latest of what a call needed, with which its waiting ended; and the times at which it changed cause. */
final class LatestNeed {
  private final ThreadRecord record;
  private final Window window;
  private final Needs needs;

  private long ns;
  private ArcKind kind;
  private int need;
  private long cause;
  // Of the condition that was waited for, before its lock.
  private long signalNs;
  private int signalNeed;
  private long signalCause;
  /** When the first part of the wait for the next need ended, and of that for the latest one. */
  private long nextPartNs;
  private long partNs;
  private long nextPartCause;
  private long partCause;

  LatestNeed(ThreadRecord record, Window window, Needs needs) {
    this.record = record;
    this.window = window;
    this.needs = needs;
  }

  /** Nothing that the call needs is known so far. */
  void begin(long beginNs) {
    nextPartNs = ns = beginNs;
    kind = null;
    signalNs = ns;
  }

  /** The first part of the wait for the next need ended, and who ended it. */
  void endPart(long ns, long cause) {
    nextPartNs = ns;
    nextPartCause = cause;
  }

  /** The condition that the call waited for was signalled; its lock may have come later. */
  void signal(int need, Exchange.Values values, long nowNs) {
    signalNs = Math.min(values.timeNs, nowNs);
    signalNeed = need;
    signalCause = values.reference;
  }

  void set(int need, ArcKind kind, Exchange.Values values, long nowNs) {
    ns = Math.min(values.timeNs, nowNs);
    this.kind = kind;
    this.need = need;
    partNs = nextPartNs;
    partCause = nextPartCause;
    cause = needs.cause(need, values);
  }

  /** @return when it was there; the begin of the wait where {@link #kind} is null */
  long ns() {
    return ns;
  }

  /** @return null where all was there before the call needed it */
  ArcKind kind() {
    return kind;
  }

  /** Whoever signals with the lock held lets the thread wait on for that; until then it was the signal. */
  private boolean isSignalBefore(long beginNs) {
    return kind == ArcKind.LOCK && signalNs > beginNs;
  }

  /** Adds the wait, which began then, to the metrics of the thread. */
  void addWait(long beginNs) {
    long from = beginNs;
    if (isSignalBefore(from)) {
      addWait(ArcKind.CONDITION, from, signalNs);
      from = signalNs;
    }
    addWait(kind, from, ns);
  }

  private void addWait(ArcKind kind, long fromNs, long toNs) {
    record.metrics.addWait(kind, window.overlapNs(fromNs, toNs));
    record.logWait(kind, fromNs, toNs);
  }

  /** Tells the wait in a call of this path, which began then. */
  void tell(WaitListener waits, int path, long beginNs) {
    long from = beginNs;
    if (isSignalBefore(from)) {
      tell(waits, ArcKind.CONDITION, needs.detail(signalNeed), path, from, signalNs, signalCause);
      from = signalNs;
    }
    int detail = needs.detail(need);
    if (kind == ArcKind.WINDOW && WindowWait.of(detail) == WindowWait.COMPLETE) {
      long operatedNs = Math.min(partNs, ns);
      tell(waits, kind, WindowWait.OPERATION.on(WindowWait.window(detail)), path, from, operatedNs, cause);
      from = Math.max(from, operatedNs);
    }
    if (kind == ArcKind.MESSAGE && detail == WaitListener.PARTITION) {
      long startedNs = Math.min(partNs, ns);
      tell(waits, kind, 0, path, from, startedNs, partCause);
      from = Math.max(from, startedNs);
    }
    tell(waits, kind, detail, path, from, ns, cause);
  }

  private void tell(WaitListener waits, ArcKind kind, int detail, int path, long fromNs, long untilNs,
      long causeOfIt) {
    if (untilNs > fromNs) {
      waits.waited(record, kind, detail, path, fromNs, untilNs, causeOfIt);
    }
  }

  /** Tells that the thread, which has only begun, was begun by another one. */
  void tellBegin(WaitListener waits) {
    waits.began(record, ns, cause);
  }
}
