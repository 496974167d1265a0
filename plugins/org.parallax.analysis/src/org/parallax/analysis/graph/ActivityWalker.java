package org.parallax.analysis.graph;

import java.util.Arrays;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * Tells backwards in time what a thread did, in pieces of one call path each. Time in a call
 * belongs to the call, time outside to the next sample (Szebenyi et al. 2011, section II.B.2).
 *
 * <p>Cost: the events between the times asked for, and those before that tell in which call the
 * thread was: down to the next begin or end of a call, or to the begin of a block of the trace.
 */
final class ActivityWalker {
  /** The call path of time before the thread's first event. */
  static final int NOT_BEGUN = -1;

  /** Is told of pieces, the latest first; they touch each other. */
  interface Pieces {
    void piece(int path, long fromNs, long toNs);
  }

  private final ThreadRecord record;
  private final EventCursor cursor;
  private final int[] enclosing;
  private final byte[] kinds;
  private long startPosition;
  /** What is later was told already. */
  private long toNs;
  private boolean beforeBegin;
  /** The call path of the first sample after {@link #toNs}, if {@link #nextKnown}. */
  private int next;
  private boolean nextKnown;
  // Samples between the event at the cursor and toNs, the latest first.
  private long[] sampleNs = new long[16];
  private int[] samplePaths = new int[16];
  private int firstSample;
  private int samples;

  /** @param enclosing of the call paths of the thread's process, as {@link CallNesting} has it */
  ActivityWalker(ThreadRecord record, int[] enclosing) {
    this.record = record;
    this.enclosing = enclosing;
    cursor = record.thread().cursor();
    kinds = record.process().callPaths().kinds();
  }

  /** Begins at an event of the thread; what was after {@code atNs} is not told. */
  void start(long position, long atNs) {
    beforeBegin = !cursor.seek(position);
    startPosition = position;
    toNs = atNs;
    nextKnown = false;
    firstSample = 0;
    samples = 0;
  }

  /** Tells what the thread did before what was told last, down to a time. */
  void back(long fromNs, Pieces pieces) {
    while (!beforeBegin && toNs > fromNs) {
      int kind = cursor.kind();
      if (kind == Kind.ENTER) {
        tellCall(cursor.operand(), fromNs, pieces);
      } else if (kind == Kind.LEAVE) {
        tell(enclosing(cursor.operand()), fromNs, pieces);
      } else if (kind == Kind.SAMPLE) {
        addSample(cursor.timeNs(), cursor.operand());
      }
      if (toNs > fromNs) {
        previous(fromNs, pieces);
      }
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
      tellOutside(Math.max(fromNs, Math.min(ns, toNs)), pieces);
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
    while (firstSample < samples && sampleNs[firstSample] >= toNs) {
      firstSample++;  // within a call, samples say nothing
    }
  }

  private void tellOutside(long fromNs, Pieces pieces) {
    while (firstSample < samples && sampleNs[firstSample] >= fromNs) {
      if (sampleNs[firstSample] < toNs) {
        piece(nextSample(), sampleNs[firstSample], pieces);
      }
      next = samplePaths[firstSample++];
      nextKnown = true;
    }
    if (toNs > fromNs) {
      piece(nextSample(), fromNs, pieces);
    }
  }

  private void piece(int path, long fromNs, Pieces pieces) {
    if (fromNs < toNs) {
      long to = toNs;
      toNs = fromNs;
      pieces.piece(path, fromNs, to);
    }
  }

  private int nextSample() {
    if (!nextKnown) {
      next = Math.max(0, record.sampleAfter(startPosition));
      nextKnown = true;
    }
    return next;
  }

  private void addSample(long ns, int path) {
    if (firstSample == samples) {
      firstSample = 0;
      samples = 0;
    }
    if (samples == sampleNs.length) {
      sampleNs = Arrays.copyOf(sampleNs, 2 * samples);
      samplePaths = Arrays.copyOf(samplePaths, 2 * samples);
    }
    sampleNs[samples] = ns;
    samplePaths[samples++] = path;
  }
}
