package org.parallax.analysis.replay;

/** What is waited for in one-sided communication: the detail of {@link ArcKind#WINDOW}, beside the window. */
public enum WindowWait {
  /** An access epoch waits for the target's post. */
  LATE_POST(WaitState.LATE_POST),
  /** An exposure epoch waits for the origin's last operation. */
  OPERATION(WaitState.EARLY_WAIT),
  /** An exposure epoch waits for the origin's complete. */
  COMPLETE(WaitState.LATE_COMPLETE),
  /** A lock that another process holds. */
  LOCK(WaitState.WINDOW_LOCK_CONTENTION),
  /** A target that is in no call of MPI, so that its library makes no progress. */
  PROGRESS(WaitState.WAIT_FOR_PROGRESS);

  private static final int BITS = 3;
  private static final WindowWait[] VALUES = values();

  private final WaitState state;

  WindowWait(WaitState state) {
    this.state = state;
  }

  WaitState state() {
    return state;
  }

  /** @return the detail that says so of a window, by its number in the process */
  int on(int window) {
    return window << BITS | ordinal();
  }

  /** @return the part of a detail that says what was waited for */
  public static WindowWait of(int detail) {
    return VALUES[detail & (1 << BITS) - 1];
  }

  /** @return the part of a detail that names the window */
  public static int window(int detail) {
    return detail >>> BITS;
  }
}
