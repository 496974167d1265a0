package org.parallax.cli.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.text.NarrowTable;
import org.parallax.analysis.text.TextTable;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.program.Application;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/** What a session file holds: its runs, and the applications of each. */
final class SessionInfo {
  /** @param threads of all processes */
  private record Part(String name, int processes, int threads) {}

  /** @param durationNs -1 for what has not been recorded yet */
  private record Known(Run run, Path trace, long durationNs, List<Part> applications) {}

  private final Path file;
  private final boolean isComparison;
  private final List<Known> runs = new ArrayList<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private boolean damaged;

  private SessionInfo(Path file, boolean isComparison) {
    this.file = file;
    this.isComparison = isComparison;
  }

  /** Opens the trace of each run, if there is one, and closes it again. */
  static SessionInfo of(ResolvedRuns resolved, Progress progress) throws TraceException {
    SessionInfo info = new SessionInfo(resolved.path(), resolved.isComparison());
    for (ResolvedRuns.Entry each : resolved.runs()) {
      info.add(each.run(), each.source(), progress);
    }
    return info;
  }

  private void add(Run run, Path trace, Progress progress) throws TraceException {
    if (run.getMode() == RunMode.ACTIVE && !Trace.isTrace(trace)) {
      runs.add(new Known(run, trace, -1, List.of()));
      return;
    }
    LoadedSession opened = SessionBuilder.open(List.of(trace), progress);
    try {
      List<Trace> traces = opened.traces();
      runs.add(new Known(run, trace, traces.stream().mapToLong(Trace::durationNs).max().orElse(0),
          opened.getApplications().stream().map(SessionInfo::part).toList()));
      for (Trace each : traces) {
        warnings.addAll(each.warnings());
        damaged |= each.isDamaged();
      }
    } finally {
      SessionBuilder.close(opened);
    }
  }

  private static Part part(Application application) {
    return new Part(application.getName(), application.getProcesses().size(),
        application.getProcesses().stream().mapToInt(each -> each.getThreads().size()).sum());
  }

  Set<String> warnings() {
    return warnings;
  }

  boolean isDamaged() {
    return damaged;
  }

  private static String mode(Run run) {
    return run.getMode().getName().toLowerCase(Locale.ROOT);
  }

  String text() {
    List<Row> rows = new ArrayList<>();
    for (Known known : runs) {
      boolean recorded = known.durationNs >= 0;
      rows.add(new Row(known.run.getName(), null, null, List.of(mode(known.run),
          Objects.requireNonNullElse(known.run.getGroup(), ""), known.trace.toString(),
          known.applications.stream().map(Part::name).collect(Collectors.joining(", ")),
          recorded ? (Object) known.applications.stream().mapToLong(Part::processes).sum() : "",
          recorded ? (Object) known.applications.stream().mapToLong(Part::threads).sum() : "",
          recorded ? (Object) known.durationNs : "not recorded yet")));
    }
    return TextTable.print(NarrowTable.of(new Table("info", (isComparison ? "Comparison "
        : "Session ") + file, file.toString(), Map.of(), "run", Unit.COUNT, 0, -1, List.of(
            new Column("mode", "mode", Unit.TEXT), new Column("group", "group", Unit.TEXT),
            new Column("trace", "trace", Unit.TEXT),
            new Column("applications", "applications", Unit.TEXT),
            new Column("processes", "processes", Unit.COUNT),
            new Column("threads", "threads", Unit.COUNT),
            new Column("durationNs", "duration", Unit.NANOSECONDS)), rows, List.of()), Set.of()),
        Integer.MAX_VALUE);
  }

  Map<String, Object> json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("session", file.toString());
    object.put("comparison", isComparison);
    List<Object> list = new ArrayList<>();
    for (Known known : runs) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", known.run.getName());
      fields.put("mode", mode(known.run));
      fields.put("group", known.run.getGroup());
      fields.put("command", known.run.getCommand());
      fields.put("trace", known.trace.toString());
      fields.put("durationNs", known.durationNs < 0 ? null : known.durationNs);
      List<Object> applications = new ArrayList<>();
      for (Part part : known.applications) {
        Map<String, Object> application = new LinkedHashMap<>();
        application.put("name", part.name);
        application.put("processes", (long) part.processes);
        application.put("threads", (long) part.threads);
        applications.add(application);
      }
      fields.put("applications", applications);
      list.add(fields);
    }
    object.put("runs", list);
    object.put("warnings", List.copyOf(warnings));
    return object;
  }
}
