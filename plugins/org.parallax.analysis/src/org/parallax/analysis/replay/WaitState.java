package org.parallax.analysis.replay;

import org.parallax.trace.Collective;

/**
 * In what ways threads lose time to each other, in the words of Scalasca where it has some. What
 * each means exactly stands in {@code docs/wait-states.md}.
 */
public enum WaitState {
  LATE_SENDER("late sender"),
  /** A late sender while a message that was received later had been sent before. */
  LATE_SENDER_WRONG_ORDER("late sender, wrong order"),
  /** A partition of a message that was late after its sender had started. */
  LATE_PARTITION("late partition"),
  LATE_RECEIVER("late receiver"),
  EARLY_REDUCE("early reduce"),
  EARLY_SCAN("early scan"),
  LATE_BROADCAST("late broadcast"),
  WAIT_AT_BARRIER("wait at barrier"),
  BARRIER_COMPLETION("barrier completion"),
  WAIT_AT_NXN("wait at NxN"),
  NXN_COMPLETION("NxN completion"),
  INIT_FINALIZE("wait at init and finalize"),
  WAIT_AT_CONNECTION("wait at connection"),
  WAIT_AT_FILE("wait at collective I/O"),
  WAIT_AT_FENCE("wait at fence"),
  LATE_POST("late post"),
  EARLY_WAIT("early wait"),
  LATE_COMPLETE("late complete"),
  WINDOW_LOCK_CONTENTION("lock contention, window"),
  WAIT_FOR_PROGRESS("wait for progress"),
  LOCK_CONTENTION("lock contention"),
  CONDITION_WAIT("condition wait"),
  SEMAPHORE_WAIT("semaphore wait"),
  /** A wait on a word of memory. */
  FUTEX_WAIT("futex wait"),
  SIGNAL_WAIT("signal wait"),
  EVENTFD_WAIT("eventfd wait"),
  QUEUE_WAIT("message queue wait"),
  QUEUE_FULL("message queue full"),
  FILE_LOCK_CONTENTION("file lock contention"),
  /** A wait that a timer ended, for which no thread is waited. */
  TIMER_WAIT("timer wait"),
  /** A wait for an object of the kernel, which nobody ended who was recorded. */
  UNKNOWN_WAKER("unknown waker"),
  THREAD_BARRIER("thread barrier"),
  JOIN_WAIT("join wait"),
  TASK_WAIT("task wait"),
  /** A wait for the end of a task. */
  LATE_TASK("late task"),
  /** A thread of a team between parallel regions. */
  IDLE_THREAD("idle thread"),
  /** A thread of a team after its last parallel region. */
  IDLE_AT_END("idle at end"),
  STREAM_WAIT("stream wait"),
  STREAM_FULL("stream full"),
  PROCESS_WAIT("process wait"),
  /** A wait for a file, for which no other thread is waited for. */
  IO_WAIT("I/O wait"),
  /** A thread that asked again and again for something, of which nobody in the trace is known to be the cause. */
  POLLING("polling, unknown cause");

  private static final WaitState[] VALUES = values();

  private final String label;

  WaitState(String label) {
    this.label = label;
  }

  /** @return the name in tables */
  public String label() {
    return label;
  }

  /**
   * @return true for time that {@link ThreadMetrics#waitNs} counts: all but completion, when nobody
   *     is waited for any more, threads that are idle until they end, waits that no recorded thread ended, and
   *     waits for files
   */
  public boolean isMetric() {
    return this != BARRIER_COMPLETION && this != NXN_COMPLETION && this != IDLE_AT_END
        && this != IO_WAIT && !isLone();
  }

  /** @return true for waits that no recorded thread ended */
  public boolean isLone() {
    return this == TIMER_WAIT || this == UNKNOWN_WAKER || this == POLLING;
  }

  /** @return the state of this ordinal */
  public static WaitState at(int ordinal) {
    return VALUES[ordinal];
  }

  /** @param detail as {@link WaitListener#waited} has it */
  public static WaitState of(ArcKind kind, int detail) {
    return switch (kind) {
      case MESSAGE -> detail == WaitListener.PARTITION ? LATE_PARTITION : LATE_SENDER;
      case RENDEZVOUS -> LATE_RECEIVER;
      case COLLECTIVE -> ofCollective(operation(detail));
      case WINDOW -> WindowWait.of(detail).state();
      case LOCK -> LOCK_CONTENTION;
      case CONDITION -> CONDITION_WAIT;
      case SEMAPHORE -> SEMAPHORE_WAIT;
      case FUTEX -> FUTEX_WAIT;
      case SIGNAL -> SIGNAL_WAIT;
      case EVENT -> EVENTFD_WAIT;
      case QUEUE -> QUEUE_WAIT;
      case QUEUE_ROOM -> QUEUE_FULL;
      case FILE_LOCK -> FILE_LOCK_CONTENTION;
      case BARRIER -> THREAD_BARRIER;
      case JOIN -> JOIN_WAIT;
      case TASK -> TASK_WAIT;
      case TASK_END -> LATE_TASK;
      case STREAM -> STREAM_WAIT;
      case ROOM -> STREAM_FULL;
      case PROCESS_END -> PROCESS_WAIT;
      case WORK, WAIT, FORK, SPAWN, EXEC ->
          throw new IllegalArgumentException(kind + " is not a wait");
    };
  }

  private static WaitState ofCollective(Collective operation) {
    if (operation == Collective.BARRIER) {
      return WAIT_AT_BARRIER;
    }
    if (operation == Collective.INIT || operation == Collective.FINALIZE
        || operation == Collective.SESSION_INIT || operation == Collective.SESSION_FINALIZE) {
      return INIT_FINALIZE;
    }
    if (operation == Collective.WIN_FENCE || operation == Collective.WIN_FENCE_OPEN) {
      return WAIT_AT_FENCE;
    }
    if (operation.compareTo(Collective.COMM_SPAWN) >= 0
        && operation.compareTo(Collective.COMM_DISCONNECT) <= 0) {
      return WAIT_AT_CONNECTION;
    }
    if (operation.compareTo(Collective.FILE_OPEN) >= 0
        && operation.compareTo(Collective.FILE_WRITE) <= 0) {
      return WAIT_AT_FILE;
    }
    return switch (operation.dependency()) {
      case SYNCHRONIZED, EACH_FOR_EACH, EACH_FOR_NEIGHBOURS, PERHAPS_EACH_FOR_EACH -> WAIT_AT_NXN;
      case EACH_FOR_ROOT -> LATE_BROADCAST;
      case ROOT_FOR_EACH -> EARLY_REDUCE;
      case EACH_FOR_LOWER -> EARLY_SCAN;
    };
  }

  /**
   * @param detail as {@link WaitListener#left} has it
   * @return the state of who leaves a collective after others, or null where there is none
   */
  public static WaitState completionOf(int detail) {
    if ((detail & WaitListener.POSTED) != 0) {
      return null;
    }
    return switch (ofCollective(operation(detail))) {
      case WAIT_AT_BARRIER -> BARRIER_COMPLETION;
      case WAIT_AT_NXN -> NXN_COMPLETION;
      default -> null;
    };
  }

  private static Collective operation(int detail) {
    return Collective.of(detail & ~(WaitListener.POSTED | WaitListener.SOME));
  }
}
