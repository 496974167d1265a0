package org.parallax.ui.timeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.osgi.util.NLS;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.analysis.time.ThreadMetric;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.Progress;

/**
 * By what lanes are sorted or chosen.
 *
 * @param metric of every thread; null for the time in a procedure
 * @param procedure its name; null for a metric
 */
record LaneMetric(ThreadMetric metric, String procedure) {
  static LaneMetric of(ThreadMetric metric) {
    return new LaneMetric(metric, null);
  }

  /** The time in a procedure, without what it calls. */
  static LaneMetric timeIn(String procedure) {
    return new LaneMetric(null, procedure);
  }

  String label() {
    return metric == null ? NLS.bind(Messages.laneTimeIn, procedure) : metric.label();
  }

  /** The value of each thread; reads events. */
  Map<ProgramThread, Long> values(ApplicationAnalysis analysis, Progress progress) {
    Map<ProgramThread, Long> values = new HashMap<>();
    if (metric != null) {
      for (ThreadRecord record : analysis.replay(progress).threads()) {
        values.put(analysis.thread(record), metric.of(record.metrics()));
      }
      return values;
    }
    List<CallPathProfile> profiles = analysis.profiles(progress);
    for (int i = 0; i < profiles.size(); i++) {
      ThreadRecord record = analysis.threads().get(i);
      long[] wallNs = profiles.get(i).wallNs();
      long sum = 0;
      for (int path = 0; path < wallNs.length; path++) {
        if (wallNs[path] != 0 && isIn(analysis, record, path)) {
          sum += wallNs[path];
        }
      }
      values.put(analysis.thread(record), sum);
    }
    return values;
  }

  private boolean isIn(ApplicationAnalysis analysis, ThreadRecord record, int path) {
    int leaf = analysis.procedures().leaf(record.process().index(), path);
    return analysis.procedures().get(leaf).name().equals(procedure);
  }
}
