package org.parallax.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.graph.CallPathProfile;
import org.parallax.analysis.graph.ThreadRecord;
import org.parallax.model.Level;
import org.parallax.model.Thread;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;

/**
 * Flat profiles: the time of each procedure, or of each thread, process or machine.
 *
 * <p>Columns: {@code time} in nanoseconds, without what is called, which adds up to the total, the
 * time of all threads in scope; {@code percent} of it; {@code cpu}; {@code inclusive} time with what
 * is called, as far as call paths tell; {@code calls} of intercepted and instrumented procedures;
 * {@code samples}.
 */
public final class ProfileReport {
  private static final List<Column> COLUMNS = List.of(
      new Column("time", "time", Unit.NANOSECONDS),
      new Column("percent", "%time", Unit.PERCENT),
      new Column("cpu", "CPU time", Unit.NANOSECONDS),
      new Column("inclusive", "inclusive", Unit.NANOSECONDS),
      new Column("calls", "calls", Unit.COUNT),
      new Column("samples", "samples", Unit.COUNT));

  private ProfileReport() {}

  private static final class Sum {
    final String name;
    final Object subject;
    long wallNs;
    long cpuNs;
    long inclusiveNs;
    long calls;
    long samples;

    Sum(String name, Object subject) {
      this.name = name;
      this.subject = subject;
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
    List<ThreadRecord> records = analysis.replay(progress).threads();
    Scope scope = new Scope(analysis.applications(), node);
    Map<Object, Sum> sums = new LinkedHashMap<>();
    for (int i = 0; i < profiles.size(); i++) {
      if (Names.inScope(scope, records.get(i))) {
        if (level == Level.PROCEDURE) {
          addProcedures(analysis, records.get(i), profiles.get(i), scope, sums);
        } else {
          addThread(analysis, records.get(i), profiles.get(i), level, scope, sums);
        }
      }
    }
    long total = sums.values().stream().mapToLong(sum -> sum.wallNs).sum();
    List<Row> rows = new ArrayList<>();
    sums.values().stream()
        .filter(sum -> sum.wallNs > 0 || sum.inclusiveNs > 0 || sum.calls > 0 || sum.samples > 0)
        .sorted(Comparator.<Sum>comparingLong(sum -> -sum.wallNs).thenComparing(sum -> sum.name))
        .forEach(sum -> rows.add(Row.of(sum.name, sum.subject, sum.wallNs,
            total == 0 ? 0.0 : 100.0 * sum.wallNs / total, sum.cpuNs, sum.inclusiveNs, sum.calls,
            sum.samples)));
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("application", analysis.name());
    parameters.put("level", level.name().toLowerCase(Locale.ROOT));
    if (!scope.name().isEmpty()) {
      parameters.put("node", scope.name());
    }
    return new Table("profile", "Profile (" + analysis.name() + ")",
        analysis.trace().directory().toString(), parameters, "name", Unit.NANOSECONDS, total, 0,
        COLUMNS, rows, List.of());
  }

  private static void addThread(ApplicationAnalysis analysis, ThreadRecord record,
      CallPathProfile profile, Level level, Scope scope, Map<Object, Sum> sums) {
    Thread thread = analysis.thread(record);
    String where = Names.where(thread, level);
    Sum sum = sums.computeIfAbsent(where, k -> new Sum(where, Names.subject(thread, level)));
    for (int path = 0; path < profile.wallNs().length; path++) {
      if (scope.hasProcedure(analysis.procedures().leaf(record.process().index(), path))) {
        sum.wallNs += profile.wallNs()[path];
        sum.inclusiveNs += profile.wallNs()[path];
        sum.cpuNs += profile.cpuNs()[path];
        sum.calls += profile.visits()[path];
        sum.samples += profile.samples()[path];
      }
    }
  }

  private static void addProcedures(ApplicationAnalysis analysis, ThreadRecord record,
      CallPathProfile profile, Scope scope, Map<Object, Sum> sums) {
    int process = record.process().index();
    for (int path = 0; path < profile.wallNs().length; path++) {
      long wallNs = profile.wallNs()[path];
      if (wallNs == 0 && profile.visits()[path] == 0 && profile.samples()[path] == 0) {
        continue;
      }
      int leaf = analysis.procedures().leaf(process, path);
      if (scope.hasProcedure(leaf)) {
        Sum sum = sum(analysis, leaf, sums);
        sum.wallNs += wallNs;
        sum.cpuNs += profile.cpuNs()[path];
        sum.calls += profile.visits()[path];
        sum.samples += profile.samples()[path];
      }
      addInclusive(analysis, analysis.procedures().frames(process, path), wallNs, scope, sums);
    }
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
