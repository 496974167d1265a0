package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Scope;
import org.parallax.analysis.calls.OwnFunctions;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.table.Column;
import org.parallax.analysis.table.Distribution;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.table.NaturalOrder;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.analysis.table.Unit;
import org.parallax.analysis.table.WithoutProcessor;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * Flat profiles: the time of each procedure, or of each thread, process or machine.
 *
 * <p>Columns: {@code time} in nanoseconds, without what is called, which adds up to the total, the
 * time of all threads in scope; {@code percent} of it; {@code cpu}; {@code noProcessor}, {@code time} minus
 * {@code cpu}, empty if a process of the row has no CPU clock; {@code inclusive} time with what
 * is called, as far as call paths tell; {@code visits}, which are exact for intercepted and
 * instrumented procedures, else a lower bound: {@code visitsExact} tells; {@code samples};
 * {@code throttled} where calls were only counted from some time on; {@code function}, the program's
 * own one in which the time is; {@code distribution}, of procedures in several processes or threads, a bar for each. Calls whose call path is not
 * whole have rows by the reason, such as {@code [call stack not walked]}: as inclusive time.
 */
public final class ProfileReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("cpu", "CPU time", Unit.NANOSECONDS),
      WithoutProcessor.COLUMN,
      new Column("inclusive", "inclusive", Unit.NANOSECONDS),
      new Column("visits", "visits", Unit.COUNT),
      new Column("visitsExact", "exact", Unit.FLAG),
      new Column("samples", "samples", Unit.COUNT),
      new Column("throttled", "throttled", Unit.FLAG),
      new Column("function", "in function", Unit.TEXT),
      Distribution.COLUMN);

  private ProfileReport() {}

  private static final class Sum {
    final String name;
    final Object subject;
    final OwnFunctions functions = new OwnFunctions();
    long wallNs;
    long cpuNs;
    long inclusiveNs;
    long visits;
    boolean exact;
    boolean atLeast;
    boolean throttled;
    boolean isCpuKnown = true;
    long samples;
    /** By place; null for no time, or if that is not wanted. */
    long[] byPlace;

    Sum(String name, Object subject) {
      this.name = name;
      this.subject = subject;
    }

    void addAt(int place, int places, long ns) {
      if (places > 1 && ns != 0) {
        byPlace = byPlace == null ? new long[places] : byPlace;
        byPlace[place] += ns;
      }
    }

    /** What was seen on a call path was visited, though nothing may tell how often. */
    long visits() {
      return exact && !atLeast || inclusiveNs == 0 ? visits : Math.max(1, visits);
    }
  }

  /**
   * Makes a profile.
   *
   * @param level of the rows: machine, process, thread or procedure
   * @param node to which the profile is limited; null for the whole application
   */
  public static Table of(
      ApplicationAnalysis analysis, Level level, TreeNode node, Progress progress) {
    List<CallPathProfile> profiles = analysis.profiles(progress);
    List<ThreadRecord> records = analysis.threads();
    Scope scope = new Scope(analysis, node);
    Map<Object, Sum> sums = new LinkedHashMap<>();
    Places places = Places.of(records.stream().filter(scope::has).toList());
    for (int i = 0; i < profiles.size(); i++) {
      if (scope.has(records.get(i))) {
        if (level == Level.PROCEDURE) {
          addProcedures(analysis, records.get(i), profiles.get(i), scope, places, sums);
        } else {
          addThread(analysis, records.get(i), profiles.get(i), level, scope, sums);
        }
      }
    }
    long total = sums.values().stream().mapToLong(sum -> sum.wallNs).sum();
    List<Row> rows = new ArrayList<>();
    sums.values().stream()
        .filter(sum -> sum.wallNs > 0 || sum.inclusiveNs > 0 || sum.visits > 0 || sum.samples > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.wallNs).thenComparing(sum -> sum.name, NaturalOrder.INSTANCE))
        .forEach(sum -> rows.add(Row.of(sum.name, sum.subject, sum.wallNs,
            total == 0 ? 0.0 : 100.0 * sum.wallNs / total, sum.cpuNs,
            WithoutProcessor.of(sum.wallNs, sum.cpuNs, sum.isCpuKnown), sum.inclusiveNs, sum.visits(), sum.exact && !sum.atLeast, sum.samples, sum.throttled,
            sum.functions.text(analysis.procedures()),
            sum.byPlace == null ? "" : Distribution.bars(sum.byPlace))));
    Map<String, String> parameters = analysis.parameters();
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("profile", "Profile (" + analysis.name() + ")",
        analysis.traceNames(), parameters, "name", Unit.NANOSECONDS, total, 0,
        COLUMNS, rows, List.of());
  }

  /** Over what times are spread: processes, or, if there is one only, its threads. */
  private record Places(Map<Integer, Integer> places, boolean areProcesses) {
    static Places of(List<ThreadRecord> records) {
      boolean areProcesses = records.stream().map(each -> each.process().index()).distinct().count() > 1;
      Map<Integer, Integer> places = new HashMap<>();
      records.forEach(each -> places.putIfAbsent(
          areProcesses ? each.process().index() : each.index(), places.size()));
      return new Places(places, areProcesses);
    }

    int of(ThreadRecord record) {
      return places.get(areProcesses ? record.process().index() : record.index());
    }

    int count() {
      return places.size();
    }
  }

  private static void addThread(ApplicationAnalysis analysis, ThreadRecord record,
      CallPathProfile profile, Level level, Scope scope, Map<Object, Sum> sums) {
    ProgramThread thread = analysis.thread(record);
    String where = Names.where(thread, level);
    Sum sum = sums.computeIfAbsent(where, k -> new Sum(where, Names.subject(thread, level)));
    int process = record.process().index();
    boolean isCpuKnown = WithoutProcessor.isKnown(record.process());
    for (int path = 0; path < profile.wallNs().length; path++) {
      if (scope.hasProcedure(analysis.procedures().leaf(process, path))) {
        sum.functions.add(analysis.procedures().own(process, path), profile.wallNs()[path]);
        sum.wallNs += profile.wallNs()[path];
        sum.inclusiveNs += profile.wallNs()[path];
        sum.cpuNs += profile.cpuNs()[path];
        sum.exact = true;
        sum.isCpuKnown &= isCpuKnown;
        if (profile.isExact(path)) {
          sum.visits += profile.visits()[path];
        }
        sum.samples += profile.samples()[path];
      }
    }
  }

  private static void addProcedures(ApplicationAnalysis analysis, ThreadRecord record,
      CallPathProfile profile, Scope scope, Places places, Map<Object, Sum> sums) {
    int process = record.process().index();
    int place = places.of(record);
    boolean isCpuKnown = WithoutProcessor.isKnown(record.process());
    int[] parents = record.process().callPaths().parents();
    Map<Long, Long> visits = new HashMap<>();
    for (int path = 0; path < profile.wallNs().length; path++) {
      long wallNs = profile.wallNs()[path];
      if (wallNs == 0 && profile.visits()[path] == 0 && profile.samples()[path] == 0) {
        continue;
      }
      int leaf = analysis.procedures().leaf(process, path);
      if (scope.hasProcedure(leaf)) {
        Sum sum = sum(analysis, leaf, sums);
        sum.wallNs += wallNs;
        sum.addAt(place, places.count(), wallNs);
        sum.functions.add(analysis.procedures().own(process, path), wallNs);
        sum.cpuNs += profile.cpuNs()[path];
        sum.isCpuKnown &= isCpuKnown;
        sum.samples += profile.samples()[path];
        sum.throttled |= profile.isThrottled(path);
        if (profile.isExact(path)) {
          sum.visits += profile.visits()[path];
          sum.exact = true;
        } else {
          sum.atLeast = true;
        }
      }
      int function = analysis.procedures().function(process, path);
      if (!profile.isExact(path) && profile.visits()[path] > 0 && scope.hasProcedure(function)) {
        visits.merge((long) parents[path] << 32 | function, profile.visits()[path], Math::max);
      }
      addInclusive(analysis, analysis.procedures().frames(process, path), wallNs, scope, sums);
    }
    // A visit of a function can show at several of its call sites; of those below one caller the
    // one that tells of the most counts.
    visits.forEach((key, most) -> sum(analysis, (int) (long) key, sums).visits += most);
  }

  /** A procedure that occurs several times on a call path is counted once. */
  private static void addInclusive(ApplicationAnalysis analysis, int[] frames, long wallNs,
      Scope scope, Map<Object, Sum> sums) {
    int[] distinct = Arrays.copyOf(frames, frames.length);
    Arrays.sort(distinct);
    for (int i = 0; i < distinct.length; i++) {
      if ((i == 0 || distinct[i] != distinct[i - 1]) && scope.hasProcedure(distinct[i])) {
        sum(analysis, distinct[i], sums).inclusiveNs += wallNs;
      }
    }
  }

  private static Sum sum(ApplicationAnalysis analysis, int id, Map<Object, Sum> sums) {
    return sums.computeIfAbsent(
        id, k -> new Sum(analysis.procedures().get(id).name(), analysis.procedure(id)));
  }
}
