package org.parallax.trace;

import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.Finding.Severity;

/**
 * What must hold over all threads of a process: requests are posted once and completed, cancelled
 * or freed once, and a process that is waited for was created before.
 */
final class ProcessEvents {
  private record Created(long id, long how) {
  }

  private final CheckedProcess process;
  private final Map<Created, Long> firstCreation = new HashMap<>();
  private final Map<Created, Long> firstWait = new HashMap<>();
  private long posted;
  private long completed;
  private boolean hasGaps;

  ProcessEvents(CheckedProcess process) {
    this.process = process;
  }

  void requestPosted() {
    posted++;
  }

  void requestCompleted() {
    completed++;
  }

  /** Events of a thread are missing. */
  void gap() {
    hasGaps = true;
  }

  void processCreated(long id, long how, long ticks) {
    firstCreation.merge(new Created(id, how), ticks, Math::min);
  }

  void processWaited(long id, long how, long ticks) {
    firstWait.merge(new Created(id, how), ticks, Math::min);
  }

  void report(FindingList findings) {
    if (completed > posted && !hasGaps && !process.isIncomplete()) {
      findings.violation(process.file(), DamageSink.NONE, DamageSink.NONE, "requests",
          completed + " requests were completed, but only " + posted + " posted",
          "Messages cannot be matched reliably");
    } else if (posted > completed) {
      findings.add(Severity.INFO, process.file(), "requests", (posted - completed) + " of "
          + posted + " requests were never completed",
          "The program did not wait for them, or the process ended first", "");
    }
    if (!process.isIncomplete()) {
      firstWait.forEach((child, ticks) -> reportWait(findings, child, ticks));
    }
  }

  private void reportWait(FindingList findings, Created child, long ticks) {
    Long created = firstCreation.get(child);
    if (created == null) {
      findings.add(Severity.INFO, process.file(), "children", "process " + child.id()
          + " was waited for, but no event has its creation", "It was created by a method that is "
          + "not intercepted, or before an exec", "");
    } else if (created > ticks) {
      findings.violation(process.file(), DamageSink.NONE, DamageSink.NONE, "children", "process "
          + child.id() + " was waited for " + (created - ticks) + " ticks before its creation",
          "The wait has no clear cause");
    }
  }
}
