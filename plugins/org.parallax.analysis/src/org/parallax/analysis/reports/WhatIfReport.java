package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.calls.OwnFunctions;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.Speedups;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * What-if: how long the critical path would be if a procedure, the interactions of a kind or a
 * process were faster. The graph is replayed with other weights, so that another path can become the
 * longest: the answer is no mere share of the present path.
 *
 * <p>Columns: {@code times} faster; {@code time}, the new length; {@code saved} nanoseconds;
 * {@code percent} of the present length; {@code function}, the program's own one in which the work of
 * a procedure is. The time of a procedure is that of all call paths that it is
 * on, as in a virtual speed-up, but for the time in intercepted routines that it calls; or, if asked
 * for, its own time only. The order of events stays: what would be scheduled in another way is not
 * foreseen.
 */
public final class WhatIfReport {
  private static final List<Column> COLUMNS = List.of(
      Column.key("times", "times faster", Unit.TEXT),
      new Column("time", "new length", Unit.NANOSECONDS),
      new Column("saved", "saved", Unit.NANOSECONDS),
      new Column("percent", "%saved", Unit.PERCENT),
      new Column("function", "in function", Unit.TEXT));

  /** Which time of a procedure changes. */
  public enum Extent {
    /** That of the procedure and of what it calls. */
    INCLUSIVE,
    /** Its own. */
    EXCLUSIVE
  }

  private WhatIfReport() {}

  /**
   * A part of the program that takes another time.
   *
   * @param what a procedure, a process as tables name it, or the label of a kind of arcs
   * @param times by which it is faster; less than 1 for slower
   */
  public record Change(String what, double times) {}

  /** @return what can be changed */
  public static Set<String> names(ApplicationAnalysis analysis) {
    Set<String> names = new LinkedHashSet<>();
    analysis.applications().forEach(application -> {
      application.getProcedures().forEach(procedure -> names.add(procedure.getName()));
      application.getProcesses().forEach(process -> process.getThreads().stream().limit(1)
          .forEach(thread -> names.add(Names.where(thread, Level.PROCESS))));
    });
    for (ArcKind kind : ArcKind.values()) {
      if (kind != ArcKind.WORK && kind != ArcKind.WAIT) {
        names.add(kind.label());
      }
    }
    return names;
  }

  /**
   * Makes the table: a row for each change by itself, and one for all together if there are several.
   *
   * @param changes of parts in {@link #names}
   * @param extent which time of procedures changes
   */
  public static Table of(ApplicationAnalysis analysis, List<Change> changes, Extent extent,
      Weight weight, Progress progress) {
    long before = analysis.criticalPath(weight, progress).lengthNs();
    List<Row> rows = new ArrayList<>();
    for (Change change : changes) {
      rows.add(row(
          analysis, change.what(), List.of(change), extent, weight, before, progress));
    }
    if (changes.size() > 1) {
      rows.add(row(analysis, "all together", changes, extent, weight, before, progress));
    }
    Map<String, String> parameters = analysis.parameters();
    parameters.put("time", extent.name().toLowerCase(Locale.ROOT));
    parameters.put("weight", weight.name().toLowerCase(Locale.ROOT));
    return new Table("what-if", "What if (" + analysis.name() + ")", analysis.traceNames(),
        parameters, "faster", Unit.NANOSECONDS, before, -1, COLUMNS, rows,
        analysis.criticalPath(weight, progress).replay().warnings());
  }

  /**
   * The procedures with the most work on the critical path, each made faster: those of the program
   * itself, where what they call counts; a person can change these. Work in intercepted routines does
   * not count then.
   */
  public static List<Change> suggestions(ApplicationAnalysis analysis, Weight weight, double times,
      int count, Extent extent, Progress progress) {
    CriticalPath path = analysis.criticalPath(weight, progress);
    Procedures procedures = analysis.procedures();
    Map<String, Long> byName = new HashMap<>();
    for (ThreadRecord record : path.replay().threads()) {
      long[] work = path.workNs(record.index());
      int process = record.process().index();
      CallPaths paths = record.process().callPaths();
      for (int i = 0; work != null && i < work.length; i++) {
        boolean isOwnTime = paths.kind(i) != CallPaths.REGION && !paths.isOffCpu(i);
        int own = extent == Extent.INCLUSIVE && isOwnTime ? procedures.own(process, i)
            : Procedures.NONE;
        Procedure procedure = work[i] == 0 ? null
            : analysis.procedure(own == Procedures.NONE ? procedures.leaf(process, i) : own);
        if (procedure != null) {
          byName.merge(procedure.getName(), work[i], Long::sum);
        }
      }
    }
    return byName.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
            .thenComparing(Map.Entry.comparingByKey()))
        .limit(count).map(entry -> new Change(entry.getKey(), times)).toList();
  }

  /** @return the program's own functions in which the work of a procedure on the path is */
  private static String functions(
      ApplicationAnalysis analysis, String name, Weight weight, Progress progress) {
    CriticalPath path = analysis.criticalPath(weight, progress);
    Procedures procedures = analysis.procedures();
    OwnFunctions functions = new OwnFunctions();
    for (ThreadRecord record : path.replay().threads()) {
      long[] work = path.workNs(record.index());
      int process = record.process().index();
      for (int i = 0; work != null && i < work.length; i++) {
        if (work[i] > 0 && procedures.get(procedures.leaf(process, i)).name().equals(name)) {
          functions.add(procedures.own(process, i), work[i]);
        }
      }
    }
    return functions.text(procedures);
  }

  private static Row row(ApplicationAnalysis analysis, String name, List<Change> changes,
      Extent extent, Weight weight, long before, Progress progress) {
    ThreadRecord last = Replay.of(analysis.workload().processes(),
        analysis.setup(weight).with(speedups(analysis, changes, extent)), progress).last();
    long after = last == null ? 0 : last.length();
    Set<String> times = new LinkedHashSet<>();
    changes.forEach(change -> times.add(String.format(Locale.ROOT, "%.4g", change.times())));
    return Row.of(name, procedure(analysis, name), times.size() == 1 ? times.iterator().next() : "", after,
        before - after, before == 0 ? 0.0 : 100.0 * (before - after) / before,
        functions(analysis, name, weight, progress));
  }

  /** @return null for what is none */
  private static Procedure procedure(ApplicationAnalysis analysis, String name) {
    return analysis.applications().stream().flatMap(each -> each.getProcedures().stream())
        .filter(procedure -> procedure.getName().equals(name)).findFirst().orElse(null);
  }

  /**
   * The call paths of a process whose time is a procedure's.
   *
   * @return for each call path whether it is one
   */
  private static boolean[] pathsOf(
      ApplicationAnalysis analysis, ProcessTrace process, String procedure, Extent extent) {
    Procedures procedures = analysis.procedures();
    boolean[] named = new boolean[procedures.count()];
    for (int id = 0; id < named.length; id++) {
      named[id] = procedures.get(id).name().equals(procedure);
    }
    CallPaths paths = process.callPaths();
    boolean[] on = new boolean[paths.count()];
    boolean[] counted = new boolean[on.length];
    for (int path = 0; path < on.length; path++) {
      counted[path] = named[procedures.leaf(process.index(), path)];
      if (extent == Extent.INCLUSIVE && path > 0) {
        on[path] = on[paths.parent(path)] || IntStream.of(
            procedures.ownFrames(process.index(), path)).anyMatch(id -> named[id]);
        counted[path] |= on[path] && paths.kind(path) != CallPaths.REGION
            && !paths.isOffCpu(path);
      }
    }
    return counted;
  }

  /** @return the CPU time of all threads that a procedure has, as far as it could be faster */
  public static long cpuNs(
      ApplicationAnalysis analysis, String procedure, Extent extent, Progress progress) {
    return sum(analysis, procedure, extent, CallPathProfile::cpuNs, progress);
  }

  /** @return whether a procedure has any time or sample, so that it can be faster */
  public static boolean hasTime(
      ApplicationAnalysis analysis, String procedure, Extent extent, Progress progress) {
    return sum(analysis, procedure, extent, CallPathProfile::wallNs, progress) > 0
        || sum(analysis, procedure, extent, CallPathProfile::samples, progress) > 0;
  }

  /** @return the sum over the call paths of a procedure, in all threads, of what profiles have */
  private static long sum(ApplicationAnalysis analysis, String procedure, Extent extent,
      Function<CallPathProfile, long[]> values, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    Map<ProcessTrace, boolean[]> counted = new HashMap<>();
    long sum = 0;
    for (ThreadRecord record : analysis.threads()) {
      boolean[] paths = counted.computeIfAbsent(
          record.process(), process -> pathsOf(analysis, process, procedure, extent));
      long[] ofPath = values.apply(profiles.get(record.index()));
      for (int path = 0; path < paths.length; path++) {
        sum += paths[path] ? ofPath[path] : 0;
      }
    }
    return sum;
  }

  /** Work below several of the procedures is as much faster as the one with the most: it is the same work. */
  private static Speedups speedups(
      ApplicationAnalysis analysis, List<Change> changes, Extent extent) {
    Map<ProcessTrace, double[]> work = new HashMap<>();
    Map<ProcessTrace, double[]> ofProcedures = new HashMap<>();
    Map<ArcKind, Double> arcs = new LinkedHashMap<>();
    for (Change change : changes) {
      for (ArcKind kind : ArcKind.values()) {
        if (kind.label().equals(change.what())) {
          arcs.merge(kind, 1 / change.times(), (a, b) -> a * b);
        }
      }
      for (ProcessTrace process : analysis.workload().processes()) {
        boolean isAll = isNamed(analysis, process, change.what());
        boolean[] counted = pathsOf(analysis, process, change.what(), extent);
        for (int path = 0; path < counted.length; path++) {
          if (isAll) {
            work.computeIfAbsent(process, WhatIfReport::unchanged)[path] /= change.times();
          } else if (counted[path]) {
            double[] times = ofProcedures.computeIfAbsent(process, p -> new double[counted.length]);
            times[path] = Math.max(times[path], change.times());
          }
        }
      }
    }
    ofProcedures.forEach((process, times) -> {
      double[] ofPath = work.computeIfAbsent(process, WhatIfReport::unchanged);
      for (int path = 0; path < times.length; path++) {
        ofPath[path] /= times[path] > 0 ? times[path] : 1;
      }
    });
    return new Speedups(work, arcs);
  }

  private static double[] unchanged(ProcessTrace process) {
    double[] shares = new double[process.callPaths().count()];
    Arrays.fill(shares, 1);
    return shares;
  }

  private static boolean isNamed(
      ApplicationAnalysis analysis, ProcessTrace process, String name) {
    return process.threads().stream()
        .map(thread -> analysis.workload().thread(process, thread.id()))
        .anyMatch(thread -> thread != null && isNamed(thread, name));
  }

  private static boolean isNamed(ProgramThread thread, String name) {
    return Names.where(thread, Level.PROCESS).equals(name);
  }
}
