package org.parallax.cli.trace;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Module;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;

/** How much a trace holds: one pass over all events. */
final class TraceCounts {
  private static final int CHECK_EVENTS = 1 << 20;

  /** Of a process or of all; {@code sizeBytes} of the blocks of event files. */
  record Counts(long threads, long events, long samples, long lost, long sizeBytes) {
    /** What the process tells holds more than the gaps in its files: the last events of threads, too. */
    private Counts withLossesOf(ProcessTrace process) {
      return new Counts(threads, events, samples, Math.max(lost, process.losses().events()),
          sizeBytes);
    }

    private Counts plus(Counts other) {
      return new Counts(threads + other.threads, events + other.events, samples + other.samples,
          lost + other.lost, sizeBytes + other.sizeBytes);
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("threads", threads);
      fields.put("events", events);
      fields.put("samples", samples);
      fields.put("lost", lost);
      fields.put("eventBytes", sizeBytes);
      return fields;
    }
  }

  private static final Counts NONE = new Counts(0, 0, 0, 0, 0);

  private final Map<ProcessTrace, Counts> byProcess = new LinkedHashMap<>();
  /** The functions that were throttled somewhere, by module and offset. */
  private final Set<String> throttled = new HashSet<>();

  private TraceCounts() {
  }

  static TraceCounts of(Trace trace, Progress progress) {
    long slots = trace.processes().stream().flatMap(process -> process.threads().stream())
        .mapToLong(ThreadTrace::slotCount).sum();
    progress.begin("Counting events", slots);
    TraceCounts counts = new TraceCounts();
    for (ProcessTrace process : trace.processes()) {
      Counts sum = NONE;
      for (ThreadTrace thread : process.threads()) {
        if (!thread.isRuntimeThread()) {
          sum = sum.plus(counts.count(process, thread, progress));
        }
      }
      counts.byProcess.put(process, sum.withLossesOf(process));
    }
    return counts;
  }

  private Counts count(ProcessTrace process, ThreadTrace thread, Progress progress) {
    long events = 0;
    long samples = 0;
    long reported = 0;
    EventCursor cursor = thread.cursor();
    while (cursor.next()) {
      events++;
      if (cursor.kind() == Kind.SAMPLE) {
        samples++;
      } else if (cursor.kind() == Kind.THROTTLED) {
        throttled.add(leaf(process, cursor.operand()));
      }
      if ((events & CHECK_EVENTS - 1) == 0) {
        progress.check();
        progress.worked(events - reported);
        reported = events;
      }
    }
    progress.worked(Math.max(0, thread.slotCount() - reported));
    return new Counts(1, events, samples, thread.lostCount(), thread.sizeBytes());
  }

  private static String leaf(ProcessTrace process, int path) {
    long address = process.callPaths().isDefined(path) ? process.callPaths().value(path) : 0;
    Module module = process.moduleAt(address);
    return module == null ? process.name() + ' ' + address
        : module.path() + ' ' + (address - module.loadBias());
  }

  int throttledFunctions() {
    return throttled.size();
  }

  Counts of(ProcessTrace process) {
    return byProcess.getOrDefault(process, NONE);
  }

  Counts total() {
    return byProcess.values().stream().reduce(NONE, Counts::plus);
  }
}
