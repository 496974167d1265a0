package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.parallax.trace.EventCursor;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Builds the program activity graph of a set of threads by replaying their events, and finds the
 * longest path to every interaction on the way (the forward pass of critical path analysis; Irvin
 * and Miller 1993, section 4.3; design, section 5).
 *
 * <p>Each thread is replayed until it needs a partner that has not arrived; among those that can go
 * on, the one that is furthest behind in time goes first. So what is held in memory follows the
 * interactions under way, and 8 to 24 bytes for each wait. The cost is linear in the number of
 * events, and O(log T) for every {@value #TURN} events with T threads.
 */
public final class Replay {
  /** Events that a thread is replayed for before another may have its turn. */
  private static final int TURN = 4096;

  private final List<ThreadRecord> records = new ArrayList<>();
  private final List<ThreadReplay> replays = new ArrayList<>();
  private Exchange exchange;
  private final ReplaySetup setup;
  private final ReplayListener listener;
  private final IdleListener idleListener;
  private final WaitListener waits;
  private PostedMessages postedReceives = new PostedMessages();
  private PostedMessages postedSends = new PostedMessages();
  private final List<Communications> communications = new ArrayList<>();
  private final List<OutsideWaits> outsideWaits = new ArrayList<>();
  private final Set<Long> threadIds = new HashSet<>();
  /** Of each process: how many threads are replayed, and the number of the one that ends last. */
  private int[] threadCounts;
  private int[] lastThreads;
  private Shared shared;
  private Lineage lineage;
  private RankThreads rankThreads;
  private final Map<ArcKind, Unmatched> unmatched = new EnumMap<>(ArcKind.class);
  private final Map<Integer, Unmatched> unmatchedBytes = new HashMap<>();
  /** Of threads of which not all events are kept. */
  private final List<MessageReplay> kept = new ArrayList<>();
  private long keptFromNs = Long.MIN_VALUE;
  private long clockViolations;
  private long largestViolationNs;
  /** Where the largest was. */
  private ProcessTrace violating;
  private int violatingPath;

  private final boolean logsWaits;
  private final boolean keepsPath;
  /** Null where times are those of the trace. */
  private TimeOrder order;

  private Replay(Exchange exchange, ReplaySetup setup, ReplayListener listener,
      IdleListener idleListener, WaitListener waits, boolean logsWaits, boolean keepsPath) {
    this.logsWaits = logsWaits;
    this.keepsPath = keepsPath;
    this.exchange = exchange;
    this.setup = setup;
    this.listener = listener;
    this.idleListener = idleListener;
    this.waits = waits;
  }

  /**
   * Replays the threads of some processes, which are taken for one application: interactions with
   * others are not followed.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static Replay of(List<ProcessTrace> processes, ReplaySetup setup, Progress progress) {
    return of(processes, setup, progress, (ReplayListener) null);
  }

  /** The same, with a listener that is told of every arc. */
  public static Replay of(List<ProcessTrace> processes, ReplaySetup setup, Progress progress,
      ReplayListener listener) {
    return run(new Replay(new MemoryExchange(), setup, listener, null, null, false, true),
        processes, progress);
  }

  /** The same, with a listener that is told of every wait. */
  public static Replay of(List<ProcessTrace> processes, ReplaySetup setup, Progress progress,
      WaitListener waits) {
    return run(
        new Replay(new MemoryExchange(), setup, null, null, waits, false, true), processes,
        progress);
  }

  /**
   * Replays threads to find out when each waited: {@link ThreadRecord#waitLog}. There is no path to
   * be followed then.
   */
  public static Replay waitsOf(List<ProcessTrace> processes, Progress progress) {
    return run(new Replay(new MemoryExchange(), ReplaySetup.of(Weight.WALL), null, null, null, true,
        false), processes, progress);
  }

  /** Replays threads to tell of their waits and messages. There is no path to be followed then. */
  public static Replay momentsOf(List<ProcessTrace> processes, Progress progress, WaitListener waits) {
    return run(new Replay(new MemoryExchange(), ReplaySetup.of(Weight.WALL), null, null, waits,
        false, false), processes, progress);
  }

  /**
   * Replays threads to tell when each was idle. There is no path to be followed then.
   *
   * @param weight CPU to tell of processors that were lost, too
   */
  public static Replay idleOf(List<ProcessTrace> processes, Weight weight, IdleListener idleListener,
      Progress progress) {
    return run(new Replay(new MemoryExchange(), ReplaySetup.of(weight), null, idleListener, null,
        false, false), processes, progress);
  }

  /** Replays threads by times that are put in order. There is no path to be followed then. */
  public static Replay ordered(List<ProcessTrace> processes, TimeOrder order, Progress progress) {
    Replay replay = new Replay(new OrderedExchange(order), ReplaySetup.of(Weight.WALL), null, null, null, false,
        false);
    replay.order = order;
    return run(replay, processes, progress);
  }

  private static Replay run(Replay replay, List<ProcessTrace> processes, Progress progress) {
    replay.prepare(processes);
    replay.run(progress);
    replay.countUnmatchedBytes();
    replay.release();
    return replay;
  }

  private static boolean isReplayed(ThreadTrace thread) {
    return thread.slotCount() > 0 && !thread.isRuntimeThread();
  }

  /** @return the threads that a replay would have, in its order, without what it would find out */
  public static List<ThreadRecord> threadsOf(List<ProcessTrace> processes) {
    List<ThreadRecord> threads = new ArrayList<>();
    for (ProcessTrace process : processes) {
      for (ThreadTrace thread : process.threads()) {
        if (isReplayed(thread)) {
          threads.add(new ThreadRecord(threads.size(), process, thread, false, false));
        }
      }
    }
    return threads;
  }

  private void prepare(List<ProcessTrace> processes) {
    Keys keys = new Keys();
    shared = new Shared(processes);
    lineage = new Lineage(processes);
    threadCounts = new int[processes.size()];
    lastThreads = new int[processes.size()];
    for (int p = 0; p < processes.size(); p++) {
      ProcessTrace process = processes.get(p);
      communications.add(new Communications(process, keys));
      outsideWaits.add(new OutsideWaits(process));
      lastThreads[p] = -1;
      long lastNs = Long.MIN_VALUE;
      for (ThreadTrace thread : process.threads()) {
        if (isReplayed(thread)) {
          threadIds.add(threadId(p, thread.id()));
          threadCounts[p]++;
          if (thread.endNs() > lastNs) {
            lastNs = thread.endNs();
            lastThreads[p] = thread.id();
          }
          ThreadRecord record = new ThreadRecord(
              records.size(), process, thread, logsWaits, keepsPath);
          records.add(record);
        }
      }
    }
    rankThreads = new RankThreads(records);
    int index = 0;
    for (int p = 0; p < processes.size(); p++) {
      for (int i = 0; i < threadCounts[p]; i++) {
        replays.add(new ThreadReplay(this, records.get(index++), p));
      }
      keptFromNs = Math.max(keptFromNs, processes.get(p).keptFromNs());
    }
    kept.forEach(MessageReplay::leaveOut);
    kept.forEach(MessageReplay::postAgain);
    kept.clear();
    if (records.size() > Reference.MAX_THREADS) {
      throw new IllegalArgumentException(
          records.size() + " threads; at most " + Reference.MAX_THREADS + " can be analysed");
    }
  }

  private void run(Progress progress) {
    if (order != null) {
      order.begin(records);
    }
    long total = 0;
    for (ThreadRecord record : records) {
      total += record.thread().slotCount();
    }
    progress.begin("Replaying events", total);
    PriorityQueue<ThreadReplay> runnable = new PriorityQueue<>(
        (a, b) -> Long.compare(a.dueNs(), b.dueNs()));
    runnable.addAll(replays);
    BitSet blocked = new BitSet();
    Map<ThreadReplay, Integer> indices = new HashMap<>();
    for (int i = 0; i < replays.size(); i++) {
      indices.put(replays.get(i), i);
    }
    // Blocked for partners that may not be replayed. Others must not run far ahead meanwhile.
    PriorityQueue<ThreadReplay> lonely = new PriorityQueue<>(
        (a, b) -> Long.compare(a.timeNs(), b.timeNs()));
    for (;;) {
      ThreadReplay thread = runnable.poll();
      boolean isLater = thread != null && !lonely.isEmpty()
          && lonely.peek().timeNs() < thread.dueNs();
      if (thread == null || isLater) {
        if (isLater) {
          runnable.add(thread);
        }
        thread = isLater ? lonely.peek() : withoutPartner(blocked);
        if (thread == null) {
          break;
        }
        thread.giveUp();
        blocked.clear(indices.get(thread));
        lonely.remove(thread);
      }
      switch (thread.run(TURN)) {
        case RUNNABLE -> {
          runnable.add(thread);
          progress.worked(thread.replayed());
          progress.check();
        }
        case BLOCKED -> {
          blocked.set(indices.get(thread));
          if (thread.mayLackPartner()) {
            lonely.add(thread);
          }
        }
        case FINISHED -> progress.check();
      }
      for (int woken = exchange.nextWoken(); woken >= 0; woken = exchange.nextWoken()) {
        if (blocked.get(woken)) {
          blocked.clear(woken);
          lonely.remove(replays.get(woken));
          runnable.add(replays.get(woken));
        }
      }
    }
  }

  /** Forgets what only the replay itself needs: results are kept for long. */
  private void release() {
    replays.clear();
    communications.clear();
    outsideWaits.clear();
    threadIds.clear();
    exchange = null;
    postedReceives = null;
    postedSends = null;
    shared = null;
    lineage = null;
    rankThreads = null;
  }

  /**
   * Chooses who goes on without a partner where nobody else can: who reads what nobody has sent,
   * since who sends it is often not replayed; others may only wait for that thread.
   */
  /**
   * When no thread can go on, some wait has no partner in the traces. It is the one that ended first:
   * what ended it happened before, and all that the other threads have not done yet comes later.
   */
  private ThreadReplay withoutPartner(BitSet blocked) {
    ThreadReplay first = null;
    for (int i = blocked.nextSetBit(0); i >= 0; i = blocked.nextSetBit(i + 1)) {
      if (first == null || replays.get(i).timeNs() < first.timeNs()) {
        first = replays.get(i);
      }
    }
    return first;
  }

  // ----------------------------------------------------- for the threads' replays

  Exchange exchange() {
    return exchange;
  }

  /** @return whether work weighs its CPU time, rather than its wall time */
  public boolean isCpuWeight() {
    return setup.weight() == Weight.CPU;
  }

  /** @return how the replay weighs what it finds */
  public ReplaySetup setup() {
    return setup;
  }

  /** @return the listener, or null */
  ReplayListener listener() {
    return listener;
  }

  /** @return who is told when threads do not execute, or null */
  IdleListener idleListener() {
    return idleListener;
  }

  /** @return who is told of waits, or null */
  WaitListener waits() {
    return waits;
  }

  void addKept(MessageReplay messages) {
    kept.add(messages);
  }

  PostedMessages postedReceives() {
    return postedReceives;
  }

  PostedMessages postedSends() {
    return postedSends;
  }

  Communications communications(int process) {
    return communications.get(process);
  }

  OutsideWaits outsideWaits(int process) {
    return outsideWaits.get(process);
  }

  Shared shared() {
    return shared;
  }

  Lineage lineage() {
    return lineage;
  }

  RankThreads rankThreads() {
    return rankThreads;
  }

  /** @return how many threads of a process are replayed */
  int threadCount(int process) {
    return threadCounts[process];
  }

  /** @return the number of the thread whose last event is that of the process, or -1 */
  int lastThread(int process) {
    return lastThreads[process];
  }

  private static long threadId(int process, long thread) {
    return (long) process << 32 | thread;
  }

  /** @return true if the thread is replayed: its creation, end and start can be waited for */
  boolean hasThread(int process, long thread) {
    return threadIds.contains(threadId(process, thread));
  }

  /**
   * A wait has no partner.
   *
   * @param stream of which bytes are missing; -1 for what is no stream
   * @param path of the call that waits, 0 outside of calls
   */
  void unmatched(
      ArcKind kind, int stream, ThreadRecord record, int path, long beginNs, long endNs) {
    boolean isOutside = !setup.window().contains(endNs) && setup.window().overlapNs(beginNs, endNs) == 0;
    if (isOutside || beginNs <= keptFromNs) {  // before, partners were not kept
      return;
    }
    Unmatched more = new Unmatched(1, endNs, record.process(), path);
    if (stream >= 0) {
      unmatchedBytes.merge(stream, more, Unmatched::and);
    } else {
      unmatched.merge(kind, more, Unmatched::and);
    }
  }

  /** Waits without a partner; where the first of them was. */
  private record Unmatched(long count, long endNs, ProcessTrace process, int path) {
    Unmatched and(Unmatched others) {
      Unmatched first = others.endNs < endNs ? others : this;
      return new Unmatched(count + others.count, first.endNs, first.process, first.path);
    }
  }

  private static String place(ProcessTrace process, int path) {
    String place = process.place(path);
    return place.isEmpty() ? process.toString() : place + " of " + process;
  }

  /** Where nobody has sent anything in the whole run, who did is not among those replayed. */
  private void countUnmatchedBytes() {
    unmatchedBytes.forEach((stream, waits) -> {
      if (exchange.isGiven(stream)) {
        unmatched.merge(ArcKind.STREAM, waits, Unmatched::and);
      }
    });
    unmatchedBytes.clear();
  }

  /** @return the time of the event at which the cursor of a thread stands */
  long timeNs(ThreadRecord record, EventCursor cursor) {
    return order == null ? cursor.timeNs() : order.timeNs(record.index(), cursor.timeNs());
  }

  /**
   * A need of a call that ends was met, which can have been later than its end.
   *
   * @return the end of the call
   */
  long met(ThreadRecord record, Needs needs, int need, Exchange.Values values, long endNs, int path) {
    long orderedNs = endNs;
    ArcKind kind = needs.kind(need);
    if (order != null && kind != ArcKind.RENDEZVOUS && kind != ArcKind.ROOM) {
      orderedNs = order.met(record.index(), kind, needs.cause(need, values), values.timeNs, endNs);
      needs.tellMet(need, orderedNs, order);
    }
    if (values.timeNs > orderedNs) {
      clockViolation(record, path, values.timeNs, endNs);
    }
    return orderedNs;
  }

  private void clockViolation(ThreadRecord record, int path, long causeNs, long endNs) {
    if (!setup.window().contains(endNs)) {
      return;
    }
    clockViolations++;
    if (causeNs - endNs > largestViolationNs) {
      largestViolationNs = causeNs - endNs;
      violating = record.process();
      violatingPath = path;
    }
  }

  // ------------------------------------------------------------------- results

  /** @return what arcs of work weigh */
  public Weight weight() {
    return setup.weight();
  }

  /** @return the replayed threads with events, in the order of their processes */
  public List<ThreadRecord> threads() {
    return records;
  }

  /**
   * @return the thread at whose end the longest path ends, one of those that can begin a path; null
   *     when there are no threads
   */
  public ThreadRecord last() {
    ThreadRecord last = null;
    for (ThreadRecord record : records) {
      if (setup.isActive(record.process())
          && (last == null || record.length() > last.length())) {
        last = record;
      }
    }
    return last;
  }

  /** @return what a person must know of how far the graph can be trusted */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    unmatched.forEach((kind, waits) -> warnings.add(
        waits.count + " waits (" + kind.label() + ") have no partner in the trace and count as local "
            + "work: a partner was killed, was not traced, was paused, or lost events; the first is "
            + place(waits.process, waits.path)));
    if (clockViolations > 0) {
      warnings.add(clockViolations + " interactions end before they begin, by up to "
          + largestViolationNs + " ns: the clocks of the machines "
          + "differ, or several threads wrote to the same stream at the same time; the largest is "
          + place(violating, violatingPath));
    }
    return warnings;
  }
}
