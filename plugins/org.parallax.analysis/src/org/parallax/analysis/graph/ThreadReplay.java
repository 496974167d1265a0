package org.parallax.analysis.graph;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.parallax.trace.Collective;
import org.parallax.trace.Communicator;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/**
 * Replays the events of one thread until it needs a partner that has not arrived.
 *
 * <p>{@code length} is the length of the longest path to where the thread stands. It grows with the
 * thread's work, event by event. A call in which the thread waited for others ends with
 *
 * <pre>
 *   length = max(length at its Enter, lengths of what it needed) + rest
 *   rest   = end - latest time of what it needed     if that was after its Enter,
 *            weight of the work in the call          if all was there
 * </pre>
 *
 * so that waiting proper weighs nothing, and the rest of the call weighs the same whichever way the
 * path took into it: a message that takes long, the completion of a barrier, the hand-over of a
 * lock.
 *
 * <p>A blocking send that took {@value #LONG_SEND_NS} ns or more and during which the receiver got
 * ready is taken to have waited for it: messages above a library's eager limit do. To know the
 * receiver's side, the sender lets all threads that are behind go first.
 */
final class ThreadReplay {
  enum State { RUNNABLE, BLOCKED, FINISHED }

  /** Below this, whether a send waited makes no difference worth the time to find out. */
  static final long LONG_SEND_NS = 10_000;
  /** How often the events of a thread are read ahead for nothing. */
  private static final int MAX_AHEAD_IN_VAIN = 16;

  private final Replay replay;
  private final Exchange exchange;
  private final ReplayListener listener;
  private final ThreadRecord record;
  private final ThreadMetrics metrics;
  private final int process;
  private final boolean cpuWeight;
  private final EventCursor cursor;
  private EventCursor ahead;
  /** Events that were read ahead up to the end of the thread for nothing. */
  private long aheadInVain;
  private final Communications communications;

  private long timeNs;
  private long cpuNs;
  private long events;
  private long length;
  private long lastVertex = Reference.NONE;
  private long lastVertexLength;

  // Open calls: call path; time, path length and position at their Enter, or at the last event
  // in them that provides something to others.
  private static final int PATH = 0;
  private static final int BEGIN_NS = 1;
  private static final int BEGIN_LENGTH = 2;
  private static final int BEGIN_POSITION = 3;
  private static final int FIELDS = 4;
  private long[] open = new long[8 * FIELDS];
  /** Index in {@link #open} of the innermost open call; -FIELDS when none is. */
  private int top = -FIELDS;

  // What the innermost call needs before it can end.
  private final Needs needs = new Needs();
  private int resolved;
  private boolean ending;
  private boolean waited;
  private long latestNs;
  private long longest;
  private long origin;
  private ArcKind originKind;
  private ArcKind latestKind;
  private final Exchange.Values values = new Exchange.Values();
  private boolean giveUp;
  private final Set<Long> postedCollectives = new HashSet<>();

  ThreadReplay(Replay replay, ThreadRecord record, int process) {
    this.replay = replay;
    this.exchange = replay.exchange();
    this.listener = replay.listener();
    this.record = record;
    this.metrics = record.metrics;
    this.process = process;
    this.cpuWeight = replay.isCpuWeight();
    this.communications = replay.communications(process);
    cursor = record.thread().cursor();
    if (cursor.next()) {
      timeNs = cursor.timeNs();
      cursor.rewind();
    }
  }

  long timeNs() {
    return timeNs;
  }

  /** Lets the thread go on without the partner for which it is blocked. */
  void giveUp() {
    giveUp = true;
  }

  /**
   * Replays at most this many events.
   *
   * @return BLOCKED when the exchange will wake the thread
   */
  State run(int events) {
    if (ending) {
      if (!end()) {
        return State.BLOCKED;
      }
      if (cursor.kind() == Kind.LEAVE) {
        leave(cursor.operand());
      }
    }
    EventCursor cursor = this.cursor;
    for (int i = 0; i < events; i++) {
      if (!cursor.next()) {
        finish();
        return State.FINISHED;
      }
      int kind = cursor.kind();
      advance(kind, cursor.timeNs());
      if (kind == Kind.ENTER) {
        enter();
      } else if (kind == Kind.LEAVE) {
        if (needs.count > 0) {
          if (needs.hasRendezvous && isLong()) {
            beginEnd();
            return State.RUNNABLE;
          }
          if (!end()) {
            return State.BLOCKED;
          }
        }
        leave(cursor.operand());
      } else if (kind == Kind.SAMPLE) {
        metrics.samples++;
        if (top < 0) {
          record.addSample(cursor.position(), cursor.operand());
        }
      } else if (kind != Kind.CPU) {
        interact(kind);
        if (needs.count > 0 && top < 0 && !end()) {
          return State.BLOCKED;
        }
      }
    }
    return State.RUNNABLE;
  }

  private void advance(int kind, long now) {
    long wall = Math.max(0, now - timeNs);
    long cpu = kind == Kind.CPU ? Math.max(0, wall - cursor.payload(1)) : wall;
    timeNs = now;
    cpuNs += cpu;
    length += cpuWeight ? cpu : wall;
    events++;
  }

  private void enter() {
    top += FIELDS;
    if (top == open.length) {
      open = Arrays.copyOf(open, 2 * top);
    }
    long[] calls = open;
    int call = top;
    calls[call + PATH] = cursor.operand();
    calls[call + BEGIN_NS] = timeNs;
    calls[call + BEGIN_LENGTH] = length;
    calls[call + BEGIN_POSITION] = cursor.position();
  }

  /** Ends the innermost open call of a path and all within it; {@code longjmp} leaves several. */
  private void leave(int path) {
    for (int call = top; call >= 0; call -= FIELDS) {
      if (open[call + PATH] == path) {
        top = call - FIELDS;
        return;
      }
    }
  }

  // -------------------------------------------------------------- interactions

  private void interact(int kind) {
    switch (kind) {
      case Kind.SEND -> send();
      case Kind.RECEIVE_POST -> postReceive();
      case Kind.RECEIVE -> receive();
      case Kind.PROBE -> probe();
      case Kind.REQUEST_CANCEL -> cancel();
      case Kind.COLLECTIVE_POST -> postCollective();
      case Kind.COLLECTIVE -> collective();
      case Kind.ACQUIRE -> acquire();
      case Kind.RELEASE -> release();
      case Kind.SIGNAL -> exchange.post(
          Keys.condition(process), cursor.operand(), cursor.payload(0), timeNs, length, provider());
      case Kind.WAKE -> {
        if (cursor.payload(0) != 0) {
          needs.addBoard(
              ArcKind.CONDITION, Keys.condition(process), cursor.operand(), cursor.payload(0));
        }
      }
      case Kind.BARRIER -> barrier();
      case Kind.THREAD_CREATE -> exchange.post(
          Keys.threadStart(process), cursor.payload(0), 0, timeNs, length, provider());
      case Kind.THREAD_BEGIN -> {
        long creator = cursor.payload(0) - 1;
        if (top < 0 && creator >= 0 && replay.hasThread(process, creator)) {
          needs.addBoard(ArcKind.FORK, Keys.threadStart(process), record.thread().id(), 0);
        }
      }
      case Kind.THREAD_JOIN -> {
        if (replay.hasThread(process, cursor.payload(0))) {
          needs.addBoard(ArcKind.JOIN, Keys.threadEnd(process), cursor.payload(0), 0);
        }
      }
      default -> { }
    }
  }

  /**
   * Makes the current event, which provides something to others, a vertex. Waiting in the call
   * around it begins here.
   */
  private long provider() {
    if (top >= 0) {
      open[top + BEGIN_NS] = timeNs;
      open[top + BEGIN_LENGTH] = length;
      open[top + BEGIN_POSITION] = cursor.position();
    }
    return vertex(cursor.position(), length);
  }

  /** Ends the arc of work that leads to an event of this thread. */
  private long vertex(long position, long lengthThere) {
    long reference = Reference.of(record.index(), position);
    if (listener != null && reference > lastVertex) {
      listener.arc(ArcKind.WORK, lastVertex, reference, lengthThere - lastVertexLength);
      lastVertex = reference;
      lastVertexLength = lengthThere;
    }
    return reference;
  }

  private void send() {
    metrics.messagesSent++;
    metrics.bytesSent += cursor.payload(1);
    int channel =
        communications.outgoing(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      boolean blocking = top >= 0 && cursor.payloadCount() < 3;
      long ordinal = exchange.provide(channel, blocking, timeNs, length, provider());
      if (blocking) {
        needs.addRendezvous(channel, ordinal);
      }
    }
  }

  private void postReceive() {
    long request = cursor.payload(1);
    long peerAndTag = cursor.payload(0);
    if (Kind.peer(peerAndTag) == Kind.ANY_SOURCE || Kind.tag(peerAndTag) == Kind.ANY_TAG) {
      peerAndTag = lookAhead(request);
    }
    if (peerAndTag >= 0) {
      int channel = communications.incoming(cursor.operand(), peerAndTag, exchange);
      if (channel >= 0) {
        long ordinal = exchange.nextOrdinal(channel);
        replay.posted().add(process, request, channel, ordinal);
        exchange.setReady(
            channel, ordinal, timeNs, length, vertex(cursor.position(), length));
      }
    }
  }

  /**
   * Finds out what a posted receive will get. Where other threads complete the requests of this
   * one it soon gives up: reading to the end for each would take quadratic time.
   *
   * @return peer and tag of the message, or -1
   */
  private long lookAhead(long request) {
    if (aheadInVain > MAX_AHEAD_IN_VAIN * record.thread().slotCount()) {
      return -1;
    }
    long readAhead = 0;
    if (ahead == null) {
      ahead = record.thread().cursor();
    }
    boolean more = ahead.seek(cursor.position());
    while (more) {
      int kind = ahead.kind();
      if (kind == Kind.RECEIVE && ahead.payloadCount() > 2 && ahead.payload(2) == request) {
        return ahead.payload(0);
      }
      if (kind == Kind.REQUEST_CANCEL && ahead.payload(0) == request) {
        return -1;
      }
      more = ahead.next();
      readAhead++;
    }
    aheadInVain += readAhead;
    return -1;
  }

  private void receive() {
    metrics.messagesReceived++;
    metrics.bytesReceived += cursor.payload(1);
    if (cursor.payloadCount() > 2) {
      int posted = replay.posted().remove(process, cursor.payload(2));
      if (posted >= 0) {
        needs.addMessage(replay.posted().channel(posted), replay.posted().ordinal(posted), true);
        return;
      }
    }
    int channel = communications.incoming(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      long ordinal = exchange.nextOrdinal(channel);
      needs.addMessage(channel, ordinal, true);
      exchange.setReady(channel, ordinal, beginNs(), beginLength(), beginOfWait());
    }
  }

  private void probe() {
    int channel = communications.incoming(cursor.operand(), cursor.payload(0), exchange);
    if (channel >= 0) {
      needs.addMessage(channel, exchange.peekOrdinal(channel), false);
    }
  }

  private void cancel() {
    int posted = replay.posted().remove(process, cursor.payload(0));
    if (posted >= 0) {
      replay.posted().closeGap(posted);
      exchange.returnOrdinal(replay.posted().channel(posted));
    }
  }

  private void acquire() {
    metrics.lockAcquisitions++;
    long sequence = Kind.acquireSequence(cursor.payload(0));
    boolean waited = Kind.acquireWaited(cursor.payload(0));
    metrics.contendedAcquisitions += waited ? 1 : 0;
    if (sequence < 2) {
      return;
    }
    int channel = exchange.channel(Keys.lock(process), cursor.operand());
    if (waited) {
      needs.addLock(channel, sequence - 2);
    } else {
      exchange.skip(channel, sequence - 2);
    }
  }

  private void release() {
    int channel = exchange.channel(Keys.lock(process), cursor.operand());
    exchange.provideNumbered(channel, cursor.payload(0) - 1, timeNs, length, provider());
  }

  private void barrier() {
    long key = Keys.barrier(process, cursor.operand());
    long generation = cursor.payload(0);
    int participants = (int) Math.min(cursor.payload(1), 1 << 20);
    if (participants > 0) {
      contribute(key, generation, participants, -1);
      needs.addGroup(ArcKind.BARRIER, key, generation, participants, 0, participants);
    }
  }

  private void contribute(long key, long sequence, int size, int rank) {
    long reference = beginOfWait();
    exchange.contribute(key, sequence, size, rank, beginNs(), beginLength(), reference);
    if (listener != null) {
      listener.contribution(key, sequence, rank, reference);
    }
  }

  // Where the waiting of the innermost open call begins; here when there is none.

  private long beginNs() {
    return top >= 0 ? open[top + BEGIN_NS] : timeNs;
  }

  private long beginLength() {
    return top >= 0 ? open[top + BEGIN_LENGTH] : length;
  }

  private long beginOfWait() {
    return top >= 0
        ? vertex(open[top + BEGIN_POSITION], open[top + BEGIN_LENGTH])
        : vertex(cursor.position(), length);
  }

  private void postCollective() {
    Communicator communicator = communications.communicator(cursor.operand());
    if (communicator != null) {
      long sequence = cursor.payload(3);
      postedCollectives.add(collectiveId(sequence));
      provider();
      contribute(Keys.collective(communications.shared(cursor.operand())), sequence,
          Communications.size(communicator), Communications.ownRank(communicator));
    }
  }

  private long collectiveId(long sequence) {
    return (long) cursor.operand() << 40 ^ sequence;
  }

  private void collective() {
    metrics.collectives++;
    metrics.collectiveBytesSent += cursor.payload(1);
    metrics.collectiveBytesReceived += cursor.payload(2);
    Communicator communicator = communications.communicator(cursor.operand());
    Collective op = Collective.of(Kind.op(cursor.payload(0)));
    if (communicator == null || op == null) {
      return;
    }
    long key = Keys.collective(communications.shared(cursor.operand()));
    long sequence = cursor.payload(3);
    int size = Communications.size(communicator);
    int rank = Communications.ownRank(communicator);
    boolean posted = !postedCollectives.isEmpty()
        && postedCollectives.remove(collectiveId(sequence));
    if (!posted) {
      contribute(key, sequence, size, rank);
    }
    int root = Kind.root(cursor.payload(0));
    boolean rooted = !communicator.isInter() && root < size;
    int from = 0;
    int to = size;
    if (rooted && op.dependency() == Collective.Dependency.EACH_FOR_ROOT) {
      from = root;
      to = rank == root ? root : root + 1;
    } else if (rooted && op.dependency() == Collective.Dependency.ROOT_FOR_EACH) {
      to = rank == root ? size : 0;
    } else if (!communicator.isInter() && op.dependency() == Collective.Dependency.EACH_FOR_LOWER) {
      to = rank;
    }
    needs.addGroup(ArcKind.COLLECTIVE, key, sequence, size, from, to);
  }

  // ------------------------------------------------------------- ends of waits

  /**
   * Ends the call, or the event outside of any call, at which the cursor stands.
   *
   * @return false while something needed is not there
   */
  private boolean end() {
    if (!ending) {
      beginEnd();
    }
    for (; resolved < needs.count; resolved++) {
      if (!resolve(resolved)) {
        return false;
      }
    }
    if (waited) {
      complete();
    }
    needs.clear();
    ending = false;
    return true;
  }

  private void beginEnd() {
    ending = true;
    resolved = 0;
    waited = false;
    latestNs = beginNs();
    latestKind = null;
    longest = beginLength();
    origin = Reference.NONE;
    originKind = ArcKind.WAIT;
  }

  private boolean isLong() {
    return timeNs - beginNs() >= LONG_SEND_NS;
  }

  private boolean resolve(int need) {
    boolean there = needs.ask(need, exchange, record.index(), values);
    if (!there && !giveUp) {
      return false;
    }
    giveUp = false;
    needs.finish(need, exchange);
    ArcKind kind = needs.kind(need);
    boolean met = there && values.reference != Reference.NONE;
    if (kind == ArcKind.RENDEZVOUS) {
      if (!met || !isLong() || values.timeNs <= beginNs() || values.timeNs >= timeNs) {
        return true;
      }
    } else if (!met && !needs.isEmptyGroup(need)) {
      replay.unmatched(kind);
    }
    waited = true;
    if (!met) {
      return true;
    }
    if (values.timeNs > timeNs) {
      replay.clockViolation(values.timeNs - timeNs);
    }
    if (values.timeNs > latestNs) {
      latestNs = Math.min(values.timeNs, timeNs);
      latestKind = kind;
    }
    if (kind == ArcKind.FORK) {
      latestNs = Math.min(values.timeNs, timeNs);
      latestKind = kind;
      longest = -1;
    }
    if (values.length > longest) {
      longest = values.length;
      origin = values.reference;
      originKind = kind;
    }
    if (listener != null) {
      needs.setOrigin(need, values.reference);
    }
    return true;
  }

  private void complete() {
    if (latestKind != null && latestKind != ArcKind.FORK) {
      metrics.addWait(latestKind, Math.max(0, latestNs - beginNs()));
    }
    long rest = latestKind == null ? length - beginLength() : timeNs - latestNs;
    length = longest + rest;
    long local = originKind == ArcKind.WAIT || listener != null ? beginOfWait() : Reference.NONE;
    record.addWait(
        cursor.position(), originKind, originKind == ArcKind.WAIT ? local : origin, rest);
    if (listener != null) {
      long target = Reference.of(record.index(), cursor.position());
      if (originKind != ArcKind.FORK && local != target) {
        listener.arc(ArcKind.WAIT, local, target, rest);
      }
      for (int i = 0; i < needs.count; i++) {
        needs.emit(i, target, rest, listener);
      }
      lastVertex = target;
      lastVertexLength = length;
    }
  }

  private void finish() {
    record.length = length;
    metrics.events = events;
    metrics.cpuNs = cpuNs;
    if (events > 0) {
      cursor.previous();
      record.endPosition = cursor.position();
      metrics.elapsedNs = timeNs - record.thread().beginNs();
      exchange.post(Keys.threadEnd(process), record.thread().id(), 0, timeNs, length,
          vertex(cursor.position(), length));
    }
  }
}
