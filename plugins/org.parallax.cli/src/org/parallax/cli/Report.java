package org.parallax.cli;

import java.util.List;
import java.util.Locale;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.CriticalPathReport;
import org.parallax.analysis.MetricsReport;
import org.parallax.analysis.ProfileReport;
import org.parallax.analysis.Table;
import org.parallax.analysis.graph.Weight;
import org.parallax.model.Level;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;

/** The kinds of reports. */
enum Report {
  METRICS("elapsed, CPU and waiting time, messages and bytes", Level.PROCESS) {
    @Override
    Table make(ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node,
        Progress progress) {
      return MetricsReport.of(analysis, level, node, progress);
    }
  },
  PROFILE("the time of each procedure", Level.PROCEDURE) {
    @Override
    Table make(ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node,
        Progress progress) {
      return ProfileReport.of(analysis, level, node, progress);
    }
  },
  CRITICAL_PATH("what the longest path through the program consists of", Level.PROCEDURE) {
    @Override
    Table make(ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node,
        Progress progress) {
      return CriticalPathReport.of(analysis, level, weight, node, progress);
    }
  };

  private final String summary;
  private final Level defaultLevel;

  Report(String summary, Level defaultLevel) {
    this.summary = summary;
    this.defaultLevel = defaultLevel;
  }

  /** The name on the command line and in tables. */
  String kind() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String summary() {
    return summary;
  }

  Level defaultLevel() {
    return defaultLevel;
  }

  /** Makes the table of an application, of all of it or of a part. */
  abstract Table make(ApplicationAnalysis analysis, Level level, Weight weight, TreeNode node,
      Progress progress);

  static List<String> kinds() {
    return List.of(values()).stream().map(Report::kind).toList();
  }

  static Report of(String kind) throws UsageException {
    for (Report report : values()) {
      if (report.kind().equals(kind)) {
        return report;
      }
    }
    throw new UsageException("unknown report \"" + kind + "\"" + NearNames.hint(kind, kinds()));
  }
}
