package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.SyncObject;

/**
 * Replays how a thread synchronizes with others: locks, conditions, semaphores, barriers, teams, and
 * the begin and end of threads and processes.
 */
final class SyncReplay {
  private final ThreadReplay thread;
  private final Replay replay;
  private final Exchange exchange;
  private final EventCursor cursor;
  private final Needs needs;
  private final int process;
  private final ProcessTrace trace;
  private final Shared shared;
  private final Lineage lineage;

  // The object of the event at hand.
  private SyncObject.Kind kind;
  /** A process, or {@link Keys#ALL_PROCESSES}. */
  private long owner;
  private int object;
  /**
   * Whether no other process that is replayed has the object, though others may share it: the partner is a
   * thread of this process, or is not recorded.
   */
  private boolean lonely;

  SyncReplay(ThreadReplay thread) {
    this.thread = thread;
    replay = thread.replay();
    exchange = thread.exchange();
    cursor = thread.cursor();
    needs = thread.needs();
    process = thread.process();
    trace = thread.record().process();
    shared = replay.shared();
    lineage = replay.lineage();
  }

  private void findObject() {
    findObject(cursor.operand());
  }

  private void findObject(int id) {
    SyncObject known = trace.syncObject(id);
    kind = known == null ? SyncObject.Kind.UNKNOWN : known.kind();
    int common = shared.object(process, id);
    owner = common == Shared.NONE ? process : Keys.ALL_PROCESSES;
    object = common == Shared.NONE ? id : common;
    lonely = common != Shared.NONE && shared.objectUsers(common) < 2;
  }

  // --------------------------------------------------------------------- locks

  void acquire() {
    findObject();
    long sequence = Kind.acquireSequence(cursor.payload(0));
    boolean waited = Kind.acquireWaited(cursor.payload(0));
    if (kind.isSemaphore()) {
      return;
    }
    if (sequence < 2) {
      return;
    }
    if (kind == SyncObject.Kind.READ_WRITE_LOCK) {
      if (waited) {
        needs.addBoard(ArcKind.LOCK, Keys.readWriteLock(owner), object, sequence - 1);
        describe(cursor.operand());
      }
      return;
    }
    int channel = exchange.channel(Keys.lock(owner), object);
    if (waited) {
      needs.addLock(channel, sequence - 2);
      describe(cursor.operand());
    } else {
      exchange.skip(channel, sequence - 2);
    }
  }

  void release() {
    findObject();
    long sequence = cursor.payload(0);
    if (kind == SyncObject.Kind.READ_WRITE_LOCK) {
      post(Keys.readWriteLock(owner), object, sequence);
    } else {
      int channel = exchange.channel(Keys.lock(owner), object);
      exchange.provideNumbered(
          channel, sequence - 1, thread.timeNs(), thread.length(), thread.provider());
    }
  }

  // ------------------------------------------------- signals: who needs no hand

  void signal() {
    findObject();
    post(Keys.condition(owner), object, cursor.payload(0));
  }

  void wake() {
    findObject();
    if (cursor.payload(0) != 0) {
      needs.addBoard(arc(), Keys.condition(owner), object, cursor.payload(0));
      describe(cursor.operand());
    } else {
      thread.waitsAlone(lone());
    }
  }

  private ArcKind arc() {
    return switch (kind) {
      case SEMAPHORE, SYSTEM_V_SEMAPHORE -> ArcKind.SEMAPHORE;
      case OPENMP_TASKS -> ArcKind.TASK;
      case OPENMP_TASK_ENDS -> ArcKind.TASK_END;
      case SIGNAL -> ArcKind.SIGNAL;
      case FUTEX -> ArcKind.FUTEX;
      case EVENTFD -> ArcKind.EVENT;
      case MESSAGE_QUEUE -> ArcKind.QUEUE;
      case QUEUE_ROOM -> ArcKind.QUEUE_ROOM;
      case FILE_LOCK -> ArcKind.FILE_LOCK;
      default -> ArcKind.CONDITION;
    };
  }

  private WaitState lone() {
    return kind == SyncObject.Kind.TIMER ? WaitState.TIMER_WAIT : WaitState.UNKNOWN_WAKER;
  }

  /** The call that ends waited until a signal, event or message was there, which the thread takes afterwards. */
  void awaitReady(int id, long number) {
    findObject(id);
    if (number == 0 && kind.isOfKernel()) {
      thread.waitsAlone(lone());
    } else if (number != 0 && (kind == SyncObject.Kind.SIGNAL || kind == SyncObject.Kind.EVENTFD
        || kind == SyncObject.Kind.MESSAGE_QUEUE)) {
      needs.addReadyBoard(arc(), Keys.condition(owner), object, number);
      describe(id);
    }
  }

  void barrier() {
    findObject();
    long key = Keys.barrier(owner, object);
    long generation = cursor.payload(0);
    int participants = (int) Math.min(cursor.payload(1), 1 << 20);
    if (participants > 0) {
      thread.contribute(key, generation, participants, -1);
      needs.addGroup(ArcKind.BARRIER, key, generation, participants, 0, participants);
      describe(cursor.operand());
    }
  }

  /** Says of the need that was added last which object it is about. */
  private void describe(int id) {
    needs.describe(id);
    if (lonely) {
      needs.makeOptional();
    }
  }

  private void post(long key1, long key2, long number) {
    exchange.post(key1, key2, number, thread.timeNs(), thread.length(), thread.provider());
  }

  // ----------------------------------------------------- threads and processes

  void createThread() {
    post(Keys.threadStart(process), cursor.payload(0), 0);
  }

  void beginThread() {
    long creator = cursor.payload(0) - 1;
    if (thread.isInRoutine()) {
      return;
    }
    if (creator >= 0 && replay.hasThread(process, creator)) {
      needs.addBoard(ArcKind.FORK, Keys.threadStart(process), thread.record().thread().id(), 0);
    } else if (creator < 0 && thread.record().thread().id() == 0) {
      beginProcess();
    }
  }

  private void beginProcess() {
    int before = lineage.predecessor(process);
    if (before >= 0) {
      if (replay.lastThread(before) >= 0) {
        needs.addBoard(ArcKind.EXEC, Keys.processEnd(), before, 0);
      }
    } else if (lineage.isCreated(process)) {
      needs.addBoard(ArcKind.SPAWN, Keys.processStart(), process, 0);
    }
  }

  void joinThread() {
    if (replay.hasThread(process, cursor.payload(0))) {
      needs.addBoard(ArcKind.JOIN, Keys.threadEnd(process), cursor.payload(0), 0);
    }
  }

  /** The child began in the call that created it, before this event tells of it. */
  void createProcess() {
    for (int child : lineage.created(
        process, cursor.payload(0), cursor.payload(1), thread.beginNs())) {
      exchange.post(Keys.processStart(), child, 0, thread.beginNs(), thread.beginLength(),
          thread.beginOfWait());
    }
  }

  void waitForProcess() {
    int child = lineage.ended(process, cursor.payload(0), cursor.payload(1), thread.timeNs());
    if (child >= 0 && replay.lastThread(child) >= 0) {
      needs.addBoard(ArcKind.PROCESS_END, Keys.processEnd(), child, 0);
    }
  }

  /** The call that ends waited until a process ended, which the thread finds afterwards. */
  void awaitEnd(long id, long how, long foundNs) {
    int child = lineage.ended(process, id, how, foundNs);
    if (child >= 0 && replay.lastThread(child) >= 0) {
      needs.addReadyBoard(ArcKind.PROCESS_END, Keys.processEnd(), child, 0);
    }
  }

  /** The cursor stands on the last event of the thread. */
  void endThread() {
    int id = thread.record().thread().id();
    long reference = thread.vertex(cursor.position(), thread.length());
    exchange.post(
        Keys.threadEnd(process), id, 0, thread.timeNs(), thread.length(), reference);
    if (replay.lastThread(process) == id) {
      exchange.post(
          Keys.processEnd(), process, 0, thread.timeNs(), thread.length(), reference);
    }
  }
}
