package org.parallax.analysis.waits;

import java.util.Arrays;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * Finds the calls in which a thread waited for a file: it had no processor, transferred bytes of a
 * file or the like, and waited for no other thread. If it polled, all of the call is the wait.
 *
 * <p>Where in the call the thread had no processor is not known; it is told as the last part of it.
 * Cost: each event of a thread of a process that uses files.
 */
final class IoWaits {
  private final EventCursor cursor;
  private final ThreadWaits waits;
  private final WaitCollector.Completions told;
  private final int thread;
  // Of the open calls.
  private int[] paths = new int[8];
  private long[] begins = new long[8];
  private long[] enters = new long[8];
  private long[] lostNs = new long[8];
  private boolean[] files = new boolean[8];
  /** Whether the thread has polled in it, or until it began. */
  private boolean[] polled = new boolean[8];
  private int depth;

  private IoWaits(ThreadRecord record, ThreadWaits waits, WaitCollector.Completions told) {
    cursor = record.thread().cursor();
    thread = record.index();
    this.waits = waits;
    this.told = told;
  }

  /** @param waits of the thread for others, all of them */
  static void tell(ThreadRecord record, ThreadWaits waits, WaitCollector.Completions told) {
    if (record.process().fileCount() > 0) {
      new IoWaits(record, waits, told).read();
    }
  }

  private void read() {
    while (cursor.next()) {
      switch (cursor.kind()) {
        case Kind.ENTER -> enter(cursor.operand(), cursor.timeNs());
        case Kind.LEAVE -> leave(cursor.operand(), cursor.timeNs());
        case Kind.CPU -> {
          if (depth > 0) {
            lostNs[depth - 1] += cursor.payload(1);
          }
        }
        case Kind.FILE -> {
          if (depth > 0) {
            files[depth - 1] = true;
          }
        }
        case Kind.POLL -> {
          if (depth > 0) {
            polled[depth - 1] = true;
          }
        }
        default -> { }
      }
    }
  }

  private void enter(int path, long timeNs) {
    if (depth == paths.length) {
      paths = Arrays.copyOf(paths, 2 * depth);
      begins = Arrays.copyOf(begins, 2 * depth);
      enters = Arrays.copyOf(enters, 2 * depth);
      lostNs = Arrays.copyOf(lostNs, 2 * depth);
      files = Arrays.copyOf(files, 2 * depth);
      polled = Arrays.copyOf(polled, 2 * depth);
    }
    paths[depth] = path;
    enters[depth] = timeNs;
    boolean endsPolling = depth > 0 && polled[depth - 1];
    begins[depth] = endsPolling ? begins[depth - 1] : timeNs;
    polled[depth] = endsPolling;
    lostNs[depth] = 0;
    files[depth++] = false;
  }

  private void leave(int path, long timeNs) {
    int call = depth - 1;
    while (call >= 0 && paths[call] != path) {
      call--;
    }
    if (call < 0) {
      return;
    }
    if (files[call] && (lostNs[call] > 0 || polled[call]) && !waitedIn(begins[call], timeNs)) {
      if (begins[call] < enters[call]) {
        told.completion(WaitState.IO_WAIT, thread, paths[call - 1], begins[call], enters[call]);
        begins[call] = enters[call];
      }
      told.completion(WaitState.IO_WAIT, thread, path,
          polled[call] ? begins[call] : Math.max(begins[call], timeNs - lostNs[call]), timeNs);
    }
    if (call > 0 && polled[call - 1]) {
      // The wait of the outer call was that of this one.
      begins[call - 1] = timeNs;
      lostNs[call - 1] = 0;
      polled[call - 1] = false;
    }
    depth = call;
  }

  private boolean waitedIn(long beginNs, long endNs) {
    int wait = waits.lastBefore(endNs);
    return wait >= 0 && waits.isLoss(wait) && waits.untilNs(wait) > beginNs;
  }
}
