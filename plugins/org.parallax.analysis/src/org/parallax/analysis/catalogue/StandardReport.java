package org.parallax.analysis.catalogue;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.CallTreeReport;
import org.parallax.analysis.calls.GprofReport;
import org.parallax.analysis.events.EventsReport;
import org.parallax.analysis.metrics.HistogramReport;
import org.parallax.analysis.metrics.MetricsReport;
import org.parallax.analysis.phases.MpiPhase;
import org.parallax.analysis.phases.PhasesReport;
import org.parallax.analysis.reports.BalanceReport;
import org.parallax.analysis.reports.ClocksReport;
import org.parallax.analysis.reports.CriticalPathReport;
import org.parallax.analysis.reports.DelaysReport;
import org.parallax.analysis.reports.EfficiencyReport;
import org.parallax.analysis.reports.IntervalsReport;
import org.parallax.analysis.reports.IntrusionReport;
import org.parallax.analysis.reports.NptReport;
import org.parallax.analysis.reports.ProfileReport;
import org.parallax.analysis.reports.SlackReport;
import org.parallax.analysis.reports.TrafficReport;
import org.parallax.analysis.reports.WaitsReport;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.source.SourceReport;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.text.HistogramChart;
import org.parallax.analysis.text.IntervalChart;
import org.parallax.model.program.Level;
import org.parallax.trace.Progress;

/** The reports that Parallax itself makes, in the order of the help. */
public enum StandardReport implements ReportKind {
  METRICS("Metrics", "elapsed time, CPU time, wait times, messages and bytes",
      Level.PROCESS, Comparability.ABSENT_IS_UNKNOWN, Parameter.LEVEL, Parameter.PHASE,
      Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(
          analysis, MetricsReport.of(analysis, request.level(), request.node(), progress));
    }

    @Override
    public boolean joinsApplications(Level level) {
      return level == Level.APPLICATION;
    }

    @Override
    public Table makeOfAll(
        List<ApplicationAnalysis> analyses, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(analyses, MetricsReport.join(analyses.stream()
          .map(analysis -> MetricsReport.of(analysis, request.level(), null, progress)).toList()));
    }
  },
  PROFILE("Profile", "the time of each procedure",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.FOLD_INLINED,
      Parameter.WITHOUT_INTRUSION, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return told(analysis, request, progress, ProfileReport.of(
          request.of(analysis), request.level(), request.node(), progress));
    }
  },
  CRITICAL_PATH("Critical Path", "the parts of the longest path through the program",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.BY, Parameter.WEIGHT,
      Parameter.FOLD_INLINED, Parameter.WITHOUT_INTRUSION, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return told(analysis, request, progress, CriticalPathReport.of(request.of(analysis), request.level(),
          request.values().choice(Parameter.BY, CriticalPathReport.Grouping.PAIR),
          request.weight(), request.node(), progress));
    }
  },
  CALLTREE("Call Tree", "the call tree with the time and visits of each call path",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.MIN_PERCENT, Parameter.INVERTED,
      Parameter.FOLD_INLINED, Parameter.WITHOUT_INTRUSION, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      return told(analysis, request, progress, CallTreeReport.of(request.of(analysis), request.node(),
          request.values().has(Parameter.INVERTED.name()), request.minPercent(), progress));
    }
  },
  SOURCE("Source Lines", "the time of each source line, its share of the critical path, its waits",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.WEIGHT, Parameter.FOLD_INLINED,
      Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return SourceReport.of(
          request.of(analysis), request.weight(), request.node(), progress);
    }
  },
  NPT("NPT", "the time of each procedure, divided by the number of executing threads",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.WEIGHT,
      Parameter.FOLD_INLINED, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(analysis, NptReport.of(
          request.of(analysis), request.level(), request.weight(), request.node(), progress));
    }
  },
  GPROF("gprof", "callers and callees of each procedure, with their times and calls",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.WEIGHT, Parameter.MIN_PERCENT,
      Parameter.FOLD_INLINED, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      return GprofReport.of(request.of(analysis), request.weight(), request.node(),
          request.minPercent(), progress);
    }
  },
  WHAT_IF("What If", "the length of the critical path if parts of the program were faster",
      Level.PROCEDURE, Comparability.ABSENT_IS_UNKNOWN, Parameter.WEIGHT, Parameter.FASTER, Parameter.EXCLUSIVE,
      Parameter.FOLD_INLINED, Parameter.PHASE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      return WhatIfReport.of(request.of(analysis), FasterChanges.of(analysis, request, progress),
          request.extent(), request.weight(), progress);
    }

    @Override
    public List<ReportRequest> together(
        List<ApplicationAnalysis> analyses, List<ReportRequest> requests, Progress progress) {
      return FasterChanges.together(analyses, requests, progress);
    }
  },
  SLACK("Slack", "how much longer work and interactions could take without a longer run",
      Level.PROCESS, Comparability.ABSENT_IS_UNKNOWN, Parameter.LEVEL, Parameter.WEIGHT,
      Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return SlackReport.slack(
          analysis, request.level(), request.weight(), request.node(), progress);
    }
  },
  PATHS("Longest Paths", "the critical path and the next longest paths",
      Level.PROCESS, Comparability.ABSENT_IS_UNKNOWN, Parameter.LEVEL, Parameter.WEIGHT,
      Parameter.PHASE, Parameter.COUNT) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      return SlackReport.paths(
          analysis, request.level(), request.weight(),
          request.values().number(Parameter.COUNT.name(), FEW_PATHS, 1), progress);
    }
  },
  HISTOGRAM("Histogram", "any metric over time, as curves",
      Level.APPLICATION, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.PHASE,
      Parameter.METRIC, Parameter.BINS, Parameter.ALIGN, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      int bins = request.values().number(Parameter.BINS.name(), FEW_BINS, 1);
      if (bins > HistogramReport.MOST_BINS) {
        throw new WrongParameterException("option --bins cannot be " + bins
            + "; the maximum is " + HistogramReport.MOST_BINS
            + "; for finer bins, choose a part of the time with --phase");
      }
      return HistogramReport.of(analysis,
          MetricNames.of(request.values().get(Parameter.METRIC.name(), "utilization"), analysis),
          request.level(), request.node(), bins, request.values().longNumber(SPAN_NS, 0, 0),
          progress);
    }

    @Override
    public String text(Table table, int top) {
      return HistogramChart.print(table, top);
    }

    @Override
    public List<ReportRequest> together(
        List<ApplicationAnalysis> analyses, List<ReportRequest> requests, Progress progress) {
      long spanNs = 1;
      for (int i = 0; i < requests.size(); i++) {
        spanNs = Math.max(
            spanNs, HistogramReport.spanNs(analyses.get(i), requests.get(i).node()));
      }
      String longest = Long.toString(spanNs);
      return requests.stream().map(each -> each.with(SPAN_NS, longest)).toList();
    }

    @Override
    public String textOfDifference(Table table, String column, int top) {
      return HistogramChart.printDifference(table, top);
    }
  },
  EVENTS("Events", "the events around a point in time, with their partners",
      Level.THREAD, Comparability.NONE, Parameter.PHASE, Parameter.COUNT, Parameter.AT,
      Parameter.KIND, Parameter.TEXT, Parameter.ALIGN, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      return EventsReport.of(analysis, request.node(),
          WantedEvents.of(request.values(), analysis), progress);
    }
  },
  PHASES("Phases", "the phases that the program names, and proposed phases",
      Level.THREAD, Comparability.ABSENT_IS_UNKNOWN, Parameter.PROPOSE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return PhasesReport.of(
          analysis, request.node(), request.values().has(Parameter.PROPOSE.name()), progress);
    }

    @Override
    public String mainColumn(Table table) {
      return "time";
    }
  },
  INTERVALS("Sample Intervals", "the distances between samples, with and without the time in calls",
      Level.THREAD, Comparability.ABSENT_IS_ZERO, Parameter.WEIGHT, Parameter.THREAD,
      Parameter.BIN_NS, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress)
        throws ReportException {
      int thread = request.values().number(Parameter.THREAD.name(), ANY_THREAD, 0);
      SortedSet<Integer> numbers = new TreeSet<>();
      analysis.threads().forEach(record -> numbers.add(record.thread().id()));
      if (thread != ANY_THREAD && !numbers.contains(thread)) {
        throw new ReportException("no process has a thread with the number " + thread
            + "; the numbers are: " + numbers.stream().map(String::valueOf).collect(joining(", ")));
      }
      return IntervalsReport.of(analysis, request.weight(), request.node(), thread,
          request.values().longNumber(Parameter.BIN_NS.name(), 0, 1), progress);
    }

    @Override
    public String text(Table table, int top) {
      return IntervalChart.print(table, top);
    }

    @Override
    public List<ReportRequest> together(
        List<ApplicationAnalysis> analyses, List<ReportRequest> requests, Progress progress)
        throws ReportException {
      if (requests.get(0).values().has(Parameter.BIN_NS.name())) {
        return requests;
      }
      long widest = 1;
      for (int i = 0; i < requests.size(); i++) {
        widest = Math.max(widest, IntervalsReport.binNs(analyses.get(i), requests.get(i).node(),
            requests.get(i).values().number(Parameter.THREAD.name(), ANY_THREAD, 0)));
      }
      String binNs = Long.toString(widest);
      return requests.stream().map(each -> each.with(Parameter.BIN_NS.name(), binNs)).toList();
    }
  },
  WAITS("Wait States", "the time lost waiting: wait states, places and causes",
      Level.PROCESS, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.FOLD_INLINED,
      Parameter.PHASE, Parameter.CAUSES, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(analysis, WaitsReport.of(request.of(analysis), request.level(),
          request.values().has(Parameter.CAUSES.name()), request.node(), progress));
    }
  },
  DELAYS("Delay Costs", "the work by which threads came late, with the waits that it cost",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.FOLD_INLINED,
      Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(analysis, DelaysReport.of(
          request.of(analysis), request.level(), request.node(), progress));
    }
  },
  BALANCE("Balance", "the time of each procedure over the processes: mean, maximum, outliers",
      Level.PROCEDURE, Comparability.ABSENT_IS_ZERO, Parameter.FOLD_INLINED, Parameter.PHASE,
      Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(analysis, BalanceReport.of(
          request.of(analysis), request.node(), progress));
    }
  },
  COMM("Communication", "messages, bytes and times between senders and receivers",
      Level.PROCESS, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.PHASE,
      Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return TrafficReport.of(analysis, request.level(), request.node(), progress);
    }
  },
  CLOCKS("Clocks", "the agreement of the machines' clocks, according to messages",
      Level.MACHINE, Comparability.ABSENT_IS_UNKNOWN, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return ClocksReport.of(analysis, request.node(), progress);
    }
  },
  INTRUSION("Intrusion", "the time that measuring cost the program, by threads or call paths",
      Level.THREAD, Comparability.ABSENT_IS_ZERO, Parameter.LEVEL, Parameter.PHASE, Parameter.NODE) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return IntrusionReport.of(analysis, request.level(), request.node(), progress);
    }
  },
  EFFICIENCY("Efficiency", "the POP factors: load balance, communication, scaling; each run is a "
      + "column",
      Level.APPLICATION, Comparability.ABSENT_IS_UNKNOWN, Parameter.PHASE, Parameter.SCALING) {
    @Override
    public Table make(ApplicationAnalysis analysis, ReportRequest request, Progress progress) {
      return makeOfAll(List.of(analysis), request, progress);
    }

    @Override
    public boolean joinsApplications(Level level) {
      return true;
    }

    @Override
    public Table makeOfAll(
        List<ApplicationAnalysis> analyses, ReportRequest request, Progress progress) {
      return MpiPhase.hinted(analyses, EfficiencyReport.of(analyses,
          request.values().get(Parameter.SCALING.name(), "strong").equals("weak"), progress));
    }
  };

  /** With what a person must know before trusting the table. */
  private static Table told(
      ApplicationAnalysis analysis, ReportRequest request, Progress progress, Table table) {
    if (!request.values().has(Parameter.WITHOUT_INTRUSION.name())) {
      return MpiPhase.hinted(analysis, table);
    }
    List<String> warnings = new ArrayList<>(table.warnings());
    warnings.addAll(analysis.intrusion(progress).warnings());
    return MpiPhase.hinted(analysis, table.with(warnings));
  }

  private static final int FEW_PATHS = 10;
  private static final int FEW_BINS = 120;
  private static final int ANY_THREAD = -1;
  /** How much time the bins of compared histograms divide; nobody asks for it. */
  private static final String SPAN_NS = "span-ns";

  private static final Set<StandardReport> OF_PROCEDURES =
      Set.of(PROFILE, BALANCE, CRITICAL_PATH, CALLTREE, SOURCE, NPT, GPROF, WAITS, DELAYS, WHAT_IF,
          INTRUSION);
  private static final Set<StandardReport> OF_PROFILES = Set.of(PROFILE, BALANCE, CALLTREE, GPROF);
  private static final Set<StandardReport> OF_PATHS = Set.of(CRITICAL_PATH, WHAT_IF, SLACK, PATHS);
  private static final Set<StandardReport> OVER_TIME = Set.of(HISTOGRAM, EVENTS);

  private final String title;
  private final String summary;
  private final Level defaultLevel;
  private final Comparability comparability;
  private final List<Parameter> parameters;

  StandardReport(String title, String summary, Level defaultLevel, Comparability comparability,
      Parameter... parameters) {
    this.title = title;
    this.summary = summary;
    this.defaultLevel = defaultLevel;
    this.comparability = comparability;
    this.parameters = List.of(parameters);
  }

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String summary() {
    return summary;
  }

  @Override
  public List<Parameter> parameters() {
    return parameters;
  }

  @Override
  public Level defaultLevel() {
    return defaultLevel;
  }

  @Override
  public Comparability comparability() {
    return comparability;
  }

  @Override
  public Subject subject() {
    return OF_PATHS.contains(this) ? Subject.PATHS
        : OVER_TIME.contains(this) ? Subject.TIME : Subject.APPLICATION;
  }

  @Override
  public boolean hasProcedures() {
    return OF_PROCEDURES.contains(this);
  }

  @Override
  public boolean takesProfiles() {
    return OF_PROFILES.contains(this);
  }

  @Override
  public boolean isOfSeries() {
    return this == EFFICIENCY;
  }
}
