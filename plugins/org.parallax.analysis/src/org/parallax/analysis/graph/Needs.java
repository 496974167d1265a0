package org.parallax.analysis.graph;

import java.util.Arrays;

/** What a call needs of other threads before it can end. */
final class Needs {
  /** Where the exchange has what is needed. */
  private enum Place { CHANNEL, TAKER, BOARD, GROUP, STREAM, READY_STREAM, READY_BOARD, ROOM }

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

  private int add(ArcKind kind, Place place) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
      consumed = Arrays.copyOf(consumed, 2 * count);
      optional = Arrays.copyOf(optional, 2 * count);
      fields = Arrays.copyOf(fields, 2 * count * FIELDS);
      origins = Arrays.copyOf(origins, 2 * count);
      details = Arrays.copyOf(details, 2 * count);
    }
    kinds[count] = kind;
    places[count] = place;
    origins[count] = Reference.NONE;
    details[count] = 0;
    optional[count] = false;
    return FIELDS * count++;
  }

  /** A message that this call receives. */
  void addMessage(int channel, long ordinal, long bytes) {
    addChannel(ArcKind.MESSAGE, channel, ordinal, true);
    fields[FIELDS * (count - 1) + 2] = bytes;
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
    return places[need] == Place.READY_STREAM || places[need] == Place.READY_BOARD;
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

  void addGroup(ArcKind kind, long key, long sequence, int size, int from, int to) {
    int at = add(kind, Place.GROUP);
    fields[at] = key;
    fields[at + 1] = sequence;
    fields[at + 2] = size;
    fields[at + 3] = from;
    fields[at + 4] = to;
  }

  /**
   * @return true if the need can be given up as soon as all others have been replayed up to its end: who meets it
   *     may not be replayed, and has told so before the wait ended. (The members of a barrier leave it at
   *     different times, which are those of their events.)
   */
  boolean mayBeGivenUpEarly(int need) {
    return optional[need] && !isGroup(need);
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
    return places[need] == Place.GROUP;
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
    return places[need] == Place.STREAM ? fields[at + 2] - fields[at + 1] : fields[at + 2];
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
      case CHANNEL ->
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
      case GROUP -> exchange.result(
          fields[at], fields[at + 1], (int) fields[at + 2], (int) fields[at + 3],
          (int) fields[at + 4], thread, into);
      case READY_STREAM ->
          exchange.seeBytes((int) fields[at], fields[at + 1], thread, into);
      case BOARD, READY_BOARD -> exchange.read(fields[at], fields[at + 1], fields[at + 2], thread, into);
    };
  }

  /** Tells the exchange that the need was met or given up. */
  void finish(int need, Exchange exchange) {
    if (isGroup(need)) {
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
    return isGroup(need) ? values.latest : values.reference;
  }

  /** Tells a listener that a thread leaves a collective, if the need is one. */
  void tellLeft(int need, ThreadRecord thread, int path, long beginNs, long endNs,
      WaitListener listener) {
    if (kinds[need] == ArcKind.COLLECTIVE) {
      int at = FIELDS * need;
      listener.left(thread, fields[at], fields[at + 1], (int) fields[at + 2], details[need], path,
          beginNs, endNs);
    }
  }

  /** Tells a listener of all arcs by which the need leads to a vertex. */
  void emit(int need, long target, long weightNs, ReplayListener listener) {
    if (isGroup(need)) {
      int at = FIELDS * need;
      listener.groupArcs(kinds[need], fields[at], fields[at + 1], (int) fields[at + 3],
          (int) fields[at + 4], target, weightNs);
    } else if (origins[need] != Reference.NONE) {
      listener.arc(kinds[need], origins[need], target, weightNs);
    }
  }
}
