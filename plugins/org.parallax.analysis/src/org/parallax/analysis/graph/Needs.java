package org.parallax.analysis.graph;

import java.util.Arrays;

/** What a call needs of other threads before it can end. */
final class Needs {
  private static final int FIELDS = 5;

  int count;
  /** True if one of the needs is the receiver of a message that this call sent. */
  boolean hasRendezvous;
  private ArcKind[] kinds = new ArcKind[4];
  private boolean[] consumed = new boolean[4];
  private long[] fields = new long[4 * FIELDS];
  private long[] origins = new long[4];

  private int add(ArcKind kind) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      consumed = Arrays.copyOf(consumed, 2 * count);
      fields = Arrays.copyOf(fields, 2 * count * FIELDS);
      origins = Arrays.copyOf(origins, 2 * count);
    }
    kinds[count] = kind;
    origins[count] = Reference.NONE;
    return FIELDS * count++;
  }

  void addMessage(int channel, long ordinal, boolean consume) {
    int at = add(ArcKind.MESSAGE);
    fields[at] = channel;
    fields[at + 1] = ordinal;
    consumed[count - 1] = consume;
  }

  /** The receiver of a message that this call sent, if it was late. */
  void addRendezvous(int channel, long ordinal) {
    hasRendezvous = true;
    int at = add(ArcKind.RENDEZVOUS);
    fields[at] = channel;
    fields[at + 1] = ordinal;
  }

  void addLock(int channel, long ordinal) {
    int at = add(ArcKind.LOCK);
    fields[at] = channel;
    fields[at + 1] = ordinal;
    consumed[count - 1] = true;
  }

  void addBoard(ArcKind kind, long key1, long key2, long number) {
    int at = add(kind);
    fields[at] = key1;
    fields[at + 1] = key2;
    fields[at + 2] = number;
  }

  void addGroup(ArcKind kind, long key, long sequence, int size, int from, int to) {
    int at = add(kind);
    fields[at] = key;
    fields[at + 1] = sequence;
    fields[at + 2] = size;
    fields[at + 3] = from;
    fields[at + 4] = to;
  }

  void clear() {
    count = 0;
    hasRendezvous = false;
  }

  ArcKind kind(int need) {
    return kinds[need];
  }

  private static boolean isGroup(ArcKind kind) {
    return kind == ArcKind.COLLECTIVE || kind == ArcKind.BARRIER;
  }

  /** @return true if the need is of a collective in which this participant waits for nobody */
  boolean isEmptyGroup(int need) {
    return isGroup(kinds[need]) && fields[FIELDS * need + 3] == fields[FIELDS * need + 4];
  }

  /** @return false if it is not there yet: the exchange will wake the thread */
  boolean ask(int need, Exchange exchange, int thread, Exchange.Values into) {
    int at = FIELDS * need;
    into.reference = Reference.NONE;
    return switch (kinds[need]) {
      case MESSAGE, LOCK ->
          exchange.take((int) fields[at], fields[at + 1], consumed[need], thread, into);
      case RENDEZVOUS -> {
        exchange.ready((int) fields[at], fields[at + 1], into);
        yield true;
      }
      case COLLECTIVE, BARRIER -> exchange.result(
          fields[at], fields[at + 1], (int) fields[at + 2], (int) fields[at + 3],
          (int) fields[at + 4], thread, into);
      default -> exchange.read(fields[at], fields[at + 1], fields[at + 2], thread, into);
    };
  }

  /** Tells the exchange that the need was met or given up. */
  void finish(int need, Exchange exchange) {
    if (isGroup(kinds[need])) {
      int at = FIELDS * need;
      exchange.leave(fields[at], fields[at + 1], (int) fields[at + 2]);
    }
  }

  /** Remembers where the need was met, for {@link #emit}. */
  void setOrigin(int need, long reference) {
    origins[need] = reference;
  }

  /** Tells a listener of all arcs by which the need leads to a vertex. */
  void emit(int need, long target, long weightNs, ReplayListener listener) {
    if (isGroup(kinds[need])) {
      int at = FIELDS * need;
      listener.groupArcs(kinds[need], fields[at], fields[at + 1], (int) fields[at + 3],
          (int) fields[at + 4], target, weightNs);
    } else if (origins[need] != Reference.NONE) {
      listener.arc(kinds[need], origins[need], target, weightNs);
    }
  }
}
