package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Reads the events of a thread forward and tells of the time that led to each to which call path it
 * belongs: time in a call to the call, time outside by the rule of {@link SampleScan}. Outside of
 * routines, wall time without a processor has a path of its own ({@link #offCpuNs}).
 *
 * <p>Cost: each event twice, as samples are read ahead.
 */
public final class PathReader {
  private static final int PROGRESS_EVENTS = 1 << 20;

  private final EventCursor cursor;
  private final PathAhead ahead;
  private final OpenPaths calls = new OpenPaths();
  private final int count;
  private final Progress progress;
  private int untilProgress = PROGRESS_EVENTS;
  private boolean begun;
  private long fromNs;
  private long timeNs;
  private int path;
  private long sinceNs;
  private long offCpuNs;
  private int offCpuPath;
  private long preemptedNs;
  private int preemptedPath;

  /** Stands before the first event; nothing is read yet. */
  public PathReader(ThreadTrace thread, Progress progress) {
    cursor = thread.cursor();
    ahead = new PathAhead(thread);
    count = thread.process().callPaths().count();
    this.progress = progress;
  }

  /**
   * Goes to the next event; false if there is none.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public boolean next() {
    if (begun) {
      pass();
    }
    if (!cursor.next()) {
      return false;
    }
    fromNs = begun ? timeNs : cursor.timeNs();
    begun = true;
    timeNs = Math.max(fromNs, cursor.timeNs());
    if (calls.isEmpty()) {
      path = known(ahead.at(cursor.position()));
      sinceNs = ahead.sinceNs();
    } else {
      path = known(calls.innermost());
      sinceNs = SampleScan.SINCE_SAMPLE;
    }
    offCpuNs = timeNs;
    preemptedNs = timeNs;
    if (cursor.kind() == Kind.CPU) {
      ahead.at(cursor.position());
      offCpuNs = Math.max(fromNs, Math.min(timeNs, ahead.offCpuSinceNs(cursor.position())));
      offCpuPath = ahead.offCpuPath(cursor.position());
      preemptedNs = Math.max(offCpuNs, Math.min(timeNs, ahead.preemptedSinceNs(cursor.position())));
      preemptedPath = ahead.preemptedPath(cursor.position());
    }
    return true;
  }

  /** The calls after the event are those before the next one. */
  private void pass() {
    switch (cursor.kind()) {
      case Kind.ENTER -> calls.enter(cursor.operand());
      case Kind.LEAVE -> calls.leave(cursor.operand());
      default -> { }
    }
    if (--untilProgress == 0) {
      untilProgress = PROGRESS_EVENTS;
      progress.worked(PROGRESS_EVENTS);
      progress.check();
    }
  }

  /** @return the event; not to be moved */
  public EventCursor cursor() {
    return cursor;
  }

  /** @return the time of the event before; of the first event its own */
  public long fromNs() {
    return fromNs;
  }

  /** @return the time of the event, not before {@link #fromNs} */
  public long timeNs() {
    return timeNs;
  }

  /** @return whether the time that led to the event was in a call, and so the event is */
  public boolean isInCall() {
    return !calls.isEmpty();
  }

  /** @return the call path of the time from {@link #splitNs} to the event; 0 if none is known */
  public int path() {
    return path;
  }

  /** @return from when on the thread had no processor; {@link #timeNs} if it had one all the time */
  public long offCpuNs() {
    return offCpuNs;
  }

  /** @return from when on it could have used one, not before {@link #offCpuNs}; {@link #timeNs} if unknown */
  public long preemptedNs() {
    return preemptedNs;
  }

  /** @return the call path from {@link #offCpuNs} to {@link #preemptedNs}, where that is not empty */
  public int offCpuPath() {
    return offCpuPath;
  }

  /** @return the call path from {@link #preemptedNs} to the event, where that is not empty */
  public int preemptedPath() {
    return preemptedPath;
  }

  /** @return of wall time the end of that of which no sample tells, not after {@link #offCpuNs} */
  public long wallSplitNs() {
    return Math.min(splitNs(), offCpuNs);
  }

  /** @return of CPU time the end of that of which no sample tells: {@link #fromNs} if there is none */
  public long splitNs() {
    return Math.max(fromNs, Math.min(sinceNs, timeNs));
  }

  /** @return the same, whether it is between the events or before them */
  public long sinceNs() {
    return sinceNs;
  }

  /** @return a call path as an event has it, or 0 for one that is none */
  public int known(int operand) {
    return operand >= 0 && operand < count ? operand : 0;
  }
}
