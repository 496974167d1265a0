package org.parallax.trace;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Predicate;
import org.parallax.trace.Finding.Severity;

/** Checks the event file of one thread, slot by slot. */
final class ThreadCheck {
  private static final long TIME_MASK = (1L << 37) - 1;
  /** CPU time is partly computed from wall time, which is right within microseconds. */
  private static final long CPU_TOLERANCE_NS = 100_000;

  private final CheckedProcess process;
  private final EventFile file;
  private final FindingList findings;
  private final MessageCheck messages;
  private final CollectiveCheck collectives;
  private final ProcessEvents events;
  private final AdapterCheck adapters;
  private final BitSet unknownKinds = new BitSet();

  /** The open Enters' paths, innermost last. */
  private int[] stack = new int[64];
  private int depth;
  /** After a gap routines may end that did not begin; what is open is known only in part. */
  private boolean afterGap;
  private long eventCount;
  private long lastTicks;
  private long lastCpuNs;
  private long lostEvents;
  private int missingBlocks;
  private int firstMissing;
  private boolean ended;

  // The event at hand.
  private int block;
  private long offset;
  private ByteBuffer buffer;
  private int at;
  private int payloadCount;
  private int kind;
  private long operand;

  ThreadCheck(CheckedProcess process, EventFile file, FindingList findings,
      MessageCheck messages, CollectiveCheck collectives, ProcessEvents events) {
    this.process = process;
    this.file = file;
    this.findings = findings;
    this.messages = messages;
    this.collectives = collectives;
    this.events = events;
    this.adapters = new AdapterCheck(this, process, events);
  }

  long eventCount() {
    return eventCount;
  }

  void run(Progress progress) {
    if (!process.hasThread(file.thread()) && !process.isIncomplete()) {
      violation("threads", "thread " + file.thread() + " is not defined", "It has no name");
    }
    if (file.blockCount() == 0) {
      findings.add(Severity.INFO, file.path(), "empty", "there are no events",
          "The thread did nothing that is recorded", "");
    }
    if (file.kept() != null) {
      takeUp(file.kept());
    }
    for (block = 0; block < file.blockCount(); block++) {
      progress.check();
      checkBlock();
      progress.worked(1);
    }
    checkReserved();
    tellMissing();
    adapters.end();
    if (lostEvents > 0 && !process.definitions().losses.any()) {
      findings.add(Severity.WARNING, file.path(), "losses", lostEvents + " events were lost",
          "There was no space for them: the time of a gap is attributed to the routine that was "
          + "open before it", "Use a file system with more space, or sample less often");
    }
    if (depth > 0 && !process.isIncomplete()) {
      findings.add(Severity.INFO, file.path(), "open", depth
          + " routines were still open at the end of the thread's events, the innermost is call "
          + "path "
          + stack[depth - 1], "The process ended inside these routines", "");
    }
  }

  /** What the thread did before its first event in the file counts as if it were there. */
  private void takeUp(KeptState kept) {
    collectives.partial(process);
    events.gap();
    for (KeptState.Item item : kept.items()) {
      boolean isSend = item.what() == KeptState.What.SENDS;
      Communicator communicator = isSend || item.what() == KeptState.What.RECEIVES
          ? process.communicator(item.operand()) : null;
      if (communicator != null) {
        messages.add(process, communicator, Kind.peer(item.value(0)), Kind.tag(item.value(0)), isSend, item.value(1));
      }
    }
  }

  private void checkBlock() {
    offset = file.byteOffset(block);
    if (file.isDamaged(block) || file.isMissing(block)) {
      if (file.isMissing(block)) {
        checkWithoutHeader(block);
        firstMissing = missingBlocks == 0 ? block : firstMissing;
        missingBlocks++;
      }
      gap();
      messages.partial(process);
      collectives.partial(process);
      return;
    }
    buffer = file.segment(block);
    int start = file.offset(block);
    int used = file.usedSlots(block);
    boolean last = block == file.blockCount() - 1;
    if (!file.isClosed(block)) {
      if (!last) {
        violation("closed", "the block is not closed, but other blocks follow it",
            "Its events are read up to the first unused slot");
      } else if (process.definitions().end != null) {
        findings.add(Severity.INFO, file.path(block), block, offset, "closed",
            "the last block is not closed", switch (process.definitions().end.how()) {
              case DETACHED, SANDBOX -> "The thread was running when the recording of the process ended";
              default -> "The thread was running when the process ended";
            }, "");
      }
    } else if (buffer.getInt(start + EventFile.AT_USED) > used) {
      // The file ends within it, which was told when it was read.
      messages.partial(process);
      collectives.partial(process);
    }
    if (buffer.getInt(start + EventFile.AT_CRC - 4) != 0) {
      violation("reserved", "the reserved field of the block's header is not 0",
          "It may come from a later version");
    }
    long lost = file.lost(block);
    if (lost > 0) {
      lostEvents += lost;
      gap();
      messages.partial(process);
      collectives.partial(process);
    }
    checkBase(start);
    checkSlots(start + EventFile.HEADER_BYTES, used);
  }

  private void gap() {
    afterGap = true;
    depth = 0;
    adapters.gap();
    events.gap();
  }

  private void checkBase(int start) {
    long base = file.baseTicks(block);
    if (eventCount > 0 && base < lastTicks) {
      violation("time", "the block's base is " + (lastTicks - base)
          + " ticks before the previous event", "Times of this thread are not in order");
    }
    checkCpu(file.cpuNs(block));
    int openPath = file.openPath(block);
    if (afterGap && depth == 0 && openPath != 0) {
      push(openPath);
    }
    int expected = depth == 0 ? 0 : stack[depth - 1];
    if (openPath != expected && !afterGap) {
      violation("open path", "the block's header says that call path "
          + Integer.toUnsignedString(openPath) + " is open, but the events before it say "
          + expected,
          "The routine of the thread at the block's base is unclear");
    }
  }

  private void checkSlots(int first, int used) {
    long base = file.baseTicks(block);
    for (int i = 0; i < used;) {
      at = first + i * 8;
      offset = file.byteOffset(block) + EventFile.HEADER_BYTES + i * 8L;
      long slot = buffer.getLong(at);
      int next = i + 1;
      while (next < used && buffer.getLong(first + next * 8) < 0) {
        next++;
      }
      payloadCount = next - i - 1;
      i = next;
      if (slot <= 0) {
        violation("slots", slot == 0 ? "a slot in use is zero"
            : "the block begins with a payload slot, which belongs to no event", "The slot is "
            + "ignored");
        continue;
      }
      eventCount++;
      long ticks = base + (slot & TIME_MASK);
      if (ticks < lastTicks && eventCount > 1) {
        violation("time", "the event is " + (lastTicks - ticks) + " ticks before the previous "
            + "event",
            "Times of this thread are not in order");
      }
      lastTicks = ticks;
      checkEvent(slot);
    }
  }

  private void checkEvent(long slot) {
    kind = EventCursor.kindOf(slot);
    boolean escaped = EventCursor.isEscaped(slot);
    int needed = Kind.minimumPayload(kind) + (escaped ? 1 : 0);
    if (payloadCount < needed) {
      violation("payload", Kind.name(kind) + " has " + payloadCount + " payload slots, expected "
          + needed, "Missing values are taken as 0");
      return;
    }
    operand = slot >>> 37 & 0xFFFFF;
    if (escaped) {
      operand = buffer.getLong(at + 8) & Long.MAX_VALUE;
      at += 8;
      payloadCount--;
    }
    if (kind == Kind.NONE || kind >= Kind.COUNT) {
      if (!unknownKinds.get(kind)) {
        unknownKinds.set(kind);
        findings.add(kind == Kind.NONE ? Severity.ERROR : Severity.WARNING, file.path(block), block,
            offset, "kinds", "an event has kind " + kind + ", which this version does not know",
            "Such events are ignored", "Read it with a later version of Parallax");
      }
      return;
    }
    if (ended) {
      violation("end", Kind.name(kind) + " follows ThreadEnd", "The end of the thread is unclear");
    }
    checkByKind();
  }

  private void checkByKind() {
    switch (kind) {
      case Kind.ENTER:
        checkPath();
        push((int) operand);
        if (operand <= Integer.MAX_VALUE && process.isPause((int) operand)) {
          collectives.partial(process);
        }
        break;
      case Kind.LEAVE:
        checkPath();
        leave((int) operand);
        break;
      case Kind.SAMPLE:
        checkPath();
        if (depth > 0 && !afterGap) {
          violation("states", "a Sample lies within call path "
              + Integer.toUnsignedString(stack[depth - 1]), "Its time counts as sampled and as "
              + "measured");
        }
        break;
      case Kind.CPU:
        checkCpu(payload(0));
        break;
      case Kind.SEND:
      case Kind.RECEIVE_POST:
      case Kind.RECEIVE:
      case Kind.PROBE:
        checkMessage();
        break;
      case Kind.REQUEST_DONE:
        events.requestCompleted();
        break;
      case Kind.REQUEST_CANCEL:
        events.requestCompleted();
        messages.partial(process);
        break;
      case Kind.COLLECTIVE_POST:
      case Kind.COLLECTIVE:
        checkCollective();
        break;
      case Kind.WINDOW:
        checkWindow();
        break;
      case Kind.PARTITIONED_SEND:
      case Kind.PARTITIONED_RECEIVE:
        checkPartitions();
        break;
      case Kind.POLL:
        checkPoll();
        break;
      case Kind.ACQUIRE:
        checkObject("a lock or semaphore",
            object -> object.isLock() || object.isSemaphore());
        break;
      case Kind.RELEASE:
        checkObject("a lock", SyncObject.Kind::isLock);
        break;
      case Kind.SIGNAL:
      case Kind.WAKE:
        checkObject("a condition, semaphore, futex, team, signal or other object of the kernel", SyncObject.Kind::isSignalled);
        break;
      case Kind.BARRIER:
        checkObject("a barrier", object -> object == SyncObject.Kind.BARRIER);
        break;
      case Kind.THREAD_BEGIN:
        if (eventCount > 1) {
          violation("begin", "ThreadBegin is not the thread's first event",
              "The thread's beginning is unclear");
        }
        break;
      case Kind.THREAD_END:
        ended = true;
        break;
      case Kind.THREAD_CREATE:
      case Kind.THREAD_JOIN:
        checkThread(payload(0));
        break;
      case Kind.VISITS:
      case Kind.THROTTLED:
        checkPath();
        adapters.check(kind, operand, lastTicks);
        break;
      default:
        adapters.check(kind, operand, lastTicks);
        break;
    }
  }

  private void checkPoll() {
    if (depth == 0 && !afterGap) {
      violation("poll", "Poll is outside of all routines", "The time in which the thread polled is not known");
    } else if (payload(0) == 0) {
      violation("poll", "Poll tells of no attempt", "The thread did not poll");
    }
  }

  private void checkCpu(long cpuNs) {
    if (cpuNs < lastCpuNs - CPU_TOLERANCE_NS) {
      findings.add(Severity.WARNING, file.path(block), block, offset, "cpu", "the thread's CPU time is "
          + cpuNs + " ns, but was " + lastCpuNs + " ns before",
          "CPU times around it are wrong by the difference", "");
    }
    lastCpuNs = cpuNs;
  }

  private void checkThread(long thread) {
    if (process.hasThread(thread) || process.isIncomplete()) {
      return;
    }
    if (kind == Kind.THREAD_CREATE) {
      tell(Severity.INFO, "threads", "ThreadCreate names thread " + thread + ", which did not "
          + "begin", "The process ended before the new thread ran");
    } else {
      violation("threads", Kind.name(kind) + " names thread " + thread + ", which is not defined",
          "It has no partner");
    }
  }

  private void checkPath() {
    if ((operand > Integer.MAX_VALUE || !process.paths().isDefined((int) operand))
        && !process.isIncomplete()) {
      violation("paths", Kind.name(kind) + " names call path " + operand
          + ", which is not defined", "It has no name");
    } else if (kind == Kind.ENTER && operand < process.paths().count()
        && process.paths().kind((int) operand) != CallPaths.REGION
        && process.paths().kind((int) operand) != CallPaths.FUNCTION && !process.isIncomplete()) {
      violation("paths", "Enter names call path " + operand
          + ", whose leaf is no region or instrumented function",
          "It is shown as the call path says");
    }
  }

  private void leave(int path) {
    for (int i = depth - 1; i >= 0; i--) {
      if (stack[i] == path) {
        depth = i;
        return;
      }
    }
    if (afterGap) {
      depth = 0;
    } else {
      violation("balance", "Leave of call path " + path + ", which is not open",
          "The time before it is attributed to the routine that is open");
    }
  }

  private void push(int path) {
    if (depth == stack.length) {
      stack = Arrays.copyOf(stack, depth * 2);
    }
    stack[depth++] = path;
  }

  private Communicator checkCommunicator() {
    Communicator communicator = operand > Integer.MAX_VALUE ? null
        : process.communicator((int) operand);
    if (communicator == null && !process.isIncomplete()) {
      violation("communicators", Kind.name(kind) + " names communicator " + operand
          + ", which is not defined", "It cannot be matched with its partners");
    }
    return communicator;
  }

  private void checkMessage() {
    if (kind == Kind.RECEIVE_POST || kind == Kind.SEND && payloadCount > 2) {
      events.requestPosted();
    } else if (kind == Kind.RECEIVE && payloadCount > 2) {
      events.requestCompleted();
    }
    Communicator communicator = checkCommunicator();
    if (communicator == null) {
      return;
    }
    int peer = Kind.peer(payload(0));
    int size = communicator.isInter() ? communicator.remoteSize() : communicator.size();
    boolean wildcard = kind == Kind.RECEIVE_POST && peer == Kind.ANY_SOURCE;
    if (communicator.areMembersKnown() && !wildcard && (peer < 0 || peer >= size)) {
      violation("peers", Kind.name(kind) + " has peer " + Integer.toUnsignedString(peer)
          + " in a communicator of " + size, "It cannot be matched with its partner");
      return;
    }
    if (kind == Kind.SEND || kind == Kind.RECEIVE) {
      messages.add(process, communicator, peer, Kind.tag(payload(0)), kind == Kind.SEND, 1);
    }
  }

  private void checkPartitions() {
    int partitions = Kind.partitions(payload(2));
    long end = (payload(3) >>> 32) + (payload(3) & 0xffffffffL);
    if (PartitionOp.of(Kind.partitionOp(payload(2))) == null) {
      tell(Severity.WARNING, "ops", Kind.name(kind) + " has op " + Kind.partitionOp(payload(2))
          + ", which this version does not know", "It is ignored");
    } else if (partitions <= 0 || end > partitions) {
      violation("partitions", Kind.name(kind) + " has partitions up to " + end + " of " + partitions,
          "Who waits for which of them is unknown");
    }
    Communicator communicator = checkCommunicator();
    int size = communicator == null ? 0 : communicator.isInter() ? communicator.remoteSize() : communicator.size();
    int peer = Kind.peer(payload(0));
    if (communicator != null && communicator.areMembersKnown() && (peer < 0 || peer >= size)) {
      violation("peers", Kind.name(kind) + " has peer " + Integer.toUnsignedString(peer)
          + " in a communicator of " + size, "It cannot be matched with its partner");
    }
  }

  private void checkCollective() {
    Communicator communicator = checkCommunicator();
    long opAndRoot = payload(0);
    int root = Kind.root(opAndRoot);
    if (Collective.of(Kind.op(opAndRoot)) == null) {
      findings.add(Severity.WARNING, file.path(block), block, offset, "ops", Kind.name(kind)
          + " has op " + Kind.op(opAndRoot) + ", which this version does not know", "The waits in "
          + "this operation are unknown", "Read it with a later version of Parallax");
    }
    if (communicator == null) {
      return;
    }
    int size = communicator.isInter() ? Integer.MAX_VALUE : communicator.size();
    if (root != Kind.NO_ROOT && root >= size) {
      violation("roots", Kind.name(kind) + " has root " + root + " in a communicator of " + size,
          "It cannot be matched with its partners");
    }
    checkProviders(communicator);
    if (kind == Kind.COLLECTIVE) {
      collectives.add(process, communicator, opAndRoot, payload(3));
    }
  }

  private void checkProviders(Communicator communicator) {
    if (payloadCount <= Providers.FORM) {
      return;
    }
    long[] slots = new long[payloadCount - Providers.FORM];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = payload(Providers.FORM + i);
    }
    int size = communicator.isInter() ? communicator.remoteSize() : communicator.size();
    if (!Providers.isSound(slots, size)) {
      violation("providers", Kind.name(kind) + " receives data of ranks that a group of " + size
          + " does not have, or says so in an unknown way", "What it waited for is unknown");
    }
  }

  private void checkWindow() {
    WindowOp op = WindowOp.of(Kind.op(payload(0)));
    if (op == null) {
      tell(Severity.WARNING, "ops", "Window has op " + Kind.op(payload(0))
          + ", which this version does not know", "Who waits for whom in it is unknown");
    } else if ((op.isOperation() || op == WindowOp.DONE) && payloadCount < 3) {
      violation("windows", "Window has op " + op.label() + " without bytes",
          "It counts as an operation of no bytes");
    } else if (payloadCount > 3) {
      if (op == WindowOp.DONE) {
        events.requestCompleted();
      } else {
        events.requestPosted();
      }
    }
    Communicator window = checkCommunicator();
    int rank = Kind.root(payload(0));
    if (window != null && !window.isWindow()) {
      violation("windows", "Window names communicator " + operand + ", which is no window",
          "It cannot be matched with its partners");
    } else if (window != null && rank != Kind.NO_ROOT && rank >= window.size()) {
      violation("roots", "Window has rank " + rank + " in a window of " + window.size(),
          "It cannot be matched with its partners");
    }
  }

  private void checkObject(String expected, Predicate<SyncObject.Kind> isExpected) {
    SyncObject object = operand > Integer.MAX_VALUE ? null : process.syncObject((int) operand);
    if (object == null) {
      if (!process.isIncomplete()) {
        violation("objects", Kind.name(kind) + " names sync object " + operand
            + ", which is not defined", "It has no address");
      }
    } else if (!isExpected.test(object.kind())) {
      violation("objects", Kind.name(kind) + " names sync object " + operand + " of kind "
          + object.kind() + ", expected " + expected, "It cannot be matched with its partners");
    }
  }

  long payload(int index) {
    return buffer.getLong(at + 8 + index * 8) & Long.MAX_VALUE;
  }

  /** Behind the last block nothing may stand, unless it was being written. */
  private void checkReserved() {
    for (int reserved = file.blockCount(); reserved < file.reservedEnd() && checkWithoutHeader(reserved);) {
      reserved++;
    }
  }

  /** The header of a block is written last: without it the rest stays if the process or its writer is killed. */
  private boolean checkWithoutHeader(int reserved) {
    ByteBuffer bytes = file.segment(reserved);
    int start = file.offset(reserved);
    for (int i = 0; i + 8 <= file.available(reserved); i += 8) {
      if (bytes.getLong(start + i) == 0) {
        continue;
      }
      long place = file.byteOffset(reserved) + i;
      if (process.isIncomplete() && file.wasBeingWritten(reserved)) {
        findings.add(Severity.INFO, file.path(), reserved, place, "unfinished", "the block has no header yet",
            "It was being written when the process or its writer ended; its events are missing", "");
      } else {
        findings.damage(file.path(), reserved, place, "the block has no magic, but it is not empty", "its events");
      }
      return false;
    }
    return true;
  }

  private void tellMissing() {
    if (missingBlocks > 0) {
      boolean isCounted = process.definitions().losses.events() > 0;
      findings.add(isCounted ? Severity.INFO : Severity.WARNING, file.path(), "missing", missingBlocks
          + " blocks of events are missing, the first is block " + firstMissing, "They could not be written, or were "
          + "lost with the process that should have written them. The time of a gap is attributed to the routine that "
          + "was open before it", "");
    }
  }

  /** A finding on the event at hand that is no error of the agent. */
  void tell(Severity severity, String rule, String fact, String meaning) {
    boolean isEvent = block < file.blockCount();
    findings.add(severity, isEvent ? file.path(block) : file.path(), isEvent ? block : DamageSink.NONE,
        isEvent ? offset : DamageSink.NONE, rule, fact, meaning, "");
  }

  void violation(String rule, String fact, String meaning) {
    boolean isEvent = block < file.blockCount();
    findings.violation(isEvent ? file.path(block) : file.path(), isEvent ? block : DamageSink.NONE,
        isEvent ? offset : DamageSink.NONE, rule, fact, meaning);
  }
}
