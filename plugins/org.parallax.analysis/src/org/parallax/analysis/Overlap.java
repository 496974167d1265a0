package org.parallax.analysis;

import java.util.List;
import java.util.Optional;
import org.parallax.trace.Trace;

/** Whether runs were there at the same time, so that they can have had to do with each other. */
public final class Overlap {
  private Overlap() {}

  /** @return a trace that was recorded when nothing of the others ran; empty for less than two */
  public static Optional<Trace> apart(List<Trace> traces) {
    return traces.stream().filter(trace -> traces.size() > 1 && traces.stream().noneMatch(
        other -> other != trace && other.epochNs() < trace.epochNs() + trace.durationNs()
            && trace.epochNs() < other.epochNs() + other.durationNs())).findFirst();
  }
}
