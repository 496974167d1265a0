package org.parallax.analysis.replay;

import java.util.Arrays;

/** What a call needs of other threads before it can end. */
final class Needs {
  /** Where the exchange has what is needed. */
  private enum Place {
    CHANNEL, TAKER, BOARD, GROUP, ARRIVALS, STREAM, READY_STREAM, READY_BOARD, ROOM, READY_CHANNEL, READY_GROUP, PART,
    LAST_MOMENT, MOMENT_AFTER_PAUSE, SENDER, RECEIVER, PARTITIONS, LATER_PARTITIONS
  }

  private static final int FIELDS = 5;

  int count;
  /** True if one of the needs is the receiver of a message that this call sent. */
  boolean hasRendezvous;
  private ArcKind[] kinds = new ArcKind[4];
  private Place[] places = new Place[4];
  private boolean[] consumed = new boolean[4];
  private boolean[] optional = new boolean[4];
  private long[] fields = new long[4 * FIELDS];
  private long[] origins = new long[4];
  private int[] details = new int[4];
  private Moments.Choice[] choices = new Moments.Choice[4];
  /** Of a group, where those that are needed are not a range. */
  private int[][] members = new int[4][];
  /** Of a partitioned message. */
  private Partitions[] partitions = new Partitions[4];
  // The call of all these needs.
  private long callBeginNs;
  private long callEndNs;
  private long explainedNs;

  private int add(ArcKind kind, Place place) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
      consumed = Arrays.copyOf(consumed, 2 * count);
      optional = Arrays.copyOf(optional, 2 * count);
      fields = Arrays.copyOf(fields, 2 * count * FIELDS);
      origins = Arrays.copyOf(origins, 2 * count);
      details = Arrays.copyOf(details, 2 * count);
      choices = Arrays.copyOf(choices, 2 * count);
      members = Arrays.copyOf(members, 2 * count);
      partitions = Arrays.copyOf(partitions, 2 * count);
    }
    kinds[count] = kind;
    places[count] = place;
    origins[count] = Reference.NONE;
    details[count] = 0;
    optional[count] = false;
    members[count] = null;
    partitions[count] = null;
    return FIELDS * count++;
  }

  /** A message that this call receives. */
  void addMessage(int channel, long ordinal, long bytes) {
    addChannel(ArcKind.MESSAGE, channel, ordinal, true);
    fields[FIELDS * (count - 1) + 2] = bytes;
  }

  /** All partitions of a message, whose receiver has no more questions. */
  void addAllPartitions(Partitions of, long bytes) {
    addPartitions(of, 0, 1, 1);
    fields[FIELDS * (count - 1) + 3] = bytes;
    consumed[count - 1] = true;
  }

  /** Some of the {@code total} partitions of a message. Libraries may let the call wait for others, as the times tell. */
  void addPartitions(Partitions of, long first, long some, long total, long bytes) {
    addPartitions(of, first, some, total);
    fields[addOf(of, ArcKind.MESSAGE, Place.LATER_PARTITIONS) + 3] = bytes;
    describe(WaitListener.PARTITION);
    makeOptional();
  }

  private void addPartitions(Partitions of, long first, long some, long total) {
    addOf(of, ArcKind.MESSAGE, Place.SENDER);
    int at = addOf(of, ArcKind.MESSAGE, Place.PARTITIONS);
    fields[at] = first;
    fields[at + 1] = some;
    fields[at + 2] = Math.max(1, total);
    describe(WaitListener.PARTITION);
  }

  private int addOf(Partitions of, ArcKind kind, Place place) {
    int at = add(kind, place);
    Arrays.fill(fields, at, at + FIELDS, 0);
    consumed[count - 1] = false;
    partitions[count - 1] = of;
    return at;
  }

  /**
   * What completes a partitioned message for its sender: all its partitions, which other threads can make ready, and the
   * receiver, if it was late.
   */
  void addReceiver(Partitions of) {
    addPartitions(of, 0, 1, 1);
    hasRendezvous = true;
    addOf(of, ArcKind.RENDEZVOUS, Place.RECEIVER);
  }

  /** A message that this call sees, and leaves. */
  void addProbe(int channel, long ordinal) {
    addChannel(ArcKind.MESSAGE, channel, ordinal, false);
  }

  private void addChannel(ArcKind kind, int channel, long ordinal, boolean consume) {
    int at = add(kind, Place.CHANNEL);
    fields[at] = channel;
    fields[at + 1] = ordinal;
    consumed[count - 1] = consume;
  }

  /** The receiver of a message that this call sent, if it was late. */
  void addRendezvous(int channel, long ordinal) {
    hasRendezvous = true;
    int at = add(ArcKind.RENDEZVOUS, Place.TAKER);
    fields[at] = channel;
    fields[at + 1] = ordinal;
  }

  /** A value of a channel, if it was this that the call waited for. */
  void addReadyChannel(ArcKind kind, int channel, long ordinal, boolean consume) {
    addChannel(kind, channel, ordinal, consume);
    places[count - 1] = Place.READY_CHANNEL;
    makeOptional();
  }

  /**
   * What ends an exposure epoch of a window: the end of the origin's last operation, which is the value of the
   * channel before that of its complete.
   */
  void addComplete(int channel, long ordinal) {
    addChannel(ArcKind.WINDOW, channel, ordinal, true);
    places[count - 1] = Place.PART;
    addChannel(ArcKind.WINDOW, channel, ordinal + 1, true);
  }

  /** The last moment in the call whose number is wanted, if the call took long. */
  void addLastMoment(ArcKind kind, long key1, long key2, Moments.Choice choice) {
    addMoment(kind, Place.LAST_MOMENT, key1, key2, choice);
  }

  /** The first wanted moment in a long call after a pause of more than half of it. */
  void addMomentAfterPause(ArcKind kind, long key1, long key2, Moments.Choice choice) {
    addMoment(kind, Place.MOMENT_AFTER_PAUSE, key1, key2, choice);
  }

  private void addMoment(ArcKind kind, Place place, long key1, long key2, Moments.Choice choice) {
    hasRendezvous = true;
    int at = add(kind, place);
    fields[at] = key1;
    fields[at + 1] = key2;
    choices[count - 1] = choice;
    makeOptional();
  }

  /** Says when the call begins and ends, before anything is asked. */
  void setCall(long beginNs, long endNs) {
    callBeginNs = beginNs;
    callEndNs = endNs;
  }

  /** Says up to when the call waited for what was asked before, for {@link #addArrivals}. */
  void setExplained(long untilNs) {
    explainedNs = untilNs;
  }

  void addLock(int channel, long ordinal) {
    addChannel(ArcKind.LOCK, channel, ordinal, true);
  }

  /** Bytes [from, to) of a stream. */
  void addBytes(int stream, long from, long to) {
    int at = add(ArcKind.STREAM, Place.STREAM);
    fields[at] = stream;
    fields[at + 1] = from;
    fields[at + 2] = to;
  }

  /** The byte at an offset of a stream, if it was this that the call waited for. */
  void addReadyBytes(int stream, long offset) {
    int at = add(ArcKind.STREAM, Place.READY_STREAM);
    fields[at] = stream;
    fields[at + 1] = offset;
  }

  /** What is on a board, if it was this that the call waited for. */
  void addReadyBoard(ArcKind kind, long key1, long key2, long number) {
    addBoard(kind, key1, key2, number);
    places[count - 1] = Place.READY_BOARD;
  }

  /**
   * @return true for what came by itself: the call waited for it if it came meanwhile, else for
   *     something that is not known
   */
  boolean isReadiness(int need) {
    return switch (places[need]) {
      case READY_STREAM, READY_BOARD, READY_CHANNEL, READY_GROUP, ARRIVALS, LAST_MOMENT, MOMENT_AFTER_PAUSE,
          LATER_PARTITIONS -> true;
      default -> false;
    };
  }

  /** @return true for what only says when a part of the wait for the next need ended */
  boolean isPart(int need) {
    return places[need] == Place.PART || places[need] == Place.SENDER;
  }

  /** @return true if it is known only once all threads that are behind have been replayed */
  boolean isMoment(int need) {
    return places[need] == Place.LAST_MOMENT || places[need] == Place.MOMENT_AFTER_PAUSE;
  }

  /** Room in a stream, made by who took bytes before an offset, if this call waited for it. */
  void addRoom(int stream, long offset, long afterNs, long beforeNs) {
    hasRendezvous = true;
    int at = add(ArcKind.ROOM, Place.ROOM);
    fields[at] = stream;
    fields[at + 1] = afterNs;
    fields[at + 2] = beforeNs;
    fields[at + 3] = offset;
  }

  void addBoard(ArcKind kind, long key1, long key2, long number) {
    int at = add(kind, Place.BOARD);
    fields[at] = key1;
    fields[at + 1] = key2;
    fields[at + 2] = number;
  }

  /** All participants of a collective, if the call waited for them. */
  void addReadyGroup(ArcKind kind, long key, long sequence, int size) {
    addGroup(kind, key, sequence, size, 0, size);
    places[count - 1] = Place.READY_GROUP;
    makeOptional();
  }

  void addGroup(ArcKind kind, long key, long sequence, int size, int from, int to) {
    int at = add(kind, Place.GROUP);
    fields[at] = key;
    fields[at + 1] = sequence;
    fields[at + 2] = size;
    fields[at + 3] = from;
    fields[at + 4] = to;
  }

  /** Some participants of a collective, at least one. */
  void addMembers(ArcKind kind, long key, long sequence, int size, int[] needed) {
    addGroup(kind, key, sequence, size, 0, needed.length);
    members[count - 1] = needed;
  }

  /**
   * Any participant of the collective that was added last whose arrival may have been waited for, as the times tell.
   *
   * @param bytes that the call moved
   */
  void addArrivals(ArcKind kind, long key, long sequence, int size, long bytes) {
    int at = add(kind, Place.ARRIVALS);
    fields[at] = key;
    fields[at + 1] = sequence;
    fields[at + 2] = size;
    fields[at + 3] = bytes;
    makeOptional();
  }

  /** @return true for what a call may have waited for beyond what it needed, as the times tell */
  boolean isArrivals(int need) {
    return places[need] == Place.ARRIVALS || places[need] == Place.LATER_PARTITIONS;
  }

  /** @return the shortest time that can be a wait for what {@link #isArrivals}: a byte can take a nanosecond */
  long leastNs(int need) {
    return ThreadReplay.LONG_SEND_NS + fields[FIELDS * need + 3];
  }

  /**
   * @return true if the need can be given up as soon as all others have been replayed up to its end: who meets it
   *     may not be replayed, and has told so before the wait ended. (The members of a barrier leave it at
   *     different times, which are those of their events.)
   */
  boolean mayBeGivenUpEarly(int need) {
    return optional[need] && places[need] != Place.GROUP;
  }

  /** Says of the need that was added last that who meets it may not be among the threads that are replayed. */
  void makeOptional() {
    optional[count - 1] = true;
  }

  /** Says of the need that was added last which object or operation it is about. */
  void describe(int detail) {
    details[count - 1] = detail;
  }

  /** @return what {@link #describe} said, else 0 */
  int detail(int need) {
    return details[need];
  }

  void clear() {
    count = 0;
    hasRendezvous = false;
  }

  ArcKind kind(int need) {
    return kinds[need];
  }

  private boolean isGroup(int need) {
    return places[need] == Place.GROUP || places[need] == Place.READY_GROUP;
  }

  /**
   * @return true if it is no fault of the trace when the need is not met: nobody was needed, or who
   *     was may not be among the threads that are replayed
   */
  boolean isOptional(int need) {
    int at = FIELDS * need;
    return optional[need] || (isGroup(need) ? fields[at + 3] == fields[at + 4] : kinds[need].isBegin());
  }

  /** @return the stream of which bytes are needed, or -1 if it is something else */
  int stream(int need) {
    return places[need] == Place.STREAM || places[need] == Place.READY_STREAM
        ? (int) fields[FIELDS * need] : -1;
  }

  /** @return true if a message or bytes of a stream are received by it */
  boolean takes(int need) {
    return kinds[need] == ArcKind.MESSAGE && consumed[need] || places[need] == Place.STREAM;
  }

  /** @return how many bytes, of a need that {@link #takes} */
  long bytes(int need) {
    int at = FIELDS * need;
    return switch (places[need]) {
      case STREAM -> fields[at + 2] - fields[at + 1];
      case PARTITIONS -> fields[at + 3];
      default -> fields[at + 2];
    };
  }

  /** Tells the senders of a stream that bytes which were there already have been taken. */
  void tellTaken(int need, Exchange exchange, long timeNs, long length, long reference) {
    int at = FIELDS * need;
    exchange.makeRoom((int) fields[at], fields[at + 1], timeNs, length, reference);
  }

  /** @return false if it is not there yet: the exchange will wake the thread */
  boolean ask(int need, Exchange exchange, int thread, Exchange.Values into) {
    int at = FIELDS * need;
    into.reference = Reference.NONE;
    return switch (places[need]) {
      case CHANNEL, READY_CHANNEL, PART ->
          exchange.take((int) fields[at], fields[at + 1], consumed[need], thread, into);
      case TAKER -> {
        exchange.ready((int) fields[at], fields[at + 1], into);
        yield true;
      }
      case STREAM -> exchange.takeBytes(
          (int) fields[at], fields[at + 1], fields[at + 2], thread, into);
      case ROOM -> {
        exchange.room((int) fields[at], fields[at + 3], fields[at + 1], fields[at + 2], into);
        yield true;
      }
      case LAST_MOMENT -> {
        exchange.lastMoment(
            fields[at], fields[at + 1], choices[need], callBeginNs, callEndNs, into);
        yield true;
      }
      case MOMENT_AFTER_PAUSE -> {
        exchange.momentAfterPause(
            fields[at], fields[at + 1], choices[need], callBeginNs, callEndNs, into);
        yield true;
      }
      case GROUP, READY_GROUP -> members[need] != null
          ? exchange.resultOf(fields[at], fields[at + 1], (int) fields[at + 2], members[need], thread, into)
          : exchange.result(fields[at], fields[at + 1], (int) fields[at + 2], (int) fields[at + 3],
              (int) fields[at + 4], thread, into);
      case ARRIVALS -> {
        exchange.lastArrival(
            fields[at], fields[at + 1], (int) fields[at + 2], explainedNs, callEndNs, into);
        yield true;
      }
      case SENDER -> partitions[need].askStart(thread, into);
      case RECEIVER -> {
        partitions[need].askReceiver(into);
        yield true;
      }
      case PARTITIONS ->
          partitions[need].ask(fields[at], fields[at + 1], fields[at + 2], thread, into);
      case LATER_PARTITIONS -> {
        partitions[need].askLast(explainedNs, callEndNs, into);
        yield true;
      }
      case READY_STREAM ->
          exchange.seeBytes((int) fields[at], fields[at + 1], thread, into);
      case BOARD, READY_BOARD -> exchange.read(fields[at], fields[at + 1], fields[at + 2], thread, into);
    };
  }

  /**
   * Tells the exchange that the need was met or given up.
   *
   * @param met false if the value was not there
   */
  void finish(int need, boolean met, Exchange exchange) {
    if (places[need] == Place.READY_CHANNEL && consumed[need] && !met) {
      exchange.skip((int) fields[FIELDS * need], fields[FIELDS * need + 1]);
    }
    if (places[need] == Place.RECEIVER) {
      partitions[need].leaveSender();
    } else if (places[need] == Place.PARTITIONS && consumed[need]) {
      partitions[need].leaveReceiver();
    }
    // Whose arrivals are asked for is needed until then.
    boolean isLast = need + 1 == count || places[need + 1] != Place.ARRIVALS;
    if (isGroup(need) && isLast || places[need] == Place.ARRIVALS) {
      int at = FIELDS * need;
      exchange.leave(fields[at], fields[at + 1], (int) fields[at + 2]);
    }
  }

  /** Remembers where the need was met, for {@link #emit}. */
  void setOrigin(int need, long reference) {
    origins[need] = reference;
  }

  /** @return what the thread waited for: who came last, which need not be on the longest path */
  long cause(int need, Exchange.Values values) {
    return isGroup(need) || partitions[need] != null && kinds[need] == ArcKind.MESSAGE
        ? values.latest : values.reference;
  }

  /** Tells that the call ends at this time, if the need is a group. */
  void tellMet(int need, long endNs, TimeOrder order) {
    if (isGroup(need)) {
      order.metGroup(fields[FIELDS * need], fields[FIELDS * need + 1], endNs);
    }
  }

  /** Tells a listener that a thread leaves a collective, if the need is one. */
  void tellLeft(int need, ThreadRecord thread, int path, long beginNs, long endNs,
      WaitListener listener) {
    if (kinds[need] == ArcKind.COLLECTIVE && isGroup(need)) {
      int at = FIELDS * need;
      listener.left(thread, fields[at], fields[at + 1], (int) fields[at + 2], details[need], path,
          beginNs, endNs);
    }
  }

  /** Tells a listener of all arcs by which the need leads to a vertex. */
  void emit(int need, long target, long weightNs, ReplayListener listener) {
    if (places[need] == Place.READY_GROUP && origins[need] == Reference.NONE) {
      return;
    }
    if (isGroup(need)) {
      emitGroup(need, target, weightNs, listener);
    } else if (origins[need] != Reference.NONE) {
      listener.arc(kinds[need], origins[need], target, weightNs);
    }
  }

  private void emitGroup(int need, long target, long weightNs, ReplayListener listener) {
    int at = FIELDS * need;
    if (members[need] == null) {
      listener.groupArcs(kinds[need], fields[at], fields[at + 1], (int) fields[at + 3],
          (int) fields[at + 4], target, weightNs);
      return;
    }
    for (int member : members[need]) {
      listener.groupArcs(kinds[need], fields[at], fields[at + 1], member, member + 1, target, weightNs);
    }
  }
}
