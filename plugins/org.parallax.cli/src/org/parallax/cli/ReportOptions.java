package org.parallax.cli;

import java.util.List;
import org.parallax.analysis.graph.Weight;
import org.parallax.model.Level;
import org.parallax.model.TreeNode;

/**
 * What a report is made of and how.
 *
 * @param node to which it is limited; null for all
 * @param thread the number of threads in their processes, -1 for all
 * @param binNs the width of bins, 0 for one that fits
 * @param minPercent of the total time, below which paths are left out
 * @param faster what is to be faster and by how much, as {@code NAME=TIMES}
 * @param count of paths
 * @param causes whether wait states have a row for each cause
 * @param arguments the whole command line, for what only one report has
 */
record ReportOptions(Level level, Weight weight, TreeNode node, int thread, long binNs,
    double minPercent, List<String> faster, int count, boolean causes,
    Arguments arguments) {
  private static final int PATHS = 10;

  /** Of a report without what only some have. */
  static ReportOptions plain(Level level, Weight weight, TreeNode node, Arguments arguments) {
    return new ReportOptions(level, weight, node, -1, 0, 0, List.of(), PATHS, false, arguments);
  }
}
