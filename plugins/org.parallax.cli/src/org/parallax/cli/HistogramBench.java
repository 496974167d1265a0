package org.parallax.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.metrics.HistogramMetric;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.text.Quantity;
import org.parallax.model.program.Level;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** How long time histograms of a trace take; a part of {@code ./parallax bench}. */
final class HistogramBench {
  private HistogramBench() {
  }

  /** The argument is a trace. */
  public static void main(String[] arguments) throws TraceException {
    LoadedSession session = SessionBuilder.open(List.of(Path.of(arguments[0])), Progress.NONE);
    try {
      ApplicationAnalysis all = ApplicationAnalysis.global(session.getApplications());
      Map<String, HistogramMetric> metrics = HistogramMetric.all(all);
      List<HistogramMetric> own = List.of(metrics.get("utilization"), metrics.get("bytes-sent"));
      List<HistogramMetric> waits = List.of(metrics.get("wait"));
      long endNs = session.traces().get(0).durationNs();
      ApplicationAnalysis part = all.during(
          new Phase("part", new Window(endNs / 2, endNs / 2 + endNs / 100)));
      make("first touch, utilization and bytes", all, own);
      make("first touch, waits", all, waits);
      System.out.printf("index: %s%n", Quantity.size(HistogramReport.indexBytes(all)));
      for (int round = 1; round <= 3; round++) {
        make("utilization and bytes", all, own);
        make("waits", all, waits);
        make("utilization and bytes, 1 % of the time", part, own);
        make("waits, 1 % of the time", part, waits);
      }
    } finally {
      SessionBuilder.close(session);
    }
  }

  private static void make(String what, ApplicationAnalysis analysis,
      List<HistogramMetric> metrics) {
    long begin = System.nanoTime();
    HistogramReport.of(analysis, metrics, Level.THREAD, null, HistogramReport.MOST_BINS,
        Progress.NONE);
    System.out.printf(Locale.ROOT, "%s: %.3f s%n", what, (System.nanoTime() - begin) / 1e9);
  }
}
