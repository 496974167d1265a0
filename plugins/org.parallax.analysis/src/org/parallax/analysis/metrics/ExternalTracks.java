package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.ExternalData;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.model.program.Workload.PlacedData;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.series.ExternalMetric;

/** What monitors measured, as it is, for timelines. */
public final class ExternalTracks {
  /**
   * A metric.
   *
   * @param subject the model's process that it is about, else the external data
   * @param name of the subject with that of the monitor, for people
   * @param metric its name with its unit
   * @param window the part of the time that it is shown for
   */
  public record Track(Object subject, String name, String metric, ExternalMetric values,
      Window window) {
    /** Visits its pieces of constant level; of counters the growth in a second. */
    public void visit(ExternalMetric.Visitor visitor) {
      for (int i = 0; i < window.count(); i++) {
        values.visit(window.beginNs(i), window.endNs(i), visitor);
      }
    }
  }

  private ExternalTracks() {}

  /** @param node to which they are limited; null for all */
  public static List<Track> of(ApplicationAnalysis analysis, TreeNode node) {
    List<Track> tracks = new ArrayList<>();
    List<ProcessTrace> processes = analysis.workload().processes();
    Window whole = new Window(processes.stream().mapToLong(ProcessTrace::startNs).min().orElse(0),
        processes.stream().mapToLong(ProcessTrace::endNs).max().orElse(0));
    Window window = analysis.window() == Window.ALL ? whole : analysis.window();
    for (PlacedData placed : analysis.workload().externals()) {
      ExternalData data = placed.data();
      if (ExternalCurves.isBelow(data, node)) {
        Object subject = data.getProcess() != null ? data.getProcess() : data;
        String name = ExternalCurves.name(data, Level.PROCESS) + ": " + data.getName();
        placed.series().metrics().forEach(metric -> tracks.add(
            new Track(subject, name, HistogramMetric.label(metric), metric, window)));
      }
    }
    return tracks;
  }
}
