package org.parallax.analysis.waits;

import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.ThreadSamples;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * Tells backwards in time what a thread did, in pieces of one call path each. Time in a call
 * belongs to the call, time outside to samples ({@code SampleScan}). Time without a processor outside
 * of routines has a path of its own.
 *
 * <p>Cost: the events between the times asked for, and those before that tell in which call the
 * thread was: down to the next begin or end of a call, or to the begin of a block of the trace.
 */
public final class ActivityWalker {
  /** The call path of time before the thread's first event. */
  public static final int NOT_BEGUN = -1;

  /** Is told of pieces, the latest first; they touch each other. */
  public interface Pieces {
    void piece(int path, long fromNs, long toNs);
  }

  private final EventCursor cursor;
  private final int[] enclosing;
  private final byte[] kinds;
  /** What is later was told already. */
  private long toNs;
  private boolean beforeBegin;
  /** The time of the thread's first event, once it was reached. */
  private long beginNs;
  private final ThreadSamples samples;
  /** The first sample after {@link #toNs}. */
  private long next;
  /** The last time without a processor that can begin before {@link #toNs}; -1 if there is none. */
  private long offCpu;

  /** @param enclosing of the call paths of the thread's process, as {@link CallNesting} has it */
  public ActivityWalker(ThreadRecord record, int[] enclosing) {
    this.enclosing = enclosing;
    cursor = record.thread().cursor();
    kinds = record.process().callPaths().kinds();
    samples = record.samples();
  }

  /** Begins at an event of the thread; what was after {@code atNs} is not told. */
  public void start(long position, long atNs) {
    beforeBegin = !cursor.seek(position);
    beginNs = Long.MAX_VALUE;
    toNs = atNs;
    next = samples.after(position);
    offCpu = Math.min(samples.offCpuEndingAt(atNs), samples.offCpuCount() - 1);
  }

  /** Tells what the thread did before what was told last, down to a time. */
  public void back(long fromNs, Pieces pieces) {
    while (!beforeBegin && toNs > fromNs) {
      int kind = cursor.kind();
      if (kind == Kind.ENTER) {
        tellCall(cursor.operand(), fromNs, pieces);
      } else if (kind == Kind.LEAVE) {
        tell(enclosing(cursor.operand()), fromNs, pieces);
      }
      if (toNs > fromNs) {
        previous(fromNs, pieces);
      }
    }
    if (toNs > fromNs && toNs > beginNs) {
      tellOutside(Math.max(fromNs, beginNs), pieces);
    }
    if (toNs > fromNs) {
      pieces.piece(NOT_BEGUN, fromNs, toNs);
      toNs = fromNs;
    }
  }

  private void previous(long fromNs, Pieces pieces) {
    int block = cursor.block();
    int open = cursor.blockOpenPath();
    long ns = cursor.timeNs();
    if (!cursor.previous()) {
      beginNs = ns;
      beforeBegin = true;
    } else if (cursor.block() != block && ns <= fromNs && (open == 0 || isCall(open))) {
      // Nothing between fromNs and the begin of the block told it: it was so all the time.
      if (open == 0) {
        tellOutside(fromNs, pieces);
      } else {
        piece(open, fromNs, pieces);
      }
    }
  }

  private boolean isCall(int path) {
    return path > 0 && path < kinds.length
        && (kinds[path] == CallPaths.REGION || kinds[path] == CallPaths.FUNCTION);
  }

  private int enclosing(int path) {
    return path >= 0 && path < enclosing.length ? enclosing[path] : 0;
  }

  private void tell(int call, long fromNs, Pieces pieces) {
    if (call == 0) {
      tellOutside(Math.max(fromNs, cursor.timeNs()), pieces);
    } else {
      tellCall(call, fromNs, pieces);
    }
  }

  private void tellCall(int path, long fromNs, Pieces pieces) {
    piece(path, Math.max(fromNs, cursor.timeNs()), pieces);
  }

  private void tellOutside(long fromNs, Pieces pieces) {
    while (toNs > fromNs) {
      while (next > 0 && samples.timeNs(next - 1) >= toNs) {
        next--;
      }
      long begin = next == 0 ? fromNs : Math.max(fromNs, samples.timeNs(next - 1));
      piece(samples.path(next), Math.max(begin, samples.sinceNs(next)), pieces);
      piece(0, begin, pieces);
    }
  }

  private void piece(int path, long fromNs, Pieces pieces) {
    while (fromNs < toNs) {
      while (offCpu >= 0 && samples.offCpuBeginNs(offCpu) >= toNs) {
        offCpu--;
      }
      long offEnd = offCpu < 0 ? fromNs : samples.offCpuEndNs(offCpu);
      if (offEnd >= toNs && toNs > samples.preemptedNs(offCpu)) {
        tellPiece(samples.preemptedPath(offCpu), Math.max(fromNs, samples.preemptedNs(offCpu)), pieces);
      } else if (offEnd >= toNs) {
        tellPiece(samples.offCpuPath(offCpu), Math.max(fromNs, samples.offCpuBeginNs(offCpu)), pieces);
      } else {
        tellPiece(path, Math.max(fromNs, offEnd), pieces);
      }
    }
  }

  private void tellPiece(int path, long fromNs, Pieces pieces) {
    long to = toNs;
    toNs = fromNs;
    pieces.piece(path, fromNs, to);
  }
}
