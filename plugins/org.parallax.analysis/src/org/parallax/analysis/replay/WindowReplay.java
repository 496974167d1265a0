package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.trace.CallPaths;
import org.parallax.trace.Communicator;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;
import org.parallax.trace.WindowOp;

/**
 * Replays a thread's part in one-sided communication of MPI; {@code docs/activity-graph.md} has the rules.
 *
 * <p>Posts and completes are matched by their order, for each window and pair of ranks. Libraries are free in
 * where they wait for a post, and when they acquire a lock: each call that can do so is asked whether what it
 * may have waited for came while it lasted.
 */
final class WindowReplay {
  /** In place of the rank of a lock: shared locks of all, and exclusive ones of any. */
  private static final int ALL = -1;
  private static final int ANY_EXCLUSIVE = -2;

  // Numbers of moments of progress.
  private static final int OUTSIDE = 0;
  private static final int INSIDE = 1;

  /** What an access epoch is open on. */
  private static final class Target {
    final int rank;
    final int posts;
    final long ordinal;
    /** When the last operation, or else the start, ended. */
    long lastNs;

    Target(int rank, int posts, long ordinal) {
      this.rank = rank;
      this.posts = posts;
      this.ordinal = ordinal;
    }
  }

  /** A lock that was asked for, and when the call that did so ended. */
  private record Lock(boolean isExclusive, long sinceNs) {}

  private final ThreadReplay thread;
  private final Replay replay;
  private final Exchange exchange;
  private final EventCursor cursor;
  private final Needs needs;
  private final Communications communications;
  private final boolean hasWindows;
  /** Call paths of routines of MPI. */
  private final BitSet mpiPaths = new BitSet();
  private final int ownThread;

  private final Map<Integer, List<Target>> epochs = new HashMap<>();
  /** By window and rank, or {@link #ALL}. */
  private final Map<Long, Lock> locks = new HashMap<>();
  /** By window: ranks with operations in passive epochs that may not have completed there. */
  private final Map<Integer, BitSet> touched = new HashMap<>();
  /** Of the call at hand. */
  private final List<Target> operating = new ArrayList<>();
  private Lock unlocked;
  private int unlockedShared;
  private int unlockedRank;
  private int unlockedBy;

  // Of the event at hand.
  private Communicator window;
  private int number;
  private int shared;
  private int own;

  WindowReplay(ThreadReplay thread) {
    this.thread = thread;
    replay = thread.replay();
    exchange = thread.exchange();
    cursor = thread.cursor();
    needs = thread.needs();
    communications = replay.communications(thread.process());
    ProcessTrace process = thread.record().process();
    hasWindows = hasWindows(process);
    ownThread = hasWindows ? replay.rankThreads().own(thread.record()) : RankThreads.NONE;
    if (hasWindows) {
      findMpiPaths(process);
    }
  }

  private static boolean hasWindows(ProcessTrace process) {
    for (int id = 1; id < process.communicatorCount(); id++) {
      Communicator each = process.communicator(id);
      if (each != null && each.isWindow()) {
        return true;
      }
    }
    return false;
  }

  private void findMpiPaths(ProcessTrace process) {
    CallPaths paths = process.callPaths();
    for (int path = 1; path < paths.count(); path++) {
      if (paths.isDefined(path) && paths.kind(path) == CallPaths.REGION) {
        Region region = process.region((int) paths.value(path));
        mpiPaths.set(path, region != null && region.group() == Region.Group.MPI);
      }
    }
  }

  // ------------------------------------------------------------ calls of MPI

  /** @return false for processes without windows, which need not tell of their calls */
  boolean isTold() {
    return hasWindows;
  }

  /** A call begins. */
  void entered(int path) {
    if (mpiPaths.get(path)) {
      tellProgress(INSIDE, thread.vertex(cursor.position(), thread.length()));
    }
  }

  /**
   * A call ends.
   *
   * @param hasWaited whether it waited for others
   */
  void left(int path, boolean hasWaited) {
    for (Target target : operating) {
      target.lastNs = thread.timeNs();
    }
    operating.clear();
    if (unlocked != null && hasWaited) {
      // The lock was acquired in the unlock, and is free now.
      tellRelease(thread.vertex(cursor.position(), thread.length()));
    }
    unlocked = null;
    if (mpiPaths.get(path)) {
      tellProgress(OUTSIDE, Reference.NONE);
    }
  }

  private void tellProgress(int inside, long reference) {
    exchange.tellMoment(
        Keys.progress(), ownThread, inside, 0, thread.timeNs(), thread.length(), reference);
  }

  // ------------------------------------------------------------------- events

  void event() {
    number = cursor.operand();
    window = communications.communicator(number);
    WindowOp op = WindowOp.of(Kind.op(cursor.payload(0)));
    int rank = Kind.root(cursor.payload(0));
    if (window == null || !window.isWindow() || op == null
        || (rank == Kind.NO_ROOT ? !isForAll(op) : rank >= window.size())) {
      return;
    }
    shared = communications.shared(number);
    own = window.ownRank();
    switch (op) {
      case POST -> exchange.provide(pairChannel(Keys.post(shared), own, rank), false, thread.timeNs(),
          thread.length(), thread.provider());
      case START -> start(rank);
      case COMPLETE -> complete(rank);
      case WAIT -> await(rank);
      case LOCK_SHARED, LOCK_EXCLUSIVE -> {
        locks.put(lockOf(rank == Kind.NO_ROOT ? ALL : rank),
            new Lock(op == WindowOp.LOCK_EXCLUSIVE, thread.timeNs()));
        awaitGrant(rank == Kind.NO_ROOT ? ALL : rank, Long.MAX_VALUE);
        awaitProgress(rank);
      }
      case UNLOCK -> unlock(rank);
      case FLUSH -> {
        awaitTargets(rank);
        forget(rank);
      }
      case FLUSH_LOCAL, DONE -> awaitTargets(rank);
      default -> operate(rank);
    }
  }

  /** @return whether the operation can be on all ranks */
  private static boolean isForAll(WindowOp op) {
    return switch (op) {
      case LOCK_SHARED, LOCK_EXCLUSIVE, UNLOCK, FLUSH, FLUSH_LOCAL -> true;
      default -> false;
    };
  }

  /** All operations on a rank, or on all, have completed. */
  private void forget(int rank) {
    BitSet ranks = touched.get(number);
    if (ranks != null && rank == Kind.NO_ROOT) {
      ranks.clear();
    } else if (ranks != null) {
      ranks.clear(rank);
    }
  }

  private int pairChannel(long key, int from, int to) {
    return exchange.channel(key, Keys.message2(from, to));
  }

  private void describe(WindowWait wait) {
    needs.describe(wait.on(number));
  }

  // -------------------------------------------- epochs of access and exposure

  private void start(int rank) {
    int posts = pairChannel(Keys.post(shared), rank, own);
    Target target = new Target(rank, posts, exchange.nextOrdinal(posts));
    epochs.computeIfAbsent(number, k -> new ArrayList<>()).add(target);
    target.lastNs = thread.timeNs();
    awaitPost(target, false);
  }

  private void awaitPost(Target target, boolean last) {
    if (member(target.rank) == RankThreads.NONE) {
      return;
    }
    needs.addReadyChannel(ArcKind.WINDOW, target.posts, target.ordinal, last);
    describe(WindowWait.LATE_POST);
  }

  private Target targetOf(int rank) {
    for (Target target : epochs.getOrDefault(number, List.of())) {
      if (target.rank == rank) {
        return target;
      }
    }
    return null;
  }

  /** Epochs began and ended before the first of the thread's events that are kept. */
  void leaveOut(int windowNumber, long opAndRank, long epochCount) {
    Communicator communicator = communications.communicator(windowNumber);
    WindowOp op = WindowOp.of(Kind.op(opAndRank));
    if (communicator == null || op == null) {
      return;
    }
    int at = communications.shared(windowNumber);
    int here = communicator.ownRank();
    int rank = Kind.root(opAndRank);
    switch (op) {
      case POST -> exchange.leaveOut(pairChannel(Keys.post(at), here, rank), epochCount, 0);
      case START -> exchange.leaveOut(pairChannel(Keys.post(at), rank, here), 0, epochCount);
      // Each complete has two values.
      case COMPLETE -> exchange.leaveOut(pairChannel(Keys.complete(at), here, rank), 2 * epochCount, 0);
      case WAIT -> exchange.leaveOut(pairChannel(Keys.complete(at), rank, here), 0, 2 * epochCount);
      default -> { }
    }
  }

  private void await(int rank) {
    if (member(rank) == RankThreads.NONE) {
      thread.unmatched(ArcKind.WINDOW, -1);
      return;
    }
    int channel = pairChannel(Keys.complete(shared), rank, own);
    long ordinal = exchange.nextOrdinal(channel);
    exchange.nextOrdinal(channel);
    if (exchange.isLeftOut(channel, ordinal)) {
      return;
    }
    needs.addComplete(channel, ordinal);
    describe(WindowWait.COMPLETE);
  }

  /** @return the main thread of a rank of the window, {@link RankThreads#NONE} where it is not replayed */
  private int member(int rank) {
    return rank == Kind.NO_ROOT ? RankThreads.NONE
        : replay.rankThreads().member(thread.record(), window, rank);
  }

  private void complete(int rank) {
    long reference = thread.provider();
    int channel = pairChannel(Keys.complete(shared), own, rank);
    Target target = targetOf(rank);
    long lastNs = target == null ? thread.timeNs() : target.lastNs;
    exchange.provide(channel, false, lastNs, thread.length(), reference);
    exchange.provide(channel, false, thread.timeNs(), thread.length(), reference);
    if (target != null) {
      epochs.get(number).remove(target);
      awaitPost(target, true);
    }
  }

  // --------------------------------------------------------------- operations

  private void operate(int rank) {
    if (isPassive(rank)) {
      touched.computeIfAbsent(number, k -> new BitSet()).set(rank);
    }
    tellTransfer(rank);
    Target target = targetOf(rank);
    if (target != null) {
      operating.add(target);
      awaitPost(target, false);
    } else {
      awaitTargets(rank);
    }
  }

  private void tellTransfer(int rank) {
    WaitListener waits = replay.waits();
    int other = waits == null || cursor.payloadCount() < 3 ? RankThreads.NONE : member(rank);
    if (other == RankThreads.NONE) {
      return;
    }
    int self = thread.record().index();
    long sent = cursor.payload(1);
    long received = cursor.payload(2);
    if (sent > 0 || received == 0) {
      waits.transferred(thread.record(), self, other, sent, thread.timeNs());
    }
    if (received > 0) {
      waits.transferred(thread.record(), other, self, received, thread.timeNs());
    }
  }

  // -------------------------------------------------------------------- locks

  private long lockOf(int rank) {
    return (long) number << Integer.SIZE | rank & 0xffffffffL;
  }

  private void unlock(int rank) {
    long reference = thread.provider();
    awaitTargets(rank);
    forget(rank);
    int locked = rank == Kind.NO_ROOT ? ALL : rank;
    Lock lock = locks.remove(lockOf(locked));
    if (lock != null) {
      unlocked = lock;
      unlockedShared = shared;
      unlockedRank = locked;
      unlockedBy = own;
      tellRelease(reference);
    }
  }

  private void tellRelease(long reference) {
    tellRelease(unlockedRank, reference);
    if (unlocked.isExclusive) {
      tellRelease(ANY_EXCLUSIVE, reference);
    }
  }

  private void tellRelease(int rank, long reference) {
    int holder = unlockedBy << 1 | (unlocked.isExclusive ? 1 : 0);
    exchange.tellMoment(Keys.release(unlockedShared), rank, holder, unlocked.sinceNs,
        thread.timeNs(), thread.length(), reference);
  }

  /**
   * The lock of a rank, or of {@link #ALL}, may be granted in this call, because another process released it.
   *
   * @param heldNs the other one had asked for it before
   */
  private void awaitGrant(int rank, long heldNs) {
    Lock lock = locks.get(lockOf(rank));
    if (lock == null) {
      lock = locks.get(lockOf(ALL));
    }
    if (lock == null) {
      return;
    }
    int self = own;
    boolean exclusive = lock.isExclusive;
    Moments.Choice conflicting = (holder, sinceNs) ->
        holder >> 1 != self && (exclusive || (holder & 1) != 0) && sinceNs < heldNs;
    awaitRelease(rank == ALL ? ANY_EXCLUSIVE : rank, conflicting);
    if (exclusive) {
      awaitRelease(ALL, conflicting);
    }
  }

  private void awaitRelease(int rank, Moments.Choice conflicting) {
    needs.addLastMoment(ArcKind.WINDOW, Keys.release(shared), rank, conflicting);
    describe(WindowWait.LOCK);
  }

  /** Operations of a passive epoch end on a rank or, where there is none, on all. */
  private void awaitTargets(int rank) {
    if (!isPassive(rank)) {
      return;
    }
    if (rank != Kind.NO_ROOT) {
      awaitGrant(rank, thread.beginNs());
      awaitProgress(rank);
      return;
    }
    awaitGrant(ALL, thread.beginNs());
    BitSet ranks = touched.getOrDefault(number, new BitSet());
    for (int each = ranks.nextSetBit(0); each >= 0; each = ranks.nextSetBit(each + 1)) {
      awaitProgress(each);
    }
  }

  private boolean isPassive(int rank) {
    return locks.containsKey(lockOf(ALL)) || rank == Kind.NO_ROOT || locks.containsKey(lockOf(rank));
  }

  /** The target may have to call MPI, whatever it calls, for this call to end. */
  private void awaitProgress(int rank) {
    int target = rank == own ? RankThreads.NONE : member(rank);
    if (target != RankThreads.NONE) {
      needs.addMomentAfterPause(ArcKind.WINDOW, Keys.progress(), target,
          (inside, sinceNs) -> inside == INSIDE);
      describe(WindowWait.PROGRESS);
    }
  }
}
