package org.parallax.cli;

import java.util.List;
import java.util.Locale;
import org.parallax.analysis.graph.Weight;
import org.parallax.analysis.text.TableFormat;
import org.parallax.model.Level;
import org.parallax.model.TreeNode;

/**
 * What a report is made of and how.
 *
 * @param node to which it is limited; null for all
 * @param thread the number of threads in their processes, -1 for all
 * @param binNs the width of bins, 0 for one that fits
 * @param spanNs how much time bins divide, 0 for all that there is
 * @param minPercent of the total time, below which paths are left out
 * @param faster what is to be faster and by how much, as {@code NAME=TIMES}
 * @param count of paths
 * @param causes whether wait states have a row for each cause
 * @param arguments the whole command line, for what only one report has
 */
record ReportOptions(Level level, Weight weight, TreeNode node, int thread, long binNs, long spanNs,
    double minPercent, List<String> faster, int count, boolean causes,
    Arguments arguments) {
  private static final int PATHS = 10;

  /** What a command line says. */
  static ReportOptions of(Report report, Arguments arguments, double minPercent, TreeNode node)
      throws UsageException {
    return new ReportOptions(level(report, arguments), weight(arguments), node,
        arguments.number("--thread", -1, 0), arguments.number("--bin-ns", 0, 1), 0, minPercent,
        arguments.all("--faster"), arguments.number("--count", PATHS, 1),
        arguments.has("--causes"), arguments);
  }

  /** The percentage that is asked for; without, all of it goes to programs. */
  static double minPercent(Arguments arguments, TableFormat format) throws UsageException {
    return arguments.number("--min-percent", format == TableFormat.TEXT ? 1 : 0, 0);
  }

  static Level level(Report report, Arguments arguments) {
    return arguments.has("--level")
        ? Level.valueOf(arguments.get("--level", "").toUpperCase(Locale.ROOT))
        : report.defaultLevel();
  }

  private static Weight weight(Arguments arguments) {
    return Weight.valueOf(arguments.get("--weight", "cpu").toUpperCase(Locale.ROOT));
  }

  /** Of parts of another kind. */
  ReportOptions withLevel(Level newLevel) {
    return new ReportOptions(newLevel, weight, node, thread, binNs, spanNs, minPercent, faster,
        count, causes, arguments);
  }

  /** With other bins. */
  ReportOptions withBins(long newBinNs, long newSpanNs) {
    return new ReportOptions(level, weight, node, thread, newBinNs, newSpanNs, minPercent, faster,
        count, causes, arguments);
  }

  /** With other parts that are to be faster. */
  ReportOptions withFaster(List<String> parts) {
    return new ReportOptions(level, weight, node, thread, binNs, spanNs, minPercent, parts, count,
        causes, arguments);
  }
}
