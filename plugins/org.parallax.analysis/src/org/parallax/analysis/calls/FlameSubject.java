package org.parallax.analysis.calls;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The quantity that the width of a frame of a flame graph shows. */
public enum FlameSubject {
  /** The time of threads on their call paths. */
  TIME,
  /**
   * The time of the critical path: work on its call paths, and arcs on those of the calls that waited,
   * with the call paths from which the arcs come on top.
   */
  CRITICAL_PATH,
  /** The time lost waiting, on the call paths that waited, with those of the causes on top. */
  WAITS;

  /** With what the name of a frame begins that divides the call paths of two threads. */
  public static final String DIVIDER = "-- ";

  /** @return the name on the command line */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** @return all names */
  public static List<String> ids() {
    return Stream.of(values()).map(FlameSubject::id).toList();
  }

  /** @return the subject of a name among {@link #ids} */
  public static FlameSubject of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
