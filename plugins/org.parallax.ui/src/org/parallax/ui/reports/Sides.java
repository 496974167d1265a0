package org.parallax.ui.reports;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Trace;
import org.parallax.ui.reports.ComparisonView.Part;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.TraceNames;

/** Which of the open runs are compared with which, unless a person says otherwise. */
final class Sides {
  private Sides() {
  }

  /** @return the run that was opened last and is not there for comparison; null if there is none */
  static OpenRun newest(List<OpenRun> runs, List<Trace> open) {
    Set<Path> directories = directories(open);
    return runs.stream().filter(run -> !run.isBase()
        && run.traces().stream().anyMatch(directories::contains))
        .reduce((first, second) -> second).orElse(null);
  }

  private static Set<Path> directories(List<Trace> traces) {
    Set<Path> directories = new HashSet<>();
    traces.forEach(trace -> directories.add(trace.directory()));
    return directories;
  }

  /**
   * The part of each open trace. The newest run is compared with the base that its session file
   * names, else with the run before it in the series; without runs, the first trace is the base.
   *
   * @param chosen by a person
   */
  static Map<Trace, Part> of(List<Trace> open, List<OpenRun> runs, Map<Trace, Part> chosen) {
    OpenRun newest = newest(runs, open);
    boolean isChosen = chosen.containsValue(Part.BASE);
    Set<Path> base = new HashSet<>();
    if (!isChosen) {
      runs.stream().filter(OpenRun::isBase).forEach(run -> base.addAll(run.traces()));
      base.retainAll(directories(open));
    }
    if (newest != null && !isChosen && base.isEmpty()) {
      runs.stream().filter(run -> run != newest && !run.series().isEmpty()
          && run.series().equals(newest.series())).forEach(run -> {
            if (run.traces().stream().anyMatch(directories(open)::contains)) {
              base.clear();
              base.addAll(run.traces());
            }
          });
    }
    Map<Trace, Part> parts = new LinkedHashMap<>();
    for (Trace trace : open) {
      Part part = chosen.get(trace);
      if (part == null) {
        part = newest != null && newest.traces().contains(trace.directory()) ? Part.NEW
            : base.contains(trace.directory()) ? Part.BASE : null;
      }
      parts.put(trace, part);
    }
    for (Map.Entry<Trace, Part> each : parts.entrySet()) {
      if (each.getValue() == null) {
        each.setValue(!parts.containsValue(Part.BASE)
            && isOfPrograms(each.getKey(), parts, Part.NEW) ? Part.BASE
            : newest == null && isOfPrograms(each.getKey(), parts, Part.BASE) ? Part.NEW : Part.NONE);
      }
    }
    return parts;
  }

  /** Runs of different programs are compared only if a person says so. */
  private static boolean isOfPrograms(Trace trace, Map<Trace, Part> parts, Part part) {
    Set<String> programs = new HashSet<>();
    parts.forEach((other, of) -> {
      if (of == part) {
        programs.addAll(programs(other));
      }
    });
    return programs.isEmpty() || programs(trace).stream().anyMatch(programs::contains);
  }

  private static Set<String> programs(Trace trace) {
    return trace.processes().stream().map(ProcessTrace::program).collect(Collectors.toSet());
  }

  /**
   * The comparison as a session file says it: what ran together is one repetition of its side.
   *
   * @param parts with a base and something new
   */
  static Session document(Map<Trace, Part> parts, List<OpenRun> runs) {
    Session document = ModelFactory.eINSTANCE.createSession();
    Map<Path, String> names = new HashMap<>();
    TraceNames.of(List.copyOf(parts.keySet()))
        .forEach((trace, name) -> names.put(trace.directory(), name));
    for (Part part : List.of(Part.BASE, Part.NEW)) {
      Set<Path> left = new LinkedHashSet<>();
      parts.forEach((trace, of) -> {
        if (of == part) {
          left.add(trace.directory());
        }
      });
      addSide(document, part, left, runs, names);
    }
    return document;
  }

  private static void addSide(Session document, Part part, Set<Path> directories,
      List<OpenRun> runs, Map<Path, String> called) {
    Set<Path> left = new LinkedHashSet<>(directories);
    List<Path> repetitions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<Path> together = List.of();
    for (OpenRun run : runs) {
      int before = left.size();
      for (OpenRun.Repetition each : run.repetitions()) {
        if (each.traces().size() > 1 && each.traces().equals(List.copyOf(directories))) {
          together = each.traces();
        }
        if (each.source() != null && left.containsAll(each.traces())) {
          repetitions.add(each.source());
          each.traces().forEach(left::remove);
        }
      }
      if (left.size() < before) {
        names.add(run.name());
      }
    }
    left.forEach(each -> names.add(called.get(each)));
    repetitions.addAll(left);
    boolean isOne = !together.isEmpty();
    for (Path each : isOne ? together : repetitions) {
      Run run = ModelFactory.eINSTANCE.createRun();
      run.setName(called.getOrDefault(each, name(each)));
      run.setMode(part == Part.BASE ? RunMode.COMPARISON : RunMode.REPLAY);
      run.setTrace(each.toAbsolutePath().toString());
      run.setGroup(isOne ? null : String.join(",", names));
      document.getRuns().add(run);
    }
  }

  static String name(Path trace) {
    return String.valueOf(trace.getFileName());
  }
}
