package org.parallax.analysis.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Weight;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;

/**
 * What is known of lines of the source, and of the functions that are declared there.
 *
 * <p>Times without what is called belong to the innermost function and line at an address, inlined
 * or not, as in profiles. Of folded procedures ({@link ApplicationAnalysis#folded}) they belong to
 * the function that holds the address, and there to the innermost line of its file. So the lines of
 * a file add up to the profile's procedures of that file. What instrumentation measured of a function stands at the line
 * where it is declared.
 *
 * <p>Immutable.
 */
public final class SourceLines {
  /** What costs a pass over the trace of its own. */
  public enum Part {
    /** What is on the critical path. */
    PATH,
    /** What waited. */
    WAITS
  }

  /**
   * Numbers of a line or of a function.
   *
   * @param exclusiveNs without what is called
   * @param inclusiveNs with what is called, each call path once
   * @param pathNs work on the critical path, with that of callees whose source is not known, such as
   *     intercepted routines
   * @param waitNs that was lost waiting, in it and in callees whose source is not known
   * @param samples that were taken in it
   * @param cpuNs CPU time without what is called
   */
  public record Numbers(long exclusiveNs, long inclusiveNs, long pathNs, long waitNs,
      long samples, long cpuNs) {
    public static final Numbers NONE = new Numbers(0, 0, 0, 0, 0, 0);

    public Numbers plus(Numbers other) {
      return new Numbers(exclusiveNs + other.exclusiveNs, inclusiveNs + other.inclusiveNs,
          pathNs + other.pathNs, waitNs + other.waitNs, samples + other.samples,
          cpuNs + other.cpuNs);
    }

    /** @return true if there is nothing to tell */
    public boolean isNone() {
      return equals(NONE);
    }
  }

  /**
   * A line on call paths.
   *
   * @param line from 1; 0 for what is known of a file only
   * @param function that has the line, the one with the most time where there are several
   * @param procedure the model's; null where the model has none
   */
  public record Line(String file, int line, String function, Procedure procedure,
      Numbers numbers) {}

  /**
   * A function.
   *
   * @param line where it is declared, 0 where unknown
   * @param procedure the model's; null where the model has none
   */
  public record Function(String file, int line, String name, Procedure procedure,
      Numbers numbers) {}

  /**
   * A function is called from a line.
   *
   * @param file and line of the call; the empty string and 0 where unknown
   * @param caller the name of the function that calls
   * @param callee that is called
   * @param ns with what is called, each call path once
   */
  public record Call(String file, int line, String caller, Callee callee, long ns) {}

  /**
   * What is called.
   *
   * @param file in which it is declared; empty where unknown, as for intercepted routines
   */
  public record Callee(String file, String name) {}

  private final long totalNs;
  private final long allSamples;
  private final long pathNs;
  private final Map<String, TreeMap<Integer, Line>> lines;
  private final Map<String, List<Function>> functions;
  private final List<Call> calls;
  private final List<String> warnings;

  SourceLines(long totalNs, long allSamples, long pathNs, Collection<Line> lines, Collection<Function> functions,
      Collection<Call> calls, Collection<String> warnings) {
    this.totalNs = totalNs;
    this.allSamples = allSamples;
    this.pathNs = pathNs;
    this.lines = new TreeMap<>();
    lines.forEach(line -> this.lines.computeIfAbsent(line.file(), file -> new TreeMap<>())
        .put(line.line(), line));
    this.functions = new TreeMap<>();
    functions.stream().sorted(Comparator.comparingInt(Function::line).thenComparing(Function::name))
        .forEach(function -> this.functions
            .computeIfAbsent(function.file(), file -> new ArrayList<>()).add(function));
    this.calls = calls.stream().sorted(Comparator.<Call>comparingLong(call -> -call.ns())
        .thenComparing(Call::file).thenComparingInt(Call::line).thenComparing(Call::caller)
        .thenComparing(call -> call.callee().name())).toList();
    this.warnings = List.copyOf(warnings);
  }

  /**
   * Finds the numbers. Cost: that of the profile, and of the parts asked for, where they are not known
   * yet; then each call path that has time or samples is walked once for each process.
   *
   * @param node to which they are limited; null for all
   * @param weight of the critical path
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static SourceLines of(ApplicationAnalysis analysis, TreeNode node, Weight weight,
      Set<Part> parts, Progress progress) {
    return new SourceLineSums(analysis, node).of(weight, parts, progress);
  }

  /** The numbers of several applications, of which each may have a part in a file. */
  public static SourceLines sum(List<SourceLines> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    Map<List<Object>, Line> lines = new LinkedHashMap<>();
    Map<List<Object>, Function> functions = new LinkedHashMap<>();
    Map<Call, Long> calls = new HashMap<>();
    List<String> warnings = new ArrayList<>();
    long total = 0;
    long samples = 0;
    long path = 0;
    for (SourceLines part : parts) {
      total += part.totalNs;
      samples += part.allSamples;
      path += part.pathNs;
      warnings.addAll(part.warnings);
      part.lines.values().forEach(file -> file.values().forEach(line ->
          lines.merge(List.of(line.file, line.line), line, (a, b) -> new Line(a.file, a.line,
              a.function, a.procedure, a.numbers.plus(b.numbers)))));
      part.functions.values().forEach(file -> file.forEach(each ->
          functions.merge(List.of(each.file, each.line, each.name), each, (a, b) -> new Function(
              a.file, a.line, a.name, a.procedure, a.numbers.plus(b.numbers)))));
      part.calls.forEach(call -> calls.merge(
          new Call(call.file, call.line, call.caller, call.callee, 0), call.ns, Long::sum));
    }
    return new SourceLines(total, samples, path, lines.values(), functions.values(),
        calls.entrySet().stream().map(each -> new Call(each.getKey().file, each.getKey().line,
            each.getKey().caller, each.getKey().callee, each.getValue())).toList(),
        warnings);
  }

  /** @return the time of all threads in scope, also where no source is known */
  public long totalNs() {
    return totalNs;
  }

  /** @return the exclusive time of a number with its confidence, by its samples among all */
  public SampleInterval interval(Numbers numbers) {
    return SampleInterval.of(numbers.exclusiveNs, numbers.samples, allSamples);
  }

  /** @return the length of the whole critical path; 0 when it was not asked for */
  public long pathNs() {
    return pathNs;
  }

  /** @return the part of the critical path that a number has, in percent */
  public double pathPercent(Numbers numbers) {
    return pathNs == 0 ? 0 : 100.0 * numbers.pathNs / pathNs;
  }

  /** @return the part of the total time, in percent */
  public double percent(long ns) {
    return totalNs == 0 ? 0 : 100.0 * ns / totalNs;
  }

  /** @return the files of which something is known, as the compiler recorded them */
  public Set<String> files() {
    return lines.keySet();
  }

  /** @return the lines of a file in their order; empty for one that is not among the files */
  public Collection<Line> lines(String file) {
    return lines.getOrDefault(file, new TreeMap<>()).values();
  }

  /** @return the functions of a file in the order of their lines */
  public List<Function> functions(String file) {
    return functions.getOrDefault(file, List.of());
  }

  /** @return from where a function is called, those with the most time first */
  public List<Call> callers(Function function) {
    Callee callee = new Callee(function.file, function.name);
    return calls.stream().filter(call -> call.callee.equals(callee)).toList();
  }

  /** @return what is called from a line, that with the most time first */
  public List<Call> calls(String file, int line) {
    return calls.stream().filter(call -> call.line == line && call.file.equals(file)).toList();
  }

  /** @return what a person must know to read the numbers right */
  public List<String> warnings() {
    return warnings;
  }
}
