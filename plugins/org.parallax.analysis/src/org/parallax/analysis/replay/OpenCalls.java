package org.parallax.analysis.replay;

import java.util.Arrays;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;

/**
 * The calls of a thread that have begun and not ended. Of each: its call path; time, length of the
 * longest path and position at its Enter, or at the last event in it that provides something to
 * others, which is where waiting in it begins. A call that ends the polling of the call around it has
 * waited since that one began.
 */
final class OpenCalls {
  private static final int PATH = 0;
  private static final int BEGIN_NS = 1;
  private static final int BEGIN_LENGTH = 2;
  private static final int BEGIN_POSITION = 3;
  private static final int FIELDS = 4;

  private final byte[] kinds;
  private long[] calls = new long[8 * FIELDS];
  /** Index in {@link #calls} of the innermost call; -FIELDS when none is open. */
  private int top = -FIELDS;
  private boolean inRoutine;
  /** Index in {@link #calls} of the call in which the thread polls, or of the one that ends the polling. */
  private int polled = -FIELDS;
  /** Whether that is the one that ends the polling of the call around it; and the time of its own Enter. */
  private boolean joined;
  private long joinedNs;

  OpenCalls(ProcessTrace process) {
    byte[] all = process.callPaths().kinds();
    if (process.wasPaused()) {
      all = all.clone();
      for (int path = 0; path < process.callPaths().definedCount(); path++) {
        all[path] = process.isPause(path) ? CallPaths.UNDEFINED : all[path];
      }
    }
    kinds = all;
  }

  void enter(int path, long timeNs, long length, long position) {
    boolean endsPolling = isPolled();
    top += FIELDS;
    if (top == calls.length) {
      calls = Arrays.copyOf(calls, 2 * top);
    }
    long[] open = calls;
    int call = top;
    open[call + PATH] = path;
    inRoutine = isRoutine(path);
    if (endsPolling) {
      System.arraycopy(open, call - FIELDS + BEGIN_NS, open, call + BEGIN_NS, FIELDS - BEGIN_NS);
      polled = call;
      joined = true;
      joinedNs = timeNs;
      return;
    }
    open[call + BEGIN_NS] = timeNs;
    open[call + BEGIN_LENGTH] = length;
    open[call + BEGIN_POSITION] = position;
  }

  /** The thread has polled in the innermost open call, if there is one. */
  void poll() {
    polled = top;
    joined = false;
  }

  /** Whether the innermost open call has ended the polling of the call around it. */
  boolean endsPolling() {
    return joined && polled == top;
  }

  /** The time of the Enter of the innermost open call, which {@link #endsPolling}. */
  long joinedNs() {
    return joinedNs;
  }

  /** The call path of the call in which the thread polled, before the innermost open call, which {@link #endsPolling}. */
  int pollingPath() {
    return (int) calls[top - FIELDS + PATH];
  }

  /** Whether the thread has polled in the innermost open call, or until it began. */
  boolean isPolled() {
    return polled == top && top >= 0;
  }

  /** The call path of the innermost open call. */
  int path() {
    return (int) calls[top + PATH];
  }

  /** Ends the innermost open call of a path and all within it; {@code longjmp} leaves several. */
  void leave(int path) {
    for (int call = top; call >= 0; call -= FIELDS) {
      if (calls[call + PATH] == path) {
        polled = polled >= call ? -FIELDS : polled;
        top = call - FIELDS;
        inRoutine = top >= 0 && isRoutine((int) calls[top + PATH]);
        return;
      }
    }
  }

  private boolean isRoutine(int path) {
    return path < 0 || path >= kinds.length || kinds[path] == CallPaths.REGION;
  }

  boolean isEmpty() {
    return top < 0;
  }

  /**
   * Whether the innermost call is of an intercepted routine, which can wait. An instrumented
   * function and a pause of recording cannot: what happens directly in them is a moment.
   */
  boolean isInRoutine() {
    return inRoutine;
  }

  /** Waiting in the innermost call begins here. */
  void beginAt(long timeNs, long length, long position) {
    calls[top + BEGIN_NS] = timeNs;
    calls[top + BEGIN_LENGTH] = length;
    calls[top + BEGIN_POSITION] = position;
  }

  long beginNs() {
    return calls[top + BEGIN_NS];
  }

  long beginLength() {
    return calls[top + BEGIN_LENGTH];
  }

  long beginPosition() {
    return calls[top + BEGIN_POSITION];
  }
}
