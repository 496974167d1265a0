package org.parallax.tuning.analyzer;

import java.util.List;

/**
 * Lines of metrics for a judgement: none that tells of a time before the beginning. The lines of different processes
 * begin at different times, as those of different hosts do; a window with a part of the processes in its first interval would
 * have too few visits for its time. Therefore it begins when the last process does that had a line under way.
 */
final class Period {
  private final long intervalNs;
  private long notBeforeNs;
  private Window window;

  /** @param notBeforeNs when the setting was switched last, or the points were */
  Period(long notBeforeNs, long intervalNs) {
    this.notBeforeNs = notBeforeNs;
    this.intervalNs = intervalNs;
  }

  /** @return the period after this one, with the same setting */
  Period next() {
    Period next = new Period(notBeforeNs, intervalNs);
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
    } else if (fromNs > notBeforeNs - 2 * intervalNs && toNs > notBeforeNs) {
      // Not of a process that has few visits, whose line may have begun long ago.
      window = null;
      notBeforeNs = Math.max(notBeforeNs, toNs - intervalNs / 2);
    }
  }

  /** @return whether all these processes have told of the time until then */
  boolean reaches(List<TunedProcess> processes, long untilNs) {
    return window != null && processes.stream().allMatch(process -> window.of(process).endNs() >= untilNs);
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
