package org.parallax.tuning.analyzer;

import java.util.List;

/** Lines of metrics for a judgement: none that tells of a time before the beginning. */
final class Period {
  private final long notBeforeNs;
  private Window window;

  /** @param notBeforeNs when the setting was switched last, or the points were */
  Period(long notBeforeNs) {
    this.notBeforeNs = notBeforeNs;
  }

  /** @return the period after this one, with the same setting */
  Period next() {
    Period next = new Period(notBeforeNs);
    if (window != null) {
      next.window = new Window(window.endNs());
    }
    return next;
  }

  /** Takes what was counted in a process from one line to the next. */
  void add(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    if (fromNs >= notBeforeNs) {
      if (window == null) {
        window = new Window(fromNs);
      }
      window.add(process, cells, fromNs, toNs);
    }
  }

  /** @return whether it has lines of all these processes */
  boolean has(List<TunedProcess> processes) {
    return window != null && processes.stream().allMatch(process -> window.of(process).lengthNs() > 0);
  }

  double visits(String point) {
    return window == null ? 0 : window.visits(point);
  }

  /** @return what was counted; empty before the first line */
  Window window() {
    return window == null ? new Window(notBeforeNs) : window;
  }
}
