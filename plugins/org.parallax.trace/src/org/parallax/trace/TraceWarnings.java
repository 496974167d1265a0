package org.parallax.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Says in words what is not as it should be with a trace. */
final class TraceWarnings {
  private static final double NS = 1e9;

  private final List<String> warnings = new ArrayList<>();

  private TraceWarnings() {
  }

  static List<String> collect(Trace trace, List<String> openWarnings, DamageLog damage) {
    TraceWarnings collector = new TraceWarnings();
    collector.absences(trace);
    collector.imported(trace);
    collector.warnings.addAll(openWarnings);
    collector.run(trace);
    collector.clocks(trace);
    collector.pauses(trace);
    collector.notes(trace);
    collector.untold(trace);
    for (ProcessTrace process : trace.processes()) {
      collector.process(process);
    }
    trace.series().problems().forEach(problem -> collector.warnings.add("external data: "
        + problem.file() + ": " + problem.fact() + "; the series is ignored. "
        + problem.nextStep()));
    List<String> entries = damage.entries();
    for (String entry : entries) {
      collector.warnings.add("damaged: " + entry);
    }
    if (!entries.isEmpty()) {
      collector.warnings.add("for a list of all damage and its consequences, run: parallax check "
          + trace.directory());
    }
    return List.copyOf(collector.warnings);
  }

  private void absences(Trace trace) {
    for (Absence absence : trace.absences()) {
      warnings.add("incomplete: " + absence.text() + ". The missing time is in no result, and a wait "
          + "for a missing process or thread has no cause. " + absence.nextStep());
    }
  }

  private void run(Trace trace) {
    if (!trace.manifest().values().isEmpty() && !trace.manifest().hasEnded()) {
      warnings.add("the run has not ended: the program is still running, or its recorder was "
          + "killed; the events recorded so far are shown");
    }
  }

  private void imported(Trace trace) {
    ImportReport report = trace.imported();
    if (report == null) {
      return;
    }
    report.warnings().forEach(warning -> warnings.add("import: " + warning));
    if (report.left() > 0) {
      warnings.add(String.format(Locale.ROOT, "import: %,d of %,d records of the original were left out: %s", report.left(),
          report.read(), report.records().stream().filter(count -> count.left() > 0)
              .map(count -> String.format(Locale.ROOT, "%,d %s", count.left(), count.type()))
              .collect(Collectors.joining(", "))));
    }
  }

  private void clocks(Trace trace) {
    if (ClockFile.isUsed(trace)) {
      warnings.add("times are corrected by a controlled logical clock, so that no interaction ends before it begins; to "
          + "see them as recorded, run: parallax clocks --undo " + trace.directory());
      return;
    }
    long hosts = trace.clocks().stream().map(MachineClock::host).distinct().count();
    long aligned = trace.clocks().stream().filter(clock -> clock.offsets() != null).map(MachineClock::host).distinct().count();
    if (hosts > 1 && aligned < hosts - 1 && trace.imported() == null) {
      warnings.add("the clocks of " + hosts + " machines are aligned only by their time of day: "
          + "times between machines are as accurate as their network time, and a message can seem "
          + "to arrive before it was sent");
    }
  }

  private void pauses(Trace trace) {
    if (!trace.manifest().keepLast().isEmpty()) {
      if (trace.keptFromNs() > 0) {
        warnings.add(String.format(Locale.ROOT, "only the last %s were kept (--keep-last): all threads are complete from "
            + "%.3f s on; the time before is shown as %s, and has no calls, samples and waits", trace.manifest().keepLast(),
            trace.keptFromNs() / NS, Region.NOT_RECORDED));
      }
    }
    List<ProcessTrace> paused = trace.pausedProcesses();
    if (!paused.isEmpty()) {
      int more = paused.size() - 1;
      warnings.add("recording was paused for some time in " + paused.get(0).name()
          + (more > 0 ? " and " + more + " more" : "") + ": this time is shown as " + Region.NOT_RECORDED
          + ", and has no calls, samples and waits");
    }
  }

  /** What several processes tell is told once. */
  private void notes(Trace trace) {
    Map<String, Set<String>> tellers = new LinkedHashMap<>();
    for (ProcessTrace process : trace.processes()) {
      for (String note : process.notes()) {
        tellers.computeIfAbsent(note, unused -> new LinkedHashSet<>()).add(process.name());
      }
    }
    tellers.forEach((note, names) -> {
      int more = names.size() - 1;
      warnings.add(names.iterator().next() + (more > 0 ? " and " + more + " more: " : ": ") + note);
    });
  }

  private void untold(Trace trace) {
    List<ProcessTrace> untold = trace.processes().stream()
        .filter(process -> process.endReason() == EndReason.UNTOLD).toList();
    if (!untold.isEmpty()) {
      int more = untold.size() - 1;
      warnings.add(untold.get(0) + (more > 0 ? " and " + more + " more" : "")
          + " ended without notice to the agent, or was still running when the run ended: its "
          + "events are complete up to the last one");
    }
  }

  private void process(ProcessTrace process) {
    if (process.endReason() == EndReason.KILLED) {
      warnings.add(process + " was killed by " + process.signal() + ": its events are complete up to "
          + "the last one");
    }
    Losses losses = process.losses();
    if (losses.any()) {
      warnings.add(String.format(Locale.ROOT, "%s: %s were lost between %.3f s and %.3f s of %.3f s: "
          + "%s. The time of a gap is attributed to the routine that was open before it. %s", process,
          losses.text(), process.firstLossNs() / NS, process.lastLossNs() / NS,
          process.endNs() / NS, losses.cause().text(), losses.cause().nextStep()));
    }
    if (losses.events() > 0) {
      return;
    }
    for (ThreadTrace thread : process.threads()) {
      int missing = thread.missingBlockCount();
      if (missing > 0) {
        warnings.add(process.name() + ", " + thread.name() + ": " + missing
            + " blocks of events are missing: a write failed, or a process was killed; the time of a gap is "
            + "attributed to the routine that was open before it");
      }
      long lost = losses.any() ? 0 : thread.lostCount();
      if (lost > 0) {
        warnings.add(process.name() + ", " + thread.name() + ": " + lost
            + " events were lost for lack of space; the time of a gap is attributed to the routine "
            + "that was open before it");
      }
    }
  }
}
