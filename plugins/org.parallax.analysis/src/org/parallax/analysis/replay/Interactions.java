package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/** Replays the events by which a thread interacts with others, each as its kind demands. */
final class Interactions {
  private final EventCursor cursor;
  private final MessageReplay messages;
  private final PartitionReplay partitions;
  private final CollectiveReplay collectives;
  private final SyncReplay synchronization;
  private final StreamReplay streams;
  private final WindowReplay windows;

  Interactions(ThreadReplay thread) {
    cursor = thread.cursor();
    partitions = new PartitionReplay(thread);
    collectives = new CollectiveReplay(thread);
    synchronization = new SyncReplay(thread);
    streams = new StreamReplay(thread);
    windows = new WindowReplay(thread);
    messages = new MessageReplay(thread, windows);
  }

  WindowReplay windows() {
    return windows;
  }

  /** The thread is at an event of this kind; nothing happens if it is no interaction. */
  void event(int kind) {
    switch (kind) {
      case Kind.SEND -> messages.send();
      case Kind.REQUEST_DONE -> messages.sendDone();
      case Kind.RECEIVE_POST -> messages.postReceive();
      case Kind.RECEIVE -> messages.receive();
      case Kind.PROBE -> messages.probe();
      case Kind.REQUEST_CANCEL -> messages.cancel();
      case Kind.COLLECTIVE_POST, Kind.KEPT -> collectives.post();
      case Kind.COLLECTIVE -> collectives.complete();
      case Kind.ACQUIRE -> synchronization.acquire();
      case Kind.RELEASE -> synchronization.release();
      case Kind.SIGNAL -> synchronization.signal();
      case Kind.WAKE -> synchronization.wake();
      case Kind.BARRIER -> synchronization.barrier();
      case Kind.THREAD_CREATE -> synchronization.createThread();
      case Kind.THREAD_BEGIN -> synchronization.beginThread();
      case Kind.THREAD_JOIN -> synchronization.joinThread();
      case Kind.PROCESS_CREATE -> synchronization.createProcess();
      case Kind.PROCESS_WAIT -> synchronization.waitForProcess();
      case Kind.STREAM_SEND -> streams.send();
      case Kind.STREAM_RECEIVE -> streams.receive();
      case Kind.WINDOW -> windows.event();
      case Kind.PARTITIONED_SEND -> partitions.event(true);
      case Kind.PARTITIONED_RECEIVE -> partitions.event(false);
      default -> { }
    }
  }

  /**
   * The innermost call ends, if it is one that waits: it waited until the thread could take something.
   *
   * @param taken at what it took next; null if that is not known
   */
  void awaitReady(EventCursor taken, OpenCalls calls) {
    if (taken == null || !calls.isInRoutine() || calls.path() != cursor.operand()) {
      return;
    }
    if (taken.kind() == Kind.WAKE) {
      synchronization.awaitReady(taken.operand(), taken.payload(0));
    } else if (taken.kind() == Kind.PROCESS_WAIT) {
      synchronization.awaitEnd(taken.payload(0), taken.payload(1), taken.timeNs());
    } else if (taken.payload(1) > 0) {
      streams.awaitReady(taken.operand(), taken.payload(0));
    }
  }

  void endThread() {
    synchronization.endThread();
  }
}
