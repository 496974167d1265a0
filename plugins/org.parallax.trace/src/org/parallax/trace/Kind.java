package org.parallax.trace;

/**
 * The kinds of events, as constants for {@code switch} on hot paths. What each means, and its
 * operand and payload, stands in FORMAT.md.
 */
public final class Kind {
  /** No event: an unused slot. */
  public static final int NONE = 0;
  public static final int ENTER = 1;
  public static final int LEAVE = 2;
  public static final int SAMPLE = 3;
  public static final int CPU = 4;
  public static final int SEND = 5;
  public static final int RECEIVE_POST = 6;
  public static final int RECEIVE = 7;
  public static final int REQUEST_DONE = 8;
  public static final int REQUEST_CANCEL = 9;
  public static final int COLLECTIVE_POST = 10;
  public static final int COLLECTIVE = 11;
  public static final int ACQUIRE = 12;
  public static final int RELEASE = 13;
  public static final int SIGNAL = 14;
  public static final int WAKE = 15;
  public static final int BARRIER = 16;
  public static final int THREAD_BEGIN = 17;
  public static final int THREAD_END = 18;
  public static final int THREAD_CREATE = 19;
  public static final int THREAD_JOIN = 20;
  public static final int PROBE = 21;
  public static final int VISITS = 22;
  public static final int THROTTLED = 23;
  public static final int PHASE_BEGIN = 24;
  public static final int PHASE_END = 25;
  public static final int MARK = 26;
  public static final int VALUE = 27;
  public static final int THREAD_COUNTERS = 28;
  public static final int PROCESS_CREATE = 29;
  public static final int PROCESS_WAIT = 30;
  public static final int STREAM_SEND = 31;
  public static final int STREAM_RECEIVE = 32;
  public static final int FILE = 33;
  public static final int WINDOW = 34;
  public static final int KEPT_STATE = 35;
  public static final int KEPT = 36;
  public static final int POLL = 37;
  public static final int PARTITIONED_SEND = 38;
  public static final int PARTITIONED_RECEIVE = 39;

  /** The number of known kinds, {@link #NONE} included; an event can have a higher, unknown one. */
  public static final int COUNT = 40;

  /** In the peer of {@link #RECEIVE_POST}: any source. */
  public static final int ANY_SOURCE = 0x7fffffff;
  /** In the tag of {@link #RECEIVE_POST}: any tag. */
  public static final int ANY_TAG = 0xffffffff;
  /** The root of a collective that has none. */
  public static final int NO_ROOT = 0x7fffffff;

  private static final String[] NAMES = {
    "None", "Enter", "Leave", "Sample", "Cpu", "Send", "ReceivePost", "Receive", "RequestDone",
    "RequestCancel", "CollectivePost", "Collective", "Acquire", "Release", "Signal", "Wake",
    "Barrier", "ThreadBegin", "ThreadEnd", "ThreadCreate", "ThreadJoin", "Probe",
    "Visits", "Throttled", "PhaseBegin", "PhaseEnd", "Mark", "Value", "ThreadCounters",
    "ProcessCreate", "ProcessWait", "StreamSend", "StreamReceive", "File", "Window", "KeptState",
    "Kept", "Poll", "PartitionedSend", "PartitionedReceive"
  };

  private static final byte[] MINIMUM_PAYLOAD = {
    0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 4, 4, 1, 1, 1, 1, 2, 1, 0, 1, 1, 2,
    1, 1, 0, 0, 0, 2, 4, 2, 3, 2, 2, 2, 1, 0, 1, 2, 5, 5
  };

  private Kind() {
  }

  /** The name that FORMAT.md gives the kind, or {@code Unknown(n)} for a kind of a later writer. */
  public static String name(int kind) {
    return kind >= 0 && kind < COUNT ? NAMES[kind] : "Unknown(" + kind + ")";
  }

  /** How many payload slots an event of this kind has at least; 0 for unknown kinds. */
  public static int minimumPayload(int kind) {
    return kind >= 0 && kind < COUNT ? MINIMUM_PAYLOAD[kind] : 0;
  }

  /** The peer's rank in a payload slot that holds peer and tag. */
  public static int peer(long peerAndTag) {
    return (int) (peerAndTag >>> 32);
  }

  /** The tag in a payload slot that holds peer and tag. */
  public static int tag(long peerAndTag) {
    return (int) peerAndTag;
  }

  /**
   * The op, see {@link Collective#of} and {@link WindowOp#of}, in a payload slot that holds op and root,
   * or op and rank.
   */
  public static int op(long opAndRoot) {
    return (int) (opAndRoot >>> 31);
  }

  /** The root's rank in the communicator, or the rank in the window; {@link #NO_ROOT} for none or all. */
  public static int root(long opAndRoot) {
    return (int) opAndRoot & 0x7fffffff;
  }

  /** The op, see {@link PartitionOp#of}, in a payload slot that holds op and number of partitions. */
  public static int partitionOp(long opAndPartitions) {
    return (int) (opAndPartitions >>> 32);
  }

  /** The number of partitions in the same slot. */
  public static int partitions(long opAndPartitions) {
    return (int) opAndPartitions;
  }

  /** The sequence in the payload slot of an {@link #ACQUIRE}. */
  public static long acquireSequence(long sequenceAndWaited) {
    return sequenceAndWaited >>> 1;
  }

  /** Whether the lock of an {@link #ACQUIRE} was not free at first. */
  public static boolean acquireWaited(long sequenceAndWaited) {
    return (sequenceAndWaited & 1) != 0;
  }
}
