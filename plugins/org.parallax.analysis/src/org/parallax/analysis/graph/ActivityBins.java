package org.parallax.analysis.graph;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * What threads did over time: the wall time of each procedure in each bin. Attributed as
 * {@link CallPathProfile} does it: time in calls to the innermost one, time outside to the sample
 * after it.
 */
public final class ActivityBins {
  private static final int PROGRESS_EVENTS = 1 << 20;

  private final TimeBins bins;
  private final Map<Integer, long[]> procedures = new HashMap<>();

  public ActivityBins(TimeBins bins) {
    this.bins = bins;
  }

  /** @return of each procedure its time in each bin */
  public Map<Integer, long[]> procedures() {
    return procedures;
  }

  private long[] of(int procedure) {
    return procedures.computeIfAbsent(procedure, id -> new long[bins.count()]);
  }

  private void spread(long fromNs, long toNs, long[] times) {
    for (int bin = bins.bin(fromNs); bin < bins.count() && bins.border(bin) < toNs; bin++) {
      times[bin] += bins.insideNs(bin, fromNs, toNs);
    }
  }

  /**
   * Adds a thread, whose events are read once.
   *
   * @param leaf the procedure at the end of a call path
   * @param unknown the procedure of time of which no sample tells
   */
  public void add(ThreadTrace thread, IntUnaryOperator leaf, int unknown, Progress progress) {
    EventCursor cursor = thread.cursor();
    int[] open = new int[16];
    int depth = 0;
    long[] outside = new long[bins.count()];
    long outsideFrom = Long.MAX_VALUE;
    long now = 0;
    long count = 0;
    while (cursor.next()) {
      int kind = cursor.kind();
      long time = cursor.timeNs();
      if (count == 0) {
        now = time;
      }
      if (time > now) {
        if (depth > 0) {
          spread(now, time, of(leaf.applyAsInt(open[depth - 1])));
        } else {
          spread(now, time, outside);
          outsideFrom = Math.min(outsideFrom, now);
        }
        now = time;
      }
      if (kind == Kind.ENTER) {
        open = depth == open.length ? Arrays.copyOf(open, 2 * depth) : open;
        open[depth++] = cursor.operand();
      } else if (kind == Kind.LEAVE) {
        for (int i = depth - 1; i >= 0; i--) {
          if (open[i] == cursor.operand()) {
            depth = i;
            break;
          }
        }
      } else if (kind == Kind.SAMPLE && depth == 0 && outsideFrom <= now) {
        move(outside, outsideFrom, now, of(leaf.applyAsInt(cursor.operand())));
        outsideFrom = Long.MAX_VALUE;
      }
      if (++count % PROGRESS_EVENTS == 0) {
        progress.worked(PROGRESS_EVENTS);
        progress.check();
      }
    }
    if (outsideFrom <= now) {
      move(outside, outsideFrom, now, of(unknown));
    }
  }

  private void move(long[] from, long fromNs, long toNs, long[] to) {
    for (int bin = bins.bin(fromNs); bin <= bins.bin(toNs); bin++) {
      to[bin] += from[bin];
      from[bin] = 0;
    }
  }
}
