package org.parallax.trace;

/** How an agent knew that a thread had lost the processor. */
public enum CpuClock {
  /** CPU time was not measured. */
  NONE("none"),
  /** The thread's CPU clock was read at the ends of waits: losses outside of them are told late. */
  THREAD("the thread's CPU clock, at the ends of waits"),
  /** The page of a perf event changed. */
  PERF_PAGE("the thread's CPU clock, when a perf page tells of a switch"),
  /** The mark of a restartable sequence was gone. */
  SWITCH_MARK("the thread's CPU clock, when a mark tells of a switch");

  private final String text;

  CpuClock(String text) {
    this.text = text;
  }

  /** In words. */
  public String text() {
    return text;
  }

  static CpuClock of(int number) {
    return number > 0 && number < values().length ? values()[number] : NONE;
  }
}
