package org.parallax.analysis.graph;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * What a thread does when: time in a call belongs to the call, time outside to the next sample, as in
 * {@link CallPathProfile}, whose wall times are the sums of these intervals.
 */
public final class Timeline {
  private static final int PROGRESS_EVENTS = 1 << 20;

  /** Is told of intervals in the order of time; those of one path that touch are one. */
  public interface Visitor {
    /** @param path the call path, 0 for time of which no sample tells */
    void interval(long beginNs, long endNs, int path);
  }

  private Timeline() {}

  /**
   * Reads the events of a thread once, and once more ahead for samples.
   *
   * @param window intervals are cut where it begins and ends, and at the gaps within it
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static void read(ProcessTrace process, ThreadTrace thread, Window window,
      Visitor visitor, Progress progress) {
    EventCursor cursor = thread.cursor();
    OpenPaths calls = new OpenPaths();
    PathAhead ahead = new PathAhead(thread);
    int count = process.callPaths().count();
    long begin = 0;
    long now = Long.MIN_VALUE;
    int path = -1;
    int untilProgress = PROGRESS_EVENTS;
    while (cursor.next()) {
      long time = Math.max(now, cursor.timeNs());
      if (now == Long.MIN_VALUE) {
        now = time;
      }
      long from = Math.max(now, window.beginNs());
      long to = Math.min(time, window.endNs());
      if (to > from) {
        int current = calls.isEmpty() ? ahead.at(cursor.position()) : calls.innermost();
        current = current >= 0 && current < count ? current : 0;
        if (current != path) {
          tell(visitor, window, begin, from, path);
          path = current;
          begin = from;
        }
      }
      now = time;
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
      if (time > window.endNs()) {
        break;
      }
    }
    tell(visitor, window, begin, now, path);
  }

  private static void tell(Visitor visitor, Window window, long begin, long end, int path) {
    if (path < 0) {
      return;
    }
    for (int i = window.intervalAt(begin); i < window.count() && window.beginNs(i) < end; i++) {
      long from = Math.max(begin, window.beginNs(i));
      long to = Math.min(end, window.endNs(i));
      if (to > from) {
        visitor.interval(from, to, path);
      }
    }
  }
}
