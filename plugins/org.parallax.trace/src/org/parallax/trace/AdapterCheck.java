package org.parallax.trace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.Finding.Severity;

/**
 * Checks a thread's events of processes, streams, files, phases, metrics and visits: what they name
 * is defined, phases nest, and the bytes of a stream come in their order.
 */
final class AdapterCheck {
  private static final int LAST_FILE_OP = 7;
  private static final String[] COUNTERS = {"voluntary context switches",
    "involuntary context switches", "minor page faults", "major page faults"};

  private final ThreadCheck thread;
  private final CheckedProcess process;
  private final ProcessEvents events;
  /** Where the next bytes of a stream can begin, by stream and direction. */
  private final Map<Long, Long> nextOffset = new HashMap<>();
  private final long[] counters = new long[COUNTERS.length];
  private int[] phases = new int[8];
  private int phaseCount;
  private boolean afterGap;

  AdapterCheck(ThreadCheck thread, CheckedProcess process, ProcessEvents events) {
    this.thread = thread;
    this.process = process;
    this.events = events;
  }

  /** Events are missing: phases may end that did not begin. */
  void gap() {
    afterGap = true;
    phaseCount = 0;
  }

  void check(int kind, long operand, long ticks) {
    switch (kind) {
      case Kind.VISITS -> checkVisits(thread.payload(0));
      case Kind.THROTTLED -> checkThrottled(operand);
      case Kind.PHASE_BEGIN -> {
        checkRegion(kind, operand);
        push((int) operand);
      }
      case Kind.PHASE_END -> {
        checkRegion(kind, operand);
        endPhase((int) operand);
      }
      case Kind.MARK -> checkRegion(kind, operand);
      case Kind.VALUE -> checkDefined(kind, "metric", operand, process.metric((int) operand));
      case Kind.THREAD_COUNTERS -> checkCounters();
      case Kind.PROCESS_CREATE -> {
        checkCreation();
        events.processCreated(thread.payload(0), thread.payload(1), ticks);
      }
      case Kind.PROCESS_WAIT -> {
        checkCreation();
        events.processWaited(thread.payload(0), thread.payload(1), ticks);
      }
      case Kind.STREAM_SEND, Kind.STREAM_RECEIVE -> checkStream(kind, operand);
      case Kind.KEPT_STATE, Kind.KEPT -> { }
      default -> checkFile(operand);
    }
  }

  /** The thread's events have ended. */
  void end() {
    if (phaseCount > 0 && !process.isIncomplete()) {
      thread.tell(Severity.INFO, "phases", phaseCount + " phases were still open at the end of the "
          + "thread's events", "The program did not end them");
    }
  }

  private void checkVisits(long visits) {
    if (visits == 0) {
      thread.violation("visits", "Visits has a count of 0", "The event has no effect");
    }
  }

  private void checkThrottled(long path) {
    CallPaths paths = process.paths();
    if (path < paths.count() && paths.isDefined((int) path)
        && paths.kind((int) path) != CallPaths.FUNCTION) {
      thread.violation("throttled", "Throttled names call path " + path
          + ", whose leaf is not an instrumented function",
          "It is unclear which function is meant");
    }
  }

  private void checkRegion(int kind, long id) {
    Region region = id > Integer.MAX_VALUE ? null : process.region((int) id);
    checkDefined(kind, "region", id, region);
    if (region != null && region.group() != Region.Group.PHASE) {
      thread.violation("phases", Kind.name(kind) + " names region " + id + " of group "
          + region.group() + ", expected " + Region.Group.PHASE, "It is shown as a phase");
    }
  }

  private void push(int phase) {
    if (phaseCount == phases.length) {
      phases = Arrays.copyOf(phases, phaseCount * 2);
    }
    phases[phaseCount++] = phase;
  }

  private void endPhase(int phase) {
    int at = phaseCount - 1;
    while (at >= 0 && phases[at] != phase) {
      at--;
    }
    if (at < 0) {
      if (!afterGap) {
        thread.tell(Severity.WARNING, "phases", "PhaseEnd of region " + phase
            + ", which is not open in this thread", "The program ends a phase that it did not "
            + "begin");
      }
      return;
    }
    if (at < phaseCount - 1) {
      thread.tell(Severity.WARNING, "phases", "PhaseEnd of region " + phase + " within "
          + (phaseCount - 1 - at) + " phases that have not ended",
          "The program does not end its phases in the reverse order of their begins");
    }
    phaseCount = at;
  }

  private void checkCounters() {
    for (int i = 0; i < counters.length; i++) {
      long value = thread.payload(i);
      if (value < counters[i]) {
        thread.violation("counters", "the " + COUNTERS[i] + " of the thread are " + value
            + ", but were " + counters[i] + " before", "Counts around it are wrong");
      }
      counters[i] = value;
    }
  }

  private void checkCreation() {
    if (Creation.of(thread.payload(1)) == null) {
      thread.tell(Severity.WARNING, "creation", "a process was created by method "
          + thread.payload(1) + ", which this version does not know", "The new process is not "
          + "connected with its parent");
    }
  }

  private void checkStream(int kind, long id) {
    Stream stream = id > Integer.MAX_VALUE ? null : process.stream((int) id);
    checkDefined(kind, "stream", id, stream);
    long offset = thread.payload(0);
    long bytes = thread.payload(1);
    long direction = id << 1 | (kind == Kind.STREAM_SEND ? 1 : 0);
    long expected = nextOffset.getOrDefault(direction, 0L);
    if (offset < expected || offset + bytes < offset) {
      thread.violation("streams", Kind.name(kind) + " of bytes from " + offset + " on stream " + id
          + ", after bytes up to " + expected, "Bytes cannot be matched");
    }
    nextOffset.put(direction, Math.max(expected, offset + bytes));
  }

  private void checkFile(long id) {
    checkDefined(Kind.FILE, "file", id, id > Integer.MAX_VALUE ? null : process.fileName((int) id));
    long op = thread.payload(0);
    if (op < 1 || op > LAST_FILE_OP) {
      thread.tell(Severity.WARNING, "files", "File has op " + op
          + ", which this version does not know", "It is shown as another operation");
    }
  }

  private void checkDefined(int kind, String what, long id, Object definition) {
    if (definition == null && !process.isIncomplete()) {
      thread.violation(what + "s", Kind.name(kind) + " names " + what + " " + id
          + ", which is not defined", "It has no name");
    }
  }
}
