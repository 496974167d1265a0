package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitListener;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.replay.WindowWait;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;

/** Collects the waits of all threads, and what those lose who leave collectives late. */
final class WaitCollector implements WaitListener {
  /** Is told of time that is no wait for a thread: the last part of a collective, waits that no thread ended, polling in vain. */
  interface Completions {
    void completion(WaitState state, int thread, int path, long beginNs, long endNs);
  }

  /** The call of the OpenMP adapter between the parallel regions of a thread. */
  private static final String IDLE = "[OpenMP idle]";

  private record Collective(long key, long sequence) {}

  private record Leaver(int thread, int path, boolean neededAll, long beginNs, long endNs) {}

  private final Completions completions;
  private final List<ThreadWaits> threads = new ArrayList<>();
  /** Collectives that some have left and others have not yet. */
  private final Map<Collective, List<Leaver>> leaving = new HashMap<>();
  private final Map<Collective, WaitState> states = new HashMap<>();

  WaitCollector(Completions completions) {
    this.completions = completions;
  }

  /** @return the waits of a thread, by its index in the replay */
  ThreadWaits of(int thread) {
    while (threads.size() <= thread) {
      threads.add(new ThreadWaits());
    }
    return threads.get(thread);
  }

  @Override
  public void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs,
      long untilNs, long cause) {
    WaitState state = state(thread.process(), kind, detail, path);
    int object = kind == ArcKind.COLLECTIVE || kind == ArcKind.MESSAGE ? 0
        : kind == ArcKind.WINDOW ? WindowWait.window(detail) : detail;
    of(thread.index()).add(state, path, object, beginNs, untilNs, cause);
  }

  /** @return in what a thread waited, as {@link #waited} is told of it */
  static WaitState state(ProcessTrace process, ArcKind kind, int detail, int path) {
    return kind == ArcKind.TASK && isIdle(process, path)
        ? WaitState.IDLE_THREAD : WaitState.of(kind, detail);
  }

  /** @return true for the call in which a thread of a team is outside of parallel regions */
  private static boolean isIdle(ProcessTrace process, int path) {
    CallPaths paths = process.callPaths();
    if (!paths.isDefined(path) || path == 0 || paths.kind(path) != CallPaths.REGION) {
      return false;
    }
    Region region = process.region((int) paths.value(path));
    return region != null && region.name().equals(IDLE);
  }

  @Override
  public void waitedAlone(ThreadRecord thread, WaitState state, int path, long beginNs, long endNs) {
    completions.completion(state, thread.index(), path, beginNs, endNs);
  }

  @Override
  public void began(ThreadRecord thread, long createdNs, long cause) {
    of(thread.index()).addBegin(createdNs, cause);
  }

  @Override
  public void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs,
      long receivedNs, long from) {
    if (kind == ArcKind.MESSAGE) {
      of(thread.index()).received(sentNs);
    }
  }

  @Override
  public void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path,
      long beginNs, long endNs) {
    WaitState state = WaitState.completionOf(detail);
    if (state == null) {
      return;
    }
    Collective collective = new Collective(key, sequence);
    List<Leaver> leavers = leaving.computeIfAbsent(collective, k -> new ArrayList<>());
    leavers.add(new Leaver(thread.index(), path, (detail & SOME) == 0, beginNs, endNs));
    states.put(collective, state);
    if (leavers.size() == size) {
      complete(collective);
      leaving.remove(collective);
      states.remove(collective);
    }
  }

  private void complete(Collective collective) {
    List<Leaver> leavers = leaving.get(collective).stream().filter(Leaver::neededAll).toList();
    if (leavers.isEmpty()) {
      return;
    }
    long firstNs = leavers.stream().mapToLong(Leaver::endNs).min().orElseThrow();
    for (Leaver leaver : leavers) {
      completions.completion(states.get(collective), leaver.thread, leaver.path,
          Math.max(firstNs, leaver.beginNs), leaver.endNs);
    }
  }

  /**
   * All threads were replayed. Completes collectives that some never left, and adds the time in
   * which threads of teams were idle until they ended, while the process's main thread went on.
   */
  void end(List<ThreadRecord> records) {
    leaving.keySet().forEach(this::complete);
    leaving.clear();
    states.clear();
    Map<ProcessTrace, ThreadRecord> mains = new HashMap<>();
    for (ThreadRecord record : records) {
      if (record.thread().id() == 0) {
        mains.put(record.process(), record);
      }
    }
    for (ThreadRecord record : records) {
      ThreadRecord main = mains.get(record.process());
      if (main != null && main != record) {
        addIdleEnd(record, Reference.of(main.index(), main.endPosition()));
      }
    }
  }

  private void addIdleEnd(ThreadRecord record, long cause) {
    EventCursor cursor = record.thread().cursor();
    cursor.end();
    boolean more = cursor.previous();
    while (more && cursor.kind() != Kind.LEAVE && cursor.kind() != Kind.ENTER) {
      more = cursor.previous();
    }
    if (!more || cursor.kind() != Kind.LEAVE || !isIdle(record.process(), cursor.operand())) {
      return;
    }
    int path = cursor.operand();
    long endNs = cursor.timeNs();
    while (more && cursor.kind() != Kind.ENTER && cursor.kind() != Kind.WAKE) {
      more = cursor.previous();
    }
    if (more && cursor.kind() == Kind.ENTER && cursor.timeNs() < endNs) {
      of(record.index()).add(
          WaitState.IDLE_AT_END, path, 0, cursor.timeNs(), endNs, cause);
    }
  }
}
