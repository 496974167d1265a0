package org.parallax.analysis.replay;

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
 * <p>Where paths begin in some processes only, the threads of the others begin at {@link #PASSIVE}:
 * what leads from there stays negative, so that each path from the first dominates it.
 *
 * <p>A blocking send that took {@value #LONG_SEND_NS} ns or more and during which the receiver got
 * ready is taken to have waited for it: messages above a library's eager limit do. To know the
 * receiver's side, the sender lets all threads that are behind go first.
 */
final class ThreadReplay {
  enum State { RUNNABLE, BLOCKED, FINISHED }

  /** Below this, whether a send waited makes no difference worth the time to find out. */
  static final long LONG_SEND_NS = 10_000;
  /** More below 0 than any run is long. */
  static final long PASSIVE = Long.MIN_VALUE / 4;

  private final Replay replay;
  private final Exchange exchange;
  private final ReplayListener listener;
  /** Null where nobody is told. */
  private final IdleTeller idle;
  private final WaitListener waits;
  private final ThreadRecord record;
  /** Of the thread, or what nobody reads outside of the window. */
  private ThreadMetrics metrics;
  private final ThreadMetrics ignored = new ThreadMetrics();
  private final ThreadMetrics lastCounts = new ThreadMetrics();
  private final Window window;
  private final boolean active;
  private final Speedups speedups;
  /** Null where all work takes its own time. */
  private final FasterWork faster;
  private final int process;
  private final boolean cpuWeight;
  private final EventCursor cursor;
  private final Interactions interactions;
  private final WindowReplay windows;
  /** Null where nobody follows the path, and where not all of the CPU time is known here. */
  private ThreadSamples.Collector samples;
  /** Whether all work counts, weighs what it took, and nobody is told when the thread is idle. */
  private final boolean isPlain;
  /** Null where no call waits until descriptors are ready. */
  private final NextTaken nextTaken;
  private final LoneWait lone;

  private long timeNs;
  private long cpuNs;
  private long length;
  private long lastVertex = Reference.NONE;
  private long lastVertexLength;
  private final OpenCalls calls;

  // What the innermost call needs before it can end.
  private final Needs needs = new Needs();
  private final LatestNeed latest;
  private int resolved;
  private boolean ending;
  /** Others go first, up to the end of the call; and whether they did. */
  private boolean letsOthersGo;
  private boolean othersWent;
  private boolean waited;
  private long longest;
  private long origin;
  private ArcKind originKind;
  private final Exchange.Values values = new Exchange.Values();
  private boolean blocked;
  private int replayed;
  private boolean giveUp;

  ThreadReplay(Replay replay, ThreadRecord record, int process) {
    this.replay = replay;
    this.exchange = replay.exchange();
    this.listener = replay.listener();
    this.record = record;
    this.metrics = record.metrics;
    window = replay.setup().window();
    active = replay.setup().isActive(record.process());
    speedups = replay.setup().speedups();
    double[] shares = speedups.work().get(record.process());
    faster = shares == null ? null : new FasterWork(shares, record.thread());
    length = active ? 0 : PASSIVE;
    lastVertexLength = length;
    this.process = process;
    this.cpuWeight = replay.isCpuWeight();
    calls = new OpenCalls(record.process());
    waits = replay.waits() == null ? null : new PolledWaits(replay.waits(), calls);
    cursor = record.thread().cursor();
    interactions = new Interactions(this);
    windows = interactions.windows();
    nextTaken = NextTaken.of(record.process(), record.thread());
    latest = new LatestNeed(record, window, needs);
    lone = new LoneWait(replay, waits, record, process);
    if (cursor.next()) {
      timeNs = cursor.timeNs();
      cursor.rewind();
    }
    idle = replay.idleListener() == null ? null
        : new IdleTeller(replay.idleListener(), record.index(), cpuWeight, timeNs);
    isPlain = idle == null && faster == null && window == Window.ALL;
    if (isPlain && record.keepsPath() && listener == null && cursor.isCpuClockExact()) {
      samples = new ThreadSamples.Collector(record.thread(), cursor, timeNs);
    }
  }

  /**
   * The time by which the thread has its turn: that of its event, or, where it is blocked, of the
   * begin of its wait. What it does there can be of use for others that are at a time in between.
   */
  long dueNs() {
    return blocked ? beginNs() : timeNs;
  }

  /** @return true if the thread is blocked for bytes of a stream into which nobody has sent so far */
  private boolean lacksSender() {
    int stream = needs.stream(resolved);
    return stream >= 0 && !exchange.isGiven(stream);
  }

  /** @return true if the thread is blocked for a partner that may not be replayed */
  boolean mayLackPartner() {
    return blocked && needs.mayBeGivenUpEarly(resolved);
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
    replayed = 0;
    State state = replay(events);
    blocked = state == State.BLOCKED;
    return state;
  }

  private State replay(int events) {
    if (ending) {
      if (!end()) {
        return pause();
      }
      if (cursor.kind() == Kind.LEAVE) {
        leave();
      }
    }
    EventCursor cursor = this.cursor;
    for (; replayed < events; replayed++) {
      if (!cursor.next()) {
        finish();
        return State.FINISHED;
      }
      int kind = cursor.kind();
      long now = replay.timeNs(record, cursor);
      if (samples != null && kind == Kind.CPU) {
        samples.lost(calls, timeNs, now);
      }
      if (isPlain) {
        advancePlainly(now, cursor.lostNs());
      } else {
        advance(now);
      }
      if (kind == Kind.ENTER) {
        if (samples != null) {
          samples.entered(calls, timeNs, cpuNs);
        }
        calls.enter(cursor.operand(), timeNs, length, cursor.position());
        waited = false;
        lone.entered();
        if (windows.isTold()) {
          windows.entered(cursor.operand());
        }
      } else if (kind == Kind.LEAVE) {
        if (needs.count == 0 && nextTaken != null && nextTaken.isPoll(cursor.operand())) {
          interactions.awaitReady(nextTaken.after(cursor.position()), calls);
        }
        if (needs.count > 0) {
          if (needs.hasRendezvous && isLong()) {
            beginEnd();
            return State.RUNNABLE;
          }
          if (!end()) {
            return pause();
          }
        }
        leave();
      } else if (kind == Kind.SAMPLE) {
        metrics.samples++;
        if (samples != null) {
          samples.sampled(calls, timeNs, cpuNs);
        }
      } else if (kind == Kind.CPU) {
        lone.lost(cursor.lostNs());
      } else {
        interact(kind);
        if (needs.count > 0 && !calls.isInRoutine() && !end()) {
          return pause();
        }
      }
    }
    return State.RUNNABLE;
  }

  /** @return how many events the last {@link #run} has replayed */
  int replayed() {
    return replayed;
  }

  private State pause() {
    boolean canGoOn = letsOthersGo;
    letsOthersGo = false;
    return canGoOn ? State.RUNNABLE : State.BLOCKED;
  }

  private void leave() {
    if (lone.isTold() && calls.isInRoutine() && isLong()) {
      lone.tell(calls, waited, timeNs);
    }
    lone.left();
    if (windows.isTold()) {
      windows.left(cursor.operand(), waited);
    }
    boolean ended = calls.endsPolling();
    calls.leave(cursor.operand());
    if (samples != null) {
      samples.left(calls, timeNs, cpuNs);
    }
    if (ended && calls.isInRoutine()) {
      // The wait of the outer call was told as that of the inner one.
      calls.beginAt(timeNs, length, cursor.position());
    }
  }

  /** The same as {@link #advance} where that has nothing to distinguish. */
  private void advancePlainly(long now, long lostNs) {
    long passed = now - timeNs;
    if (passed < 0) {
      passed = 0;
      samples = null;  // A reader that copes with events out of order collects them when they are asked for.
    }
    long cpu = lostNs == 0 || passed == 0 ? passed : Math.max(0, passed - lostNs);
    cpuNs += cpu;
    length += cpuWeight ? cpu : passed;
    timeNs = now;
    metrics.events++;
  }

  private void advance(long now) {
    if (idle != null) {
      idle.advance(cursor, timeNs, now);
    }
    long cpu = window.cpuNs(timeNs, now, cursor.lostNs());
    cpuNs += cpu;
    long weight = cpuWeight ? cpu : window.overlapNs(timeNs, now);
    length += faster == null ? weight
        : !calls.isEmpty() ? faster.inCall(weight, calls.path(),
            cpuWeight || calls.isInRoutine() ? -1 : cursor.position(), window, timeNs, now)
        : faster.outside(weight, cursor.position(), window, timeNs, now, cursor.lostNs(), cpuWeight);
    timeNs = now;
    metrics = window.contains(now) ? record.metrics : ignored;
    metrics.events++;
  }

  private void interact(int kind) {
    metrics.count(kind, cursor, record.process(), lastCounts);
    switch (kind) {
      case Kind.POLL -> calls.poll();
      case Kind.FILE -> lone.usesFile();
      default -> interactions.event(kind);
    }
  }

  // ------------------------------------------- for the replay of interactions

  Replay replay() {
    return replay;
  }

  Exchange exchange() {
    return exchange;
  }

  ThreadRecord record() {
    return record;
  }

  EventCursor cursor() {
    return cursor;
  }

  Needs needs() {
    return needs;
  }

  /** @return the index of the thread's process in the replay */
  int process() {
    return process;
  }

  /** @return the time of the event at which the thread stands */
  long timeNs() {
    return timeNs;
  }

  /** @return the length of the longest path to there */
  long length() {
    return length;
  }

  /** @return true if the innermost call is one that can wait */
  boolean isInRoutine() {
    return calls.isInRoutine();
  }

  /**
   * Makes the current event, which provides something to others, a vertex. Waiting in the call
   * around it begins here.
   */
  long provider() {
    if (calls.isInRoutine()) {
      calls.beginAt(timeNs, length, cursor.position());
    }
    return vertex(cursor.position(), length);
  }

  /** Ends the arc of work that leads to an event of this thread. */
  long vertex(long position, long lengthThere) {
    long reference = Reference.of(record.index(), position);
    if (listener != null && reference > lastVertex) {
      listener.arc(ArcKind.WORK, lastVertex, reference, lengthThere - lastVertexLength);
      lastVertex = reference;
      lastVertexLength = lengthThere;
    }
    return reference;
  }

  // Where the waiting of the innermost open call begins; here when there is none.

  long beginNs() {
    return calls.isInRoutine() ? calls.beginNs() : timeNs;
  }

  long beginLength() {
    return calls.isInRoutine() ? calls.beginLength() : length;
  }

  long beginOfWait() {
    return calls.isInRoutine() ? vertex(calls.beginPosition(), calls.beginLength())
        : vertex(cursor.position(), length);
  }

  /** The innermost call waited for what no recorded thread has brought about. */
  void waitsAlone(WaitState state) {
    lone.isFor(state);
  }

  /** The innermost call transferred bytes for which no recorded thread need be. */
  void usesOutside() {
    lone.usesOutside();
  }

  /** The thread takes part in what a group of threads or processes does together. */
  void contribute(long key1, long key2, int size, int rank) {
    long reference = beginOfWait();
    exchange.contribute(key1, key2, size, rank, beginNs(), beginLength(), reference);
    if (listener != null) {
      listener.contribution(key1, key2, rank, reference);
    }
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
      if (needs.isArrivals(resolved) && timeNs - latest.ns() < needs.leastNs(resolved)) {
        needs.finish(resolved, false, exchange);
      } else if (needs.isArrivals(resolved) && !othersWent) {
        letsOthersGo = true;
        othersWent = true;
        return false;
      } else if (!resolve(resolved)) {
        othersWent = false;
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
    othersWent = false;
    needs.setCall(beginNs(), timeNs);
    latest.begin(beginNs());
    longest = beginLength();
    origin = Reference.NONE;
    originKind = ArcKind.WAIT;
  }

  private boolean isLong() {
    return timeNs - beginNs() >= LONG_SEND_NS;
  }

  private boolean resolve(int need) {
    needs.setExplained(latest.ns());
    boolean there = needs.ask(need, exchange, record.index(), values);
    if (!there && !giveUp) {
      return false;
    }
    boolean readiness = needs.isReadiness(need);
    if (!there && lacksSender()) {
      exchange.giveUpBytes(needs.stream(need));
    } else if (!there && !readiness && needs.stream(need) >= 0) {
      there = exchange.otherBytes(needs.stream(need), timeNs, values);
    }
    giveUp = false;
    needs.finish(need, there, exchange);
    if (needs.isPart(need)) {
      boolean known = there && values.reference != Reference.NONE;
      latest.endPart(known ? values.timeNs : beginNs(), values.reference);
      return true;
    }
    ArcKind kind = needs.kind(need);
    if (kind == ArcKind.LOCK && lone.isKnown()) {
      return true;  // The time limit ended the wait; whether the lock was free then is not known.
    }
    boolean met = there && values.reference != Reference.NONE;
    if (kind == ArcKind.RENDEZVOUS || kind == ArcKind.ROOM) {
      if (!met || !isLong() || values.timeNs <= beginNs() || values.timeNs >= timeNs) {
        return true;
      }
    } else if (readiness) {
      if (!met || needs.isMoment(need) && !isLong() || values.timeNs <= beginNs() || values.timeNs > timeNs) {
        return true;
      }
      // Else it came by chance during the transfer.
      if (needs.isArrivals(need) && timeNs - values.timeNs > values.timeNs - latest.ns()) {
        return true;
      }
    } else if (!met && !needs.isOptional(need)) {
      unmatched(kind, needs.stream(need));
    }
    waited = true;
    if (!met) {
      return true;
    }
    if (kind == ArcKind.STREAM && calls.isInRoutine() && values.timeNs <= beginNs()) {
      needs.tellTaken(need, exchange, beginNs(), beginLength(), beginOfWait());
    }
    if (!readiness) {
      timeNs = replay.met(record, needs, need, values, timeNs, calls.isInRoutine() ? calls.path() : 0);
    }
    if (kind == ArcKind.CONDITION) {
      latest.signal(need, values, timeNs);
    }
    if (values.timeNs > latest.ns()) {
      latest.set(need, kind, values, timeNs);
    }
    if (isBegin(kind)) {
      latest.set(need, kind, values, timeNs);
      longest = Long.MIN_VALUE;
    }
    if (values.length > longest) {
      longest = values.length;
      origin = values.reference;
      originKind = kind;
    }
    if (listener != null) {
      needs.setOrigin(need, values.reference);
    }
    if (waits != null && needs.takes(need)) {
      waits.received(
          record, kind, needs.bytes(need), values.timeNs, timeNs, needs.cause(need, values));
    }
    return true;
  }

  /** Who ends the wait of the innermost call is not in the traces; the stream is -1 for what is none. */
  void unmatched(ArcKind kind, int stream) {
    replay.unmatched(
        kind, stream, record, calls.isInRoutine() ? calls.path() : 0, beginNs(), timeNs);
  }

  /**
   * Before the begin of a thread there is nothing that the path could come from. Nor is there before
   * a thread of a team begins a region: outside of calls it was idle, whatever it did.
   */
  private boolean isBegin(ArcKind kind) {
    return kind.isBegin() || kind == ArcKind.TASK && !calls.isInRoutine();
  }

  private void complete() {
    boolean begins = isBegin(originKind);
    if (latest.kind() != null && !begins) {
      latest.addWait(beginNs());
      lone.hasCause();
    }
    if (idle != null && latest.kind() != null) {
      idle.waited(begins, beginNs(), latest.ns());
    }
    if (waits != null) {
      tellWaits(begins);
    }
    if (longest < 0 && length >= 0) {
      // No path comes by what was waited for: it begins here, or came into a call within this one.
      return;
    }
    boolean reached = beginLength() < 0 && length >= 0;  // by a path, in a call within this one
    long rest = latest.kind() == null && !reached ? length - beginLength()
        : share(window.overlapNs(latest.ns(), timeNs));
    length = longest + rest;
    long local = !begins && (originKind == ArcKind.WAIT || listener != null)
        ? beginOfWait() : Reference.NONE;
    if (longest >= 0) {
      record.addWait(
          cursor.position(), originKind, originKind == ArcKind.WAIT ? local : origin, rest);
    }
    if (listener != null) {
      long target = Reference.of(record.index(), cursor.position());
      if (!begins && local != target) {
        listener.arc(ArcKind.WAIT, local, target, rest);
      }
      for (int i = 0; i < needs.count; i++) {
        needs.emit(i, target, rest, listener);
      }
      lastVertex = target;
      lastVertexLength = length;
    }
  }

  private long share(long ns) {
    Double share = latest.kind() == null ? null : speedups.arcs().get(latest.kind());
    return share == null ? ns : Math.round(ns * share);
  }

  private void tellWaits(boolean begins) {
    int path = calls.isInRoutine() ? calls.path() : 0;
    for (int i = 0; i < needs.count; i++) {
      needs.tellLeft(i, record, path, latest.ns(), timeNs, waits);
    }
    if (latest.kind() != null && latest.kind().isBegin()) {
      latest.tellBegin(waits);
    } else if (latest.kind() != null && !begins) {
      latest.tell(waits, path, beginNs());
    }
  }

  private void finish() {
    record.length = Math.max(0, length);
    record.metrics.cpuNs = cpuNs;
    if (samples != null) {
      record.setSamples(samples.end());
    }
    if (cursor.previous()) {
      record.endPosition = cursor.position();
      record.metrics.elapsedNs = window.overlapNs(record.thread().beginNs(), timeNs);
      interactions.endThread();
    }
  }
}
