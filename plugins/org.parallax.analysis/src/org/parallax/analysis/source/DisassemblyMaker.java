package org.parallax.analysis.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.parallax.analysis.source.AddressSums.File;
import org.parallax.analysis.source.AddressSums.Sum;
import org.parallax.analysis.source.Disassembly.Code;
import org.parallax.analysis.source.Disassembly.Line;
import org.parallax.analysis.source.Disassembly.Wanted;
import org.parallax.analysis.text.NearNames;
import org.parallax.trace.Progress;
import org.parallax.trace.Symbols;
import org.parallax.trace.code.CodeException;
import org.parallax.trace.code.CodeReader;
import org.parallax.trace.code.MachineCode;
import org.parallax.trace.code.MachineCode.Function;
import org.parallax.trace.code.MachineCode.Instruction;

/** Joins the samples of addresses with the code that is there. Used once. */
final class DisassemblyMaker {
  /** Of functions that are inlined everywhere. */
  private static final int MOST_FUNCTIONS = 100;

  private final AddressSums sums;
  private final Wanted wanted;
  private final CodeReader reader;
  private final List<String> warnings = new ArrayList<>();

  DisassemblyMaker(AddressSums sums, Wanted wanted, CodeReader reader) {
    this.sums = sums;
    this.wanted = wanted;
    this.reader = reader;
  }

  Disassembly make(Progress progress) throws CodeException {
    Map<File, Set<Long>> chosen = wanted.isAny() ? hottest() : named();
    if (chosen.isEmpty()) {
      throw nothing();
    }
    progress.begin("reading machine code", chosen.size());
    List<Code> functions = new ArrayList<>();
    for (Map.Entry<File, Set<Long>> each : chosen.entrySet()) {
      try {
        check(each.getKey());
        MachineCode code = reader.read(each.getKey().path(), each.getKey().buildId(),
            each.getValue(), wanted.syntax(), progress);
        long unknown = code.unknown().stream()
            .mapToLong(offset -> sums.files.get(each.getKey()).get(offset).samples).sum();
        if (unknown > 0) {
          warnings.add(unknown + " samples are at addresses of " + each.getKey().path()
              + " that no known function holds");
        }
        code.functions().forEach(function -> functions.add(code(each.getKey(), function)));
      } catch (CodeException e) {
        warnings.add(e.getMessage());
      }
      progress.worked(1);
    }
    functions.removeIf(function -> function.lines().isEmpty());
    if (functions.isEmpty()) {
      if (warnings.isEmpty()) {
        throw nothing();
      }
      throw new CodeException(String.join("; ", warnings));
    }
    functions.sort(Comparator.<Code>comparingLong(code -> -code.samples())
        .thenComparing(Comparator.comparingLong((Code code) -> -code.ns())));
    if (functions.size() > MOST_FUNCTIONS) {
      warnings.add("only the " + MOST_FUNCTIONS + " functions with the most samples are listed, of "
          + functions.size());
    }
    return new Disassembly(List.copyOf(functions.subList(0,
        Math.min(MOST_FUNCTIONS, functions.size()))), sums.allSamples, List.copyOf(warnings));
  }

  /** Without a build id, the time of the file must do. */
  private void check(File file) throws CodeException {
    if (file.buildId().isEmpty()) {
      try {
        if (Files.getLastModifiedTime(Path.of(file.path())).toMillis() > sums.runMs.get(file)) {
          throw new CodeException(file.path() + ": the file has changed since the run (it has no "
              + "build id, and was written after the run began)");
        }
      } catch (IOException e) {
        throw new CodeException(file.path() + ": the file cannot be read: " + e.getMessage());
      }
    }
  }

  private Map<File, Set<Long>> named() {
    Map<File, Set<Long>> chosen = new LinkedHashMap<>();
    sums.files.forEach((file, byOffset) -> byOffset.forEach((offset, sum) -> {
      Symbols.Location at = sum.location;
      if (at.isResolved() ? at.frames().stream().anyMatch(wanted::has)
          : wanted.has(at.label())) {
        chosen.computeIfAbsent(file, unknown -> new TreeSet<>()).add(offset);
      }
    }));
    return chosen;
  }

  private static String holder(Symbols.Location at) {
    return at.isResolved() ? at.frames().get(at.frames().size() - 1).function() : at.label();
  }

  /** The addresses of the function that has the most samples, or time where there are none. */
  private Map<File, Set<Long>> hottest() {
    record Holder(File file, String name) {}
    Map<Holder, long[]> found = new LinkedHashMap<>();
    sums.files.forEach((file, byOffset) -> byOffset.values().forEach(sum -> {
      long[] has = found.computeIfAbsent(
          new Holder(file, holder(sum.location)), unknown -> new long[2]);
      has[0] += sum.samples;
      has[1] += sum.ns;
    }));
    Comparator<Map.Entry<Holder, long[]>> order =
        Comparator.comparingLong(each -> each.getValue()[0]);
    Holder most = found.entrySet().stream()
        .max(order.thenComparingLong(each -> each.getValue()[1]))
        .map(Map.Entry::getKey).orElse(null);
    if (most == null) {
      return Map.of();
    }
    Set<Long> offsets = new TreeSet<>();
    sums.files.get(most.file).forEach((offset, sum) -> {
      if (holder(sum.location).equals(most.name)) {
        offsets.add(offset);
      }
    });
    return Map.of(most.file, offsets);
  }

  private CodeException nothing() {
    if (sums.files.isEmpty()) {
      return new CodeException("the trace has no samples here, so there are no instructions to show");
    }
    if (wanted.isAny() || wanted.functions().isEmpty()) {
      return new CodeException("no sample is at " + String.join(" or ", wanted.lines()));
    }
    Set<String> names = new LinkedHashSet<>();
    sums.files.values().forEach(byOffset -> byOffset.values().stream()
        .sorted(Comparator.comparingLong(sum -> -sum.samples))
        .forEach(sum -> {
          sum.location.frames().forEach(frame -> names.add(frame.function()));
          names.add(holder(sum.location));
        }));
    String function = wanted.functions().get(0);
    return new CodeException(
        "no sample is in a function \"" + function + "\"" + NearNames.hint(function, names));
  }

  /** The instructions of a function that are wanted. */
  private Code code(File file, Function function) {
    TreeMap<Long, Sum> byOffset = sums.files.get(file);
    String name = name(function, byOffset);
    boolean whole = wanted.isAny() || wanted.has(name);
    Map<Long, String> labels = labels(function);
    List<Line> lines = new ArrayList<>();
    for (Instruction each : function.instructions()) {
      if (whole || each.frames().stream().anyMatch(wanted::has)) {
        long samples = 0;
        long ns = 0;
        for (Sum sum
            : byOffset.subMap(each.offset(), each.offset() + each.length()).values()) {
          samples += sum.samples;
          ns += sum.ns;
        }
        lines.add(new Line(each, labels.getOrDefault(each.offset(), ""),
            target(function, each, labels), part(function, each.offset()), samples, ns,
            SampleInterval.of(ns, samples, sums.allSamples)));
      }
    }
    return new Code(name, file.path(), whole, List.copyOf(lines));
  }

  /** As the trace names it, so that tables agree. */
  private static String name(Function function, TreeMap<Long, Sum> byOffset) {
    return byOffset.values().stream()
        .filter(sum -> function.contains(sum.location.offset())).findFirst()
        .map(sum -> holder(sum.location)).orElse(function.name());
  }

  private static int part(Function function, long offset) {
    for (int i = 0; i < function.parts().size(); i++) {
      if (function.parts().get(i).contains(offset)) {
        return i;
      }
    }
    return 0;
  }

  /** The places in the function to which it jumps, numbered in their order. */
  private static Map<Long, String> labels(Function function) {
    Set<Long> targets = new LinkedHashSet<>();
    function.instructions().stream()
        .filter(each -> each.hasTarget() && function.contains(each.target())
            && each.target() != function.entry())
        .forEach(each -> targets.add(each.target()));
    Map<Long, String> labels = new HashMap<>();
    for (Instruction each : function.instructions()) {
      if (targets.contains(each.offset())) {
        labels.put(each.offset(), "L" + (labels.size() + 1));
      }
    }
    return labels;
  }

  private static String target(
      Function function, Instruction instruction, Map<Long, String> labels) {
    if (!instruction.hasTarget()) {
      return instruction.targetName();
    }
    String label = labels.get(instruction.target());
    if (label != null) {
      return label;
    }
    return !instruction.targetName().isEmpty() ? instruction.targetName()
        : instruction.target() == function.entry() ? function.name()
        : "0x" + Long.toHexString(instruction.target());
  }
}
