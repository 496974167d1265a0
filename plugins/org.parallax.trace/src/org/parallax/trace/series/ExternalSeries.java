package org.parallax.trace.series;

import java.util.List;

/**
 * What a monitor said over time of one machine, process or application: a part of a file
 * {@code NAME.series} (native/format/SERIES.md). Times are those of the trace. Immutable.
 */
public final class ExternalSeries {
  /** What the names of the files end with. */
  public static final String SUFFIX = ".series";

  /** What is measured. */
  public enum Kind {
    MACHINE, PROCESS, APPLICATION
  }

  /**
   * What a series is about.
   *
   * @param name of the host, or of the application
   * @param pid of a process, else -1
   */
  public record Subject(Kind kind, String name, int pid) {
    /** As it stands in the file. */
    @Override
    public String toString() {
      return switch (kind) {
        case MACHINE -> "machine " + name;
        case PROCESS -> "process " + name + " " + pid;
        case APPLICATION -> "application " + name;
      };
    }
  }

  private final String name;
  private final Subject subject;
  private final List<ExternalMetric> metrics;
  private final int readings;
  private final long beginNs;
  private final long endNs;
  private final boolean cut;

  /** @param cut whether the file ends within a line */
  public ExternalSeries(String name, Subject subject, List<ExternalMetric> metrics, int readings,
      long beginNs, long endNs, boolean cut) {
    this.name = name;
    this.subject = subject;
    this.metrics = List.copyOf(metrics);
    this.readings = readings;
    this.beginNs = beginNs;
    this.endNs = endNs;
    this.cut = cut;
  }

  /** The file's name without its suffix. */
  public String name() {
    return name;
  }

  public Subject subject() {
    return subject;
  }

  /** In the order of the file. */
  public List<ExternalMetric> metrics() {
    return metrics;
  }

  /** How many lines of values there are. */
  public int readings() {
    return readings;
  }

  /** The time of the first reading; 0 when there is none. */
  public long beginNs() {
    return beginNs;
  }

  /** The time of the last reading; 0 when there is none. */
  public long endNs() {
    return endNs;
  }

  /** Whether the last line was incomplete, and was left out. */
  public boolean isCut() {
    return cut;
  }

  /** The same series, with all times {@code ns} later. */
  public ExternalSeries movedBy(long ns) {
    return ns == 0 ? this : new ExternalSeries(name, subject,
        metrics.stream().map(metric -> metric.movedBy(ns)).toList(), readings, beginNs + ns,
        endNs + ns, cut);
  }

  @Override
  public String toString() {
    return name + " of " + subject;
  }
}
