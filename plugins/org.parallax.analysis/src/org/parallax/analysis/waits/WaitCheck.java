package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.replay.Weight;
import org.parallax.trace.Finding;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Checks that the waits and the work of each thread add up to its time. Each nanosecond of a thread is in one row of the profile; a wait is a part of the row of the call in which the thread waited, or of the time
 * outside of calls. So waits neither overlap, nor reach beyond the thread's first and last events, nor are they told in a
 * call in which the thread was not then: no row has a wait that is longer than its time, and the rows without their waits
 * are the work.
 *
 * <p>Cost: a replay, and the events of each thread that waits once more; 40 bytes for each wait.
 */
public final class WaitCheck {
  /** @param path of the call in which the thread waited; 0 outside of calls */
  record Told(WaitState state, int path, long beginNs, long untilNs) {}

  private final Progress progress;
  private final List<List<Told>> told = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  private WaitCheck(Progress progress) {
    this.progress = progress;
  }

  /**
   * Replays some processes, taken for one application.
   *
   * @return a finding for each thread whose waits do not fit into its time; empty if there is none
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static List<Finding> of(List<ProcessTrace> processes, Progress progress) {
    WaitCheck check = new WaitCheck(progress);
    WaitCollector collector = new WaitCollector(check::tell);
    Replay replay = Replay.of(processes, ReplaySetup.of(Weight.WALL), progress, collector);
    collector.end(replay.threads());
    for (ThreadRecord record : replay.threads()) {
      check.check(record, collector.of(record.index()));
    }
    return check.findings;
  }

  private void tell(WaitState state, int thread, int path, long beginNs, long untilNs) {
    while (told.size() <= thread) {
      told.add(new ArrayList<>());
    }
    if (untilNs > beginNs) {
      told.get(thread).add(new Told(state, path, beginNs, untilNs));
    }
  }

  private void check(ThreadRecord record, ThreadWaits waits) {
    IoWaits.tell(record, waits, this::tell);
    for (int wait = 0; wait < waits.count(); wait++) {
      if (waits.isLoss(wait)) {
        tell(waits.state(wait), record.index(), waits.path(wait), waits.beginNs(wait), waits.untilNs(wait));
      }
    }
    String fact = record.index() < told.size() ? fact(record.thread(), told.get(record.index()), progress) : null;
    if (fact != null) {
      findings.add(new Finding(Finding.Severity.WARNING, "", -1, -1, record.thread() + ": " + fact,
          "The waits of this thread are longer than its time, or hide work",
          "Do not rely on the waits of this thread, and report the trace as an error of Parallax"));
    }
  }

  /** @return what is wrong with the waits of a thread, which are put in order; null if nothing is */
  static String fact(ThreadTrace thread, List<Told> waits, Progress progress) {
    waits.sort(Comparator.comparingLong(Told::beginNs));
    String fact = order(thread, waits);
    return fact == null ? place(thread, waits, progress) : fact;
  }

  /** @return the first wait that overlaps with another one or is not in the time of the thread; or null */
  private static String order(ThreadTrace thread, List<Told> ordered) {
    long fromNs = thread.beginNs();
    Told before = null;
    for (Told wait : ordered) {
      if (wait.beginNs < fromNs) {
        return text(thread, wait) + (before == null ? " begins before the thread, at " + fromNs + " ns"
            : " begins before the end of " + text(thread, before));
      }
      fromNs = wait.untilNs;
      before = wait;
    }
    return before == null || fromNs <= thread.endNs() ? null
        : text(thread, before) + " ends after the thread, at " + thread.endNs() + " ns";
  }

  /** @return the first wait that is not in the time of its call path; or null */
  private static String place(ThreadTrace thread, List<Told> ordered, Progress progress) {
    PathReader reader = new PathReader(thread, progress);
    int next = 0;
    while (reader.next()) {
      for (; next < ordered.size() && ordered.get(next).beginNs < reader.timeNs(); next++) {
        Told wait = ordered.get(next);
        int path = reader.isInCall() ? reader.path() : 0;
        if (path != wait.path && wait.untilNs > reader.fromNs()) {
          String there = where(thread, path);
          return text(thread, wait) + ": the thread is " + there
              + (there.equals(where(thread, wait.path)) ? ", called from elsewhere," : "") + " at "
              + Math.max(wait.beginNs, reader.fromNs()) + " ns";
        }
        if (wait.untilNs > reader.timeNs()) {
          break;  // The rest of it leads to a later event.
        }
      }
    }
    return null;
  }

  private static String text(ThreadTrace thread, Told wait) {
    return "a wait (" + wait.state.label() + ") " + where(thread, wait.path) + " from " + wait.beginNs + " to "
        + wait.untilNs + " ns";
  }

  private static String where(ThreadTrace thread, int path) {
    String place = thread.process().place(path);
    return path == 0 ? "outside of calls" : "in " + (place.isEmpty() ? "call path " + path : place);
  }
}
