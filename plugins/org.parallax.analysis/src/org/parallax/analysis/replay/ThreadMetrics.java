package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.PartitionOp;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.SyncObject;
import org.parallax.trace.WindowOp;

/** Counts and times of one thread; times in nanoseconds. */
public final class ThreadMetrics {
  private static final int READ = 3;
  private static final int WRITE = 4;

  public long elapsedNs;
  public long cpuNs;
  public long events;
  public long samples;
  public long messagesSent;
  public long bytesSent;
  public long messagesReceived;
  public long bytesReceived;
  public long collectives;
  public long collectiveBytesSent;
  public long collectiveBytesReceived;
  public long lockAcquisitions;
  public long contendedAcquisitions;
  public long spinAcquisitions;
  public long barriers;
  public long messageWaitNs;
  public long collectiveWaitNs;
  public long lockWaitNs;
  public long conditionWaitNs;
  public long barrierWaitNs;
  public long joinWaitNs;
  public long semaphoreWaitNs;
  public long futexWaitNs;
  public long signalWaitNs;
  public long eventWaitNs;
  public long queueWaitNs;
  public long taskWaitNs;
  public long streamWaitNs;
  public long processWaitNs;
  public long windowWaitNs;
  public long windowOperations;
  public long windowBytesSent;
  public long windowBytesReceived;
  public long semaphoreWaits;
  public long processesCreated;
  public long streamSends;
  public long streamBytesSent;
  public long streamReceives;
  public long streamBytesReceived;
  public long fileOperations;
  public long fileBytesRead;
  public long fileBytesWritten;
  public long voluntarySwitches;
  public long involuntarySwitches;
  public long minorFaults;
  public long majorFaults;

  /** @return the time spent waiting for other threads, of all kinds */
  public long waitNs() {
    return messageWaitNs + collectiveWaitNs + lockWaitNs + conditionWaitNs + barrierWaitNs
        + joinWaitNs + semaphoreWaitNs + futexWaitNs + signalWaitNs + taskWaitNs + streamWaitNs
        + processWaitNs + windowWaitNs + eventWaitNs + queueWaitNs;
  }

  /**
   * Counts what the event at the cursor tells by itself: all but the times.
   *
   * @param process of the thread
   * @param last the counts that the thread's events told last, which are totals; kept here
   */
  public void count(int kind, EventCursor cursor, ProcessTrace process, ThreadMetrics last) {
    switch (kind) {
      case Kind.SEND -> {
        messagesSent++;
        bytesSent += cursor.payload(1);
      }
      case Kind.RECEIVE -> {
        messagesReceived++;
        bytesReceived += cursor.payload(1);
      }
      case Kind.PARTITIONED_SEND -> {
        PartitionOp op = PartitionOp.of(Kind.partitionOp(cursor.payload(2)));
        messagesSent += op == PartitionOp.START ? 1 : 0;
        bytesSent += op == PartitionOp.PARTITIONS ? cursor.payload(4) : 0;
      }
      case Kind.PARTITIONED_RECEIVE -> {
        if (PartitionOp.of(Kind.partitionOp(cursor.payload(2))) == PartitionOp.DONE) {
          messagesReceived++;
          bytesReceived += cursor.payload(4);
        }
      }
      case Kind.COLLECTIVE -> {
        collectives++;
        collectiveBytesSent += cursor.payload(1);
        collectiveBytesReceived += cursor.payload(2);
      }
      case Kind.WINDOW -> {
        WindowOp op = WindowOp.of(Kind.op(cursor.payload(0)));
        if (op != null && op.isOperation() && cursor.payloadCount() > 2) {
          windowOperations++;
          windowBytesSent += cursor.payload(1);
          windowBytesReceived += cursor.payload(2);
        }
      }
      case Kind.ACQUIRE -> {
        if (isSemaphore(cursor, process)) {
          semaphoreWaits++;
        } else {
          lockAcquisitions++;
          contendedAcquisitions += Kind.acquireWaited(cursor.payload(0)) ? 1 : 0;
          spinAcquisitions += isOf(SyncObject.Kind.SPIN_LOCK, cursor, process) ? 1 : 0;
        }
      }
      case Kind.BARRIER -> barriers++;
      case Kind.WAKE ->
          semaphoreWaits += isSemaphore(cursor, process) ? 1 : 0;
      case Kind.PROCESS_CREATE -> processesCreated++;
      case Kind.STREAM_SEND -> {
        long bytes = cursor.payload(1);
        streamSends += bytes > 0 ? 1 : 0;  // else a close
        streamBytesSent += bytes;
      }
      case Kind.STREAM_RECEIVE -> {
        long bytes = cursor.payload(1);
        streamReceives += bytes > 0 ? 1 : 0;  // else the end
        streamBytesReceived += bytes;
      }
      case Kind.FILE -> {
        long op = cursor.payload(0);
        fileOperations++;
        fileBytesRead += op == READ ? cursor.payload(1) : 0;
        fileBytesWritten += op == WRITE ? cursor.payload(1) : 0;
      }
      case Kind.THREAD_COUNTERS -> addCounters(cursor, last);
      default -> { }
    }
  }

  private static boolean isSemaphore(EventCursor cursor, ProcessTrace process) {
    SyncObject object = process.syncObject(cursor.operand());
    return object != null && object.kind().isSemaphore();
  }

  private static boolean isOf(SyncObject.Kind kind, EventCursor cursor, ProcessTrace process) {
    SyncObject object = process.syncObject(cursor.operand());
    return object != null && object.kind() == kind;
  }

  private void addCounters(EventCursor cursor, ThreadMetrics last) {
    voluntarySwitches += cursor.payload(0) - last.voluntarySwitches;
    involuntarySwitches += cursor.payload(1) - last.involuntarySwitches;
    minorFaults += cursor.payload(2) - last.minorFaults;
    majorFaults += cursor.payload(3) - last.majorFaults;
    last.voluntarySwitches = cursor.payload(0);
    last.involuntarySwitches = cursor.payload(1);
    last.minorFaults = cursor.payload(2);
    last.majorFaults = cursor.payload(3);
  }

  /** Adds a wait, in nanoseconds, to the time of its kind. */
  public void addWait(ArcKind kind, long waitNs) {
    switch (kind) {
      case MESSAGE, RENDEZVOUS -> messageWaitNs += waitNs;
      case COLLECTIVE -> collectiveWaitNs += waitNs;
      case LOCK, FILE_LOCK -> lockWaitNs += waitNs;
      case CONDITION -> conditionWaitNs += waitNs;
      case BARRIER -> barrierWaitNs += waitNs;
      case JOIN -> joinWaitNs += waitNs;
      case SEMAPHORE -> semaphoreWaitNs += waitNs;
      case FUTEX -> futexWaitNs += waitNs;
      case SIGNAL -> signalWaitNs += waitNs;
      case EVENT -> eventWaitNs += waitNs;
      case QUEUE, QUEUE_ROOM -> queueWaitNs += waitNs;
      case TASK, TASK_END -> taskWaitNs += waitNs;
      case STREAM, ROOM -> streamWaitNs += waitNs;
      case PROCESS_END -> processWaitNs += waitNs;
      case WINDOW -> windowWaitNs += waitNs;
      default -> throw new IllegalArgumentException(kind + " is not a wait");
    }
  }
}
