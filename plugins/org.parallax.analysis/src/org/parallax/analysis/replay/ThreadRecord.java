package org.parallax.analysis.replay;

import org.parallax.analysis.internal.LongList;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.ThreadTrace;

/**
 * What the replay learned of one thread: its metrics, and for each wait where the longest path
 * came from, so that the path can be followed back.
 */
public final class ThreadRecord {
  private static final int KIND_SHIFT = 59;
  private static final long WEIGHT_MASK = (1L << KIND_SHIFT) - 1;
  private static final ArcKind[] KINDS = ArcKind.values();

  private final int index;
  private final ProcessTrace process;
  private final ThreadTrace thread;

  /** Length of the longest path to the thread's last event, in nanoseconds. */
  long length;
  /** Of the thread's last event; -1 while it is not known. */
  long endPosition = -1;
  final ThreadMetrics metrics = new ThreadMetrics();

  private final LongList waitPositions = new LongList();
  private final LongList waitOrigins = new LongList();
  private final LongList waitWeights = new LongList();
  /** Null until they are asked for, where the replay does not collect them. */
  private ThreadSamples samples;

  /** Every wait, where the waits are what is wanted and not the path; else null. */
  private final WaitLog waitLog;
  private final boolean keepsPath;

  ThreadRecord(int index, ProcessTrace process, ThreadTrace thread, boolean logsWaits,
      boolean keepsPath) {
    waitLog = logsWaits ? new WaitLog() : null;
    this.keepsPath = keepsPath;
    this.index = index;
    this.process = process;
    this.thread = thread;
  }

  /** @return the thread's index in the replay */
  public int index() {
    return index;
  }

  public ProcessTrace process() {
    return process;
  }

  public ThreadTrace thread() {
    return thread;
  }

  public ThreadMetrics metrics() {
    return metrics;
  }

  /** @return length of the longest path to the thread's last event, in nanoseconds */
  public long length() {
    return length;
  }

  /** @return position of the thread's last event, -1 if it has none */
  public long endPosition() {
    return endPosition;
  }

  /** @return when the thread waited, of a replay that was made for that; else null */
  public WaitLog waitLog() {
    return waitLog;
  }

  /** @return whether the path to the thread's waits can be followed back */
  boolean keepsPath() {
    return keepsPath;
  }

  void logWait(ArcKind kind, long beginNs, long endNs) {
    if (waitLog != null) {
      waitLog.add(kind, beginNs, endNs);
    }
  }

  /**
   * Notes a wait that ended.
   *
   * @param origin reference of the event in another thread from which the longest path comes, or
   *     {@link Reference#NONE} when it stays in this thread
   * @param weight nanoseconds from the end of the waiting proper to the end of the call
   */
  void addWait(long position, ArcKind kind, long origin, long weight) {
    if (!keepsPath) {
      return;
    }
    waitPositions.add(position);
    waitOrigins.add(origin);
    waitWeights.add((long) kind.ordinal() << KIND_SHIFT | weight);
  }

  /** @return the index of the last wait that ended at or before the position, or -1 */
  public long lastWait(long position) {
    return waitPositions.firstAtLeast(position + 1) - 1;
  }

  /** @return position of the event that ended a wait, by the index of the wait */
  public long waitPosition(long wait) {
    return waitPositions.get(wait);
  }

  /** @return {@link Reference} of the event from which the longest path comes to the end of a wait */
  public long waitOrigin(long wait) {
    return waitOrigins.get(wait);
  }

  /** @return nanoseconds from the end of the waiting proper to the end of the call */
  public long waitWeight(long wait) {
    return waitWeights.get(wait) & WEIGHT_MASK;
  }

  /** @return what a wait was for */
  public ArcKind waitKind(long wait) {
    return KINDS[(int) (waitWeights.get(wait) >>> KIND_SHIFT)];
  }

  /** The replay has collected them. */
  synchronized void setSamples(ThreadSamples collected) {
    samples = collected;
  }

  /** @return the samples that the replay has collected; null if it has not */
  synchronized ThreadSamples collectedSamples() {
    return samples;
  }

  /** @return the samples outside of calls; without a replay that follows a path, the first call reads the events */
  public synchronized ThreadSamples samples() {
    if (samples == null) {
      samples = ThreadSamples.of(thread);
    }
    return samples;
  }
}
