package org.parallax.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.parallax.trace.series.ExternalSeries;
import org.parallax.trace.series.SeriesException;
import org.parallax.trace.series.SeriesReader;

/**
 * The series in a trace's directory, on the trace's time base, and what is wrong with the others.
 *
 * @param problems of those that cannot be used
 */
public record TraceSeries(List<ExternalSeries> series, List<Finding> problems) {

  /** @param files by the names of the series */
  static TraceSeries read(Trace trace, Map<String, Path> files) {
    List<ExternalSeries> series = new ArrayList<>();
    List<Finding> problems = new ArrayList<>();
    files.forEach((name, file) -> {
      try (InputStream in = Files.newInputStream(file)) {
        series.addAll(read(trace, name, in));
      } catch (SeriesException e) {
        problems.add(problem(file, "line " + e.line() + ": " + e.getMessage(),
            "Correct or remove that line, or remove " + file));
      } catch (IOException e) {
        problems.add(problem(file, "the file cannot be read: " + e,
            "Check its permissions"));
      }
    });
    series.sort(Comparator.comparing(ExternalSeries::name));
    return new TraceSeries(series, problems);
  }

  private static Finding problem(Path file, String fact, String nextStep) {
    return new Finding(Finding.Severity.ERROR, file.getFileName().toString(), -1, -1, fact,
        "No report shows this series", nextStep);
  }

  /**
   * Reads a series as one of a trace.
   *
   * @return one for each object that it tells of; none while there is no line at all
   * @throws SeriesException at its first line that is wrong
   */
  public static List<ExternalSeries> read(Trace trace, String name, InputStream in)
      throws IOException, SeriesException {
    SeriesReader.Content content = SeriesReader.read(in);
    List<ExternalSeries> series = new ArrayList<>();
    if (content == null) {
      return series;
    }
    long laterNs = laterNs(trace, content);
    long[] times = content.timesNs();
    for (int i = 0; i < content.subjects().size(); i++) {
      series.add(new ExternalSeries(name, content.subjects().get(i), content.metrics().get(i),
          times.length, times.length == 0 ? -laterNs : times[0],
          times.length == 0 ? -laterNs : times[times.length - 1], content.cut())
          .movedBy(laterNs));
    }
    return series;
  }

  /** By how much the trace's time of a moment is more than the series' own. */
  private static long laterNs(Trace trace, SeriesReader.Content content) throws SeriesException {
    switch (content.clock()) {
      case REALTIME:
        return -trace.epochNs();
      case MONOTONIC:
        ExternalSeries.Subject first = content.subjects().get(0);
        String host = first.kind() == ExternalSeries.Kind.APPLICATION ? trace.manifest().host()
            : first.name();
        for (MachineClock clock : trace.clocks()) {
          if (clock.host().equals(host)) {
            return clock.fromMonotonicNs();
          }
        }
        throw new SeriesException(content.clockLine(), "clock realtime, because the trace does not "
            + "have the monotonic clock of " + host + ", only of "
            + trace.clocks().stream().map(MachineClock::host).distinct()
                .collect(Collectors.joining(", ")), "clock monotonic");
      default:
        return 0;
    }
  }

  /** What is not as it should be with the series of a trace; reads them. */
  public static List<Finding> check(Trace trace) {
    List<Finding> findings = new ArrayList<>(trace.series().problems());
    for (ExternalSeries series : trace.externalSeries()) {
      String file = series.name() + ExternalSeries.SUFFIX;
      if (series.isCut()) {
        findings.add(new Finding(Finding.Severity.INFO, file, -1, -1,
            "the last line is not complete", "Its monitor was killed, or is still writing; the "
            + "line is ignored", ""));
      }
      String apart = apart(trace, series);
      if (!apart.isEmpty()) {
        findings.add(new Finding(Finding.Severity.WARNING, file, -1, -1, apart,
            "Reports of the run do not show it", "Check its times"));
      }
    }
    return findings;
  }

  /** What to say of a series that knows nothing of the time of the run; empty of others. */
  public static String apart(Trace trace, ExternalSeries series) {
    if (series.readings() < 2) {
      return series + " has " + (series.readings() == 0 ? "no reading" : "a single reading")
          + ", but values are known only between two readings";
    }
    long durationNs = trace.durationNs();
    if (series.beginNs() < durationNs && series.endNs() > 0) {
      return "";
    }
    return String.format("%s has readings from %.3f s to %.3f s after the start of the run, which "
        + "lasted %.3f s; check its clock line", series, series.beginNs() / 1e9,
        series.endNs() / 1e9, durationNs / 1e9);
  }
}
