package org.parallax.cli;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.CallTreeReport;
import org.parallax.analysis.ClocksReport;
import org.parallax.analysis.ComparisonReport;
import org.parallax.analysis.CriticalPathReport;
import org.parallax.analysis.EfficiencyReport;
import org.parallax.analysis.EventsReport;
import org.parallax.analysis.GprofReport;
import org.parallax.analysis.HistogramReport;
import org.parallax.analysis.IntervalsReport;
import org.parallax.analysis.MetricsReport;
import org.parallax.analysis.NptReport;
import org.parallax.analysis.PhasesReport;
import org.parallax.analysis.ProfileReport;
import org.parallax.analysis.SlackReport;
import org.parallax.analysis.SourceReport;
import org.parallax.analysis.Table;
import org.parallax.analysis.TrafficReport;
import org.parallax.analysis.WaitsReport;
import org.parallax.analysis.WhatIfReport;
import org.parallax.analysis.text.ReportText;
import org.parallax.model.Level;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;

/** The kinds of reports. */
enum Report {
  METRICS("elapsed, CPU and waiting time, messages and bytes", Level.PROCESS, "--level",
      "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return MetricsReport.of(analysis, options.level(), options.node(), progress);
    }

    @Override
    boolean isOfAll(Level level) {
      return level == Level.APPLICATION;
    }

    @Override
    Table makeOfAll(
        List<ApplicationAnalysis> analyses, ReportOptions options, Progress progress) {
      return MetricsReport.join(analyses.stream()
          .map(analysis -> MetricsReport.of(analysis, options.level(), null, progress)).toList());
    }
  },
  PROFILE("the time of each procedure", Level.PROCEDURE, "--level", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return ProfileReport.of(analysis, options.level(), options.node(), progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  CRITICAL_PATH("what the longest path through the program consists of", Level.PROCEDURE,
      "--level", "--weight", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return CriticalPathReport.of(analysis, options.level(), options.weight(), options.node(),
          progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  CALLTREE("the call tree with the time and visits of each call path", Level.PROCEDURE,
      "--min-percent", "--inverted", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return CallTreeReport.of(analysis, options.node(), options.arguments().has("--inverted"),
          options.minPercent(), progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  SOURCE("the time of each line of the source, its share of the path, its waits",
      Level.PROCEDURE, "--weight", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return SourceReport.of(analysis, options.weight(), options.node(), progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  NPT("the time of each procedure, normalized by how many threads execute", Level.PROCEDURE,
      "--level", "--weight", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return NptReport.of(analysis, options.level(), options.weight(), options.node(), progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  GPROF("callers and callees of each procedure, with the time and calls of each", Level.PROCEDURE,
      "--weight", "--min-percent", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return GprofReport.of(analysis, options.weight(), options.node(), options.minPercent(),
          progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  WHAT_IF("how much shorter the critical path would be if parts were faster", Level.PROCEDURE,
      "--weight", "--faster", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress)
        throws UsageException, CommandFailure {
      return WhatIfReport.of(analysis, FasterArgument.changes(analysis, options.faster(),
          options.weight(), progress), options.weight(), progress);
    }

    @Override
    List<ReportOptions> together(
        List<ApplicationAnalysis> analyses, List<ReportOptions> options, Progress progress) {
      return FasterArgument.together(analyses, options, progress);
    }
  },
  SLACK("by how much work and interactions could take longer without harm", Level.PROCESS,
      "--level", "--weight", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return SlackReport.slack(
          analysis, options.level(), options.weight(), options.node(), progress);
    }
  },
  PATHS("the critical path and those that come next", Level.PROCESS, "--level", "--weight",
      "--phase", "--count") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return SlackReport.paths(
          analysis, options.level(), options.weight(), options.count(), progress);
    }
  },
  HISTOGRAM("any metric over time, as curves", Level.APPLICATION, "--level", "--phase",
      "--metric", "--bins", "--align") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress)
        throws UsageException, CommandFailure {
      int bins = options.arguments().number("--bins", HistogramChart.fitting(Console.width()), 1);
      if (bins > HistogramReport.MOST_BINS) {
        throw new UsageException("option --bins cannot be " + bins + "; a histogram has at most "
            + HistogramReport.MOST_BINS + "; look at a part of the time with --phase");
      }
      return HistogramReport.of(analysis,
          MetricArgument.of(options.arguments().get("--metric", "utilization"), analysis),
          options.level(), options.node(), bins, options.spanNs(), progress);
    }

    @Override
    String text(Table table, int top) {
      return HistogramChart.print(table, top);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }

    @Override
    List<ReportOptions> together(
        List<ApplicationAnalysis> analyses, List<ReportOptions> options, Progress progress) {
      long spanNs = 1;
      for (int i = 0; i < options.size(); i++) {
        spanNs =
            Math.max(spanNs, HistogramReport.spanNs(analyses.get(i), options.get(i).node()));
      }
      long longest = spanNs;
      return options.stream().map(each -> each.withBins(each.binNs(), longest)).toList();
    }

    @Override
    String textOfDifference(Table table, String column, int top) {
      return HistogramChart.printDifference(table, top);
    }
  },
  EVENTS("the events around a moment, with who the other side is", Level.THREAD, "--phase",
      "--count", "--at", "--kind", "--text", "--align") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress)
        throws UsageException, CommandFailure {
      return EventsReport.of(analysis, options.node(),
          EventsArgument.of(options.arguments(), analysis), progress);
    }

    @Override
    boolean hasDifferences() {
      return false;
    }
  },
  PHASES("the phases that the program names, and those that the data suggest", Level.THREAD,
      "--propose") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return PhasesReport.of(
          analysis, options.node(), options.arguments().has("--propose"), progress);
    }

    @Override
    String mainColumn(Table table) {
      return "time";
    }
  },
  INTERVALS("how far samples are apart, with and without the time in calls", Level.THREAD,
      "--weight", "--thread", "--bin-ns") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress)
        throws CommandFailure {
      SortedSet<Integer> numbers = new TreeSet<>();
      analysis.threads().forEach(record -> numbers.add(record.thread().id()));
      if (options.thread() >= 0 && !numbers.contains(options.thread())) {
        throw new CommandFailure("no process has a thread with the number " + options.thread()
            + "; there is: " + numbers.stream().map(String::valueOf).collect(joining(", ")));
      }
      return IntervalsReport.of(analysis, options.weight(), options.node(), options.thread(),
          options.binNs(), progress);
    }

    @Override
    String text(Table table, int top) {
      return IntervalChart.print(table, top);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }

    @Override
    List<ReportOptions> together(
        List<ApplicationAnalysis> analyses, List<ReportOptions> options, Progress progress) {
      long widest = options.get(0).binNs();
      for (int i = 0; i < options.size() && options.get(0).binNs() == 0; i++) {
        widest = Math.max(widest, IntervalsReport.binNs(
            analyses.get(i), options.get(i).node(), options.get(i).thread()));
      }
      long binNs = widest;
      return options.stream().map(each -> each.withBins(binNs, 0)).toList();
    }
  },
  WAITS("the time lost waiting for others, how, where, and who caused it", Level.PROCESS,
      "--level", "--phase", "--causes") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return WaitsReport.of(analysis, options.level(), options.causes(), options.node(), progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  COMM("what goes from whom to whom: messages, bytes, times", Level.PROCESS, "--level", "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return TrafficReport.of(analysis, options.level(), options.node(), progress);
    }

    @Override
    boolean absentIsNone() {
      return true;
    }
  },
  CLOCKS("how well the clocks of machines agree, by their messages", Level.MACHINE, "--phase") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return ClocksReport.of(analysis, options.node(), progress);
    }
  },
  EFFICIENCY("the POP factors: load balance, communication, scaling; each run a column",
      Level.APPLICATION, "--phase", "--scaling") {
    @Override
    Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress) {
      return makeOfAll(List.of(analysis), options, progress);
    }

    @Override
    boolean isOfAll(Level level) {
      return true;
    }

    @Override
    Table makeOfAll(
        List<ApplicationAnalysis> analyses, ReportOptions options, Progress progress) {
      return EfficiencyReport.of(analyses,
          options.arguments().get("--scaling", "strong").equals("weak"), progress);
    }

    @Override
    boolean isOfSeries() {
      return true;
    }
  };

  /** Options that not all reports have. */
  private static final List<String> SPECIAL =
      List.of("--level", "--weight", "--min-percent", "--inverted", "--thread", "--bin-ns", "--phase", "--faster",
          "--count", "--causes", "--scaling", "--propose", "--metric", "--bins", "--align",
          "--at", "--kind", "--text");

  private final String summary;
  private final Level defaultLevel;
  private final List<String> options;

  Report(String summary, Level defaultLevel, String... options) {
    this.summary = summary;
    this.defaultLevel = defaultLevel;
    this.options = List.of(options);
  }

  /** An option that would have no effect is wrong use. */
  void checkOptions(Arguments arguments) throws UsageException {
    if (arguments.has("--node") && !isOfNodes()) {
      throw new UsageException("report " + kind() + " is of whole applications: it has no --node"
          + (this == WHAT_IF ? "; what is to be faster is named by --faster" : ""));
    }
    if (arguments.get("--level", "").equals("procedure") && !hasProcedures()
        && options.contains("--level")) {
      throw new UsageException("report " + kind() + " has no level procedure; --level procedure is "
          + "for: " + kinds(report -> report.options.contains("--level") && report.hasProcedures()));
    }
    for (String option : SPECIAL) {
      if (arguments.has(option) && !options.contains(option)) {
        throw new UsageException("report " + kind() + " has no " + option + "; it is for: "
            + kinds(report -> report.options.contains(option)));
      }
    }
  }

  /** @param node null for all; what a procedure has no part in would be said of all that its thread does. */
  void checkNode(TreeNode node) throws UsageException {
    if (node != null && node.procedure().isPresent() && !hasProcedures()) {
      throw new UsageException("report " + kind() + " is of threads and what has threads: it is not "
          + "of the procedure " + node.name() + "; of procedures there is: "
          + kinds(report -> report.isOfNodes() && report.hasProcedures()));
    }
  }

  private static String kinds(Predicate<Report> which) {
    return String.join(", ",
        List.of(values()).stream().filter(which).map(Report::kind).toList());
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
  abstract Table make(ApplicationAnalysis analysis, ReportOptions options, Progress progress)
      throws UsageException, CommandFailure;

  /** Whether runs differ by its rows; else those of all runs are in one table. */
  boolean hasDifferences() {
    return true;
  }

  /** Whether what has no row was measured to be nothing; else it is not known. */
  boolean absentIsNone() {
    return false;
  }

  /** What all runs that are compared must have in common, such as the width of bins. */
  List<ReportOptions> together(List<ApplicationAnalysis> analyses, List<ReportOptions> options,
      Progress progress) {
    return options;
  }

  /** Whether a column says something only in a series of runs: then {@link #makeOfAll} makes all. */
  boolean isOfSeries() {
    return false;
  }

  /** The differences of two runs for people. */
  String textOfDifference(Table table, String column, int top) {
    return ReportText.difference(table, column, top);
  }

  /** The column whose differences say most. */
  String mainColumn(Table table) {
    return ComparisonReport.mainColumn(table);
  }

  /** Whether it has an option. */
  boolean takes(String option) {
    return options.contains(option);
  }

  /** Whether it can be limited to a part of a program tree. */
  private boolean isOfNodes() {
    return this != WHAT_IF && this != PATHS && this != EFFICIENCY;
  }

  /** Whether it tells of procedures, as rows or of one by itself. */
  private boolean hasProcedures() {
    return this == PROFILE || this == CRITICAL_PATH || this == CALLTREE
        || this == SOURCE || this == NPT || this == GPROF || this == WAITS || this == WHAT_IF;
  }

  /** Whether it is about paths that can go through several applications. */
  boolean isOfPaths() {
    return this == CRITICAL_PATH || this == WHAT_IF || this == SLACK || this == PATHS;
  }

  /** Whether several applications are shown in one table, on one time base. */
  boolean isOverTime() {
    return this == HISTOGRAM || this == EVENTS;
  }

  /** Whether there is one table for all applications, with a column for each. */
  boolean isOfAll(Level level) {
    return false;
  }

  /** Makes the table of all applications, if there is one. */
  Table makeOfAll(List<ApplicationAnalysis> analyses, ReportOptions options, Progress progress) {
    throw new UnsupportedOperationException(kind() + " is of one application");
  }

  /** The table for people. */
  String text(Table table, int top) {
    return ReportText.print(table, top);
  }

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
