package org.parallax.analysis.time;

import java.util.function.ToLongFunction;
import org.parallax.analysis.replay.ThreadMetrics;

/** What is measured of every thread. */
public enum ThreadMetric {
  CPU("cpu", "CPU time", Kind.TIME, m -> m.cpuNs),
  WAIT("wait", "Wait time", Kind.WAIT, ThreadMetrics::waitNs),
  MESSAGE_WAIT("message-wait", "Message wait time", Kind.WAIT, m -> m.messageWaitNs),
  COLLECTIVE_WAIT("collective-wait", "Collective wait time", Kind.WAIT, m -> m.collectiveWaitNs),
  LOCK_WAIT("lock-wait", "Lock wait time", Kind.WAIT, m -> m.lockWaitNs),
  CONDITION_WAIT("condition-wait", "Condition wait time", Kind.WAIT, m -> m.conditionWaitNs),
  BARRIER_WAIT("barrier-wait", "Barrier wait time", Kind.WAIT, m -> m.barrierWaitNs),
  JOIN_WAIT("join-wait", "Join wait time", Kind.WAIT, m -> m.joinWaitNs),
  SEMAPHORE_WAIT("semaphore-wait", "Semaphore wait time", Kind.WAIT, m -> m.semaphoreWaitNs),
  FUTEX_WAIT("futex-wait", "Futex wait time", Kind.WAIT, m -> m.futexWaitNs),
  SIGNAL_WAIT("signal-wait", "Signal wait time", Kind.WAIT, m -> m.signalWaitNs),
  EVENT_WAIT("event-wait", "Event wait time", Kind.WAIT, m -> m.eventWaitNs),
  QUEUE_WAIT("queue-wait", "Queue wait time", Kind.WAIT, m -> m.queueWaitNs),
  TASK_WAIT("task-wait", "Task wait time", Kind.WAIT, m -> m.taskWaitNs),
  STREAM_WAIT("stream-wait", "Stream wait time", Kind.WAIT, m -> m.streamWaitNs),
  PROCESS_WAIT("process-wait", "Process wait time", Kind.WAIT, m -> m.processWaitNs),
  WINDOW_WAIT("window-wait", "Window wait time", Kind.WAIT, m -> m.windowWaitNs),
  MESSAGES_SENT("messages-sent", "Messages sent", Kind.COUNT, m -> m.messagesSent),
  BYTES_SENT("bytes-sent", "Bytes sent", Kind.BYTES, m -> m.bytesSent),
  MESSAGES_RECEIVED("messages-received", "Messages received", Kind.COUNT, m -> m.messagesReceived),
  BYTES_RECEIVED("bytes-received", "Bytes received", Kind.BYTES, m -> m.bytesReceived),
  COLLECTIVES("collectives", "Collective operations", Kind.COUNT, m -> m.collectives),
  COLLECTIVE_BYTES_SENT("collective-bytes-sent", "Collective bytes sent", Kind.BYTES,
      m -> m.collectiveBytesSent),
  COLLECTIVE_BYTES_RECEIVED("collective-bytes-received", "Collective bytes received", Kind.BYTES,
      m -> m.collectiveBytesReceived),
  WINDOW_OPERATIONS("window-operations", "Window operations", Kind.COUNT, m -> m.windowOperations),
  WINDOW_BYTES_SENT("window-bytes-sent", "Window bytes sent", Kind.BYTES, m -> m.windowBytesSent),
  WINDOW_BYTES_RECEIVED("window-bytes-received", "Window bytes received", Kind.BYTES,
      m -> m.windowBytesReceived),
  LOCK_ACQUISITIONS("lock-acquisitions", "Lock acquisitions", Kind.COUNT, m -> m.lockAcquisitions),
  CONTENDED_ACQUISITIONS("contended-acquisitions", "Contended acquisitions", Kind.COUNT,
      m -> m.contendedAcquisitions),
  SPIN_ACQUISITIONS("spin-acquisitions", "Spin lock acquisitions", Kind.COUNT,
      m -> m.spinAcquisitions),
  BARRIERS("barriers", "Barriers", Kind.COUNT, m -> m.barriers),
  SEMAPHORE_WAITS("semaphore-waits", "Semaphore waits", Kind.COUNT, m -> m.semaphoreWaits),
  STREAM_SENDS("stream-sends", "Stream sends", Kind.COUNT, m -> m.streamSends),
  STREAM_BYTES_SENT("stream-bytes-sent", "Stream bytes sent", Kind.BYTES, m -> m.streamBytesSent),
  STREAM_RECEIVES("stream-receives", "Stream receives", Kind.COUNT, m -> m.streamReceives),
  STREAM_BYTES_RECEIVED("stream-bytes-received", "Stream bytes received", Kind.BYTES,
      m -> m.streamBytesReceived),
  FILE_OPERATIONS("file-operations", "File operations", Kind.COUNT, m -> m.fileOperations),
  FILE_BYTES_READ("file-bytes-read", "File bytes read", Kind.BYTES, m -> m.fileBytesRead),
  FILE_BYTES_WRITTEN("file-bytes-written", "File bytes written", Kind.BYTES,
      m -> m.fileBytesWritten),
  PROCESSES_CREATED("processes-created", "Processes created", Kind.COUNT, m -> m.processesCreated),
  VOLUNTARY_SWITCHES("voluntary-switches", "Voluntary context switches", Kind.COUNT,
      m -> m.voluntarySwitches),
  INVOLUNTARY_SWITCHES("involuntary-switches", "Involuntary context switches", Kind.COUNT,
      m -> m.involuntarySwitches),
  MINOR_FAULTS("minor-faults", "Minor page faults", Kind.COUNT, m -> m.minorFaults),
  MAJOR_FAULTS("major-faults", "Major page faults", Kind.COUNT, m -> m.majorFaults),
  EVENTS("events", "Events", Kind.COUNT, m -> m.events),
  SAMPLES("samples", "Samples", Kind.COUNT, m -> m.samples);

  /** What values are, and how one gets to know them. */
  public enum Kind {
    /** Nanoseconds, of the thread's own events. */
    TIME,
    /** Nanoseconds, of a replay with the partners. */
    WAIT,
    /** A number of the thread's own events, or of what these count. */
    COUNT,
    /** The same of bytes. */
    BYTES
  }

  private final String key;
  private final String label;
  private final Kind kind;
  private final ToLongFunction<ThreadMetrics> value;

  ThreadMetric(String key, String label, Kind kind, ToLongFunction<ThreadMetrics> value) {
    this.key = key;
    this.label = label;
    this.kind = kind;
    this.value = value;
  }

  /** @return the name on command lines and in machine-readable output */
  public String key() {
    return key;
  }

  /** @return the name for people */
  public String label() {
    return label;
  }

  public Kind kind() {
    return kind;
  }

  /** @return this metric of a thread */
  public long of(ThreadMetrics metrics) {
    return value.applyAsLong(metrics);
  }
}
