package org.parallax.experiment.suggest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.reports.WhatIfReport;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProcedureKind;
import org.parallax.trace.Progress;

/**
 * Proposes factors for an experiment from a trace: the functions with the most work on the critical
 * path, whose delay is felt in full, and the calls in which the most time is spent waiting, where a
 * delay may cost nothing or even help. What the graph predicts stands beside functions: by how much
 * longer the critical path is when they take a tenth longer. Of calls it is not known.
 */
public final class Suggestions {
  private static final double TENTH_SLOWER = 1 / 1.1;
  private static final Set<ProcedureKind> ROUTINES = EnumSet.of(ProcedureKind.MPI,
      ProcedureKind.PTHREAD, ProcedureKind.PVM, ProcedureKind.STREAM);
  /** Where a delay tells nothing: threads and processes come and go there. */
  private static final Set<String> NOT_WORTH = Set.of("pthread_join", "pthread_create", "MPI_Init",
      "MPI_Init_thread", "MPI_Finalize", "_start", "_init", "_fini");
  private static final List<String> SYSTEM = List.of("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/");
  private static final Pattern ADDED = Pattern.compile(
      "( \\[clone [^]]*\\])*(\\.(constprop|isra|part|cold|lto_priv|llvm)\\b[.\\w]*)*$");
  private static final List<Column> COLUMNS = List.of(
      Column.info("reason", "reason", Unit.TEXT),
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%", Unit.PERCENT),
      new Column("predicted", "if a tenth slower", Unit.NANOSECONDS));

  private record Call(Procedure routine, Procedure caller) {}

  private Suggestions() {}

  /**
   * Makes the table; its rows' names are places, as experiments take them.
   *
   * @param count how many factors at most
   * @param progress of the analyses
   */
  public static Table of(ApplicationAnalysis application, int count, Progress progress) {
    ApplicationAnalysis analysis = application.folded();  // an inlined function has no entry
    CriticalPath path = analysis.criticalPath(Weight.CPU, progress);
    long length = path.lengthNs();
    Map<Procedure, Long> work = work(analysis, path);
    List<Row> rows = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (Procedure procedure : first(work, count)) {
      long time = work.get(procedure);
      if (taken.add(place(procedure))) {
        long predicted = -(long) WhatIfReport.of(analysis,
            List.of(new WhatIfReport.Change(procedure.getName(), TENTH_SLOWER)),
            WhatIfReport.Extent.EXCLUSIVE, Weight.CPU, progress)
            .rows().get(0).values().get(2);
        rows.add(new Row("entry:" + place(procedure), procedure, null,
            List.of("work on the critical path", time, share(time, length), predicted)));
      }
    }
    Map<Call, Long> calls = calls(analysis, progress);
    long all = calls.values().stream().mapToLong(Long::longValue).sum();
    int left = Math.max(count - rows.size(), count / 4);
    rows = new ArrayList<>(rows.subList(0, Math.min(rows.size(), count - Math.min(left, calls.size()))));
    for (Call call : first(calls, left)) {
      long time = calls.get(call);
      rows.add(new Row("before:" + call.routine().getName() + "@" + place(call.caller()),
          call.caller(), null,
          List.of("time in " + call.routine().getKind().name().toLowerCase(Locale.ROOT)
              + " calls", time, share(time, all), "")));
    }
    Map<String, String> parameters = application.parameters();
    List<String> warnings = new ArrayList<>(path.replay().warnings());
    if (rows.isEmpty()) {
      warnings.add("no function of the program has a sample on the critical path; use a longer "
          + "input, record with --sample-hz 1000, and do not strip the program (with -g, lines are "
          + "known, too)");
    }
    return new Table("suggestions", "Factors for an experiment (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "place", Unit.NANOSECONDS, length, -1, COLUMNS, rows,
        warnings);
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0.0 : 100.0 * part / whole;
  }

  private static <T> List<T> first(Map<T, Long> times, int count) {
    return times.entrySet().stream()
        .sorted(Map.Entry.<T, Long>comparingByValue(Comparator.reverseOrder())
            .thenComparing(entry -> entry.getKey().toString()))
        .limit(count).map(Map.Entry::getKey).toList();
  }

  /** Work on the critical path by function of the program's own. */
  private static Map<Procedure, Long> work(ApplicationAnalysis analysis, CriticalPath path) {
    Map<Procedure, Long> work = new HashMap<>();
    for (ThreadRecord record : path.replay().threads()) {
      long[] times = path.workNs(record.index());
      for (int i = 0; times != null && i < times.length; i++) {
        Procedure procedure = times[i] == 0 ? null : leaf(analysis, record, i);
        if (procedure != null && isOwn(procedure)) {
          work.merge(procedure, times[i], Long::sum);
        }
      }
    }
    return work;
  }

  /** Time in calls of routines, by routine and the program's function that calls it. */
  private static Map<Call, Long> calls(ApplicationAnalysis analysis, Progress progress) {
    Map<Call, Long> calls = new HashMap<>();
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> threads = analysis.threads();
    for (int t = 0; t < threads.size(); t++) {
      ThreadRecord record = threads.get(t);
      long[] times = profiles.get(t).wallNs();
      for (int i = 1; i < times.length; i++) {
        Procedure routine = times[i] == 0 ? null : leaf(analysis, record, i);
        if (routine != null && ROUTINES.contains(routine.getKind())
            && !NOT_WORTH.contains(routine.getName())) {
          Procedure caller = leaf(analysis, record, record.process().callPaths().parent(i));
          if (caller != null && isOwn(caller)) {
            calls.merge(new Call(routine, caller), times[i], Long::sum);
          }
        }
      }
    }
    return calls;
  }

  private static Procedure leaf(ApplicationAnalysis analysis, ThreadRecord record, int path) {
    return analysis.procedure(analysis.procedures().leaf(record.process().index(), path));
  }

  /** Of the program, and known by a name: of the source, or at least of the symbol table. */
  private static boolean isOwn(Procedure procedure) {
    if (procedure.getKind() != ProcedureKind.USER) {
      return false;
    }
    String module = procedure.getModule() == null ? "" : procedure.getModule();
    boolean hasSource = procedure.getFile() != null && !procedure.getFile().isEmpty();
    return SYSTEM.stream().noneMatch(module::startsWith) && (hasSource || !module.isEmpty())
        && !NOT_WORTH.contains(procedure.getName());
  }

  /** Its name without what compilers add to copies and parts of a function. */
  private static String place(Procedure procedure) {
    return ADDED.matcher(procedure.getName()).replaceFirst("");
  }
}
