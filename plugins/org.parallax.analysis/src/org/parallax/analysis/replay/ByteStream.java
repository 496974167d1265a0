package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.analysis.internal.IntQueue;

/**
 * The bytes of one direction of a pipe or connection that are under way: what was given and not
 * taken yet, and when those who took made room. Logarithmic in the pieces under way.
 */
final class ByteStream {
  /** Pieces that nobody takes must not fill the memory. */
  private static final int MOST_PIECES = 1 << 18;
  /** Of how many takers it is remembered when they made room. */
  private static final int ROOMS = 256;
  private static final int ROOM_FIELDS = 4;

  private static final class Piece {
    final long from;
    final long timeNs;
    final long length;
    final long reference;
    /** Bytes that were not taken yet. */
    long left;

    Piece(long from, long to, long timeNs, long length, long reference) {
      this.from = from;
      this.timeNs = timeNs;
      this.length = length;
      this.reference = reference;
      left = to - from;
    }
  }

  private record Waiter(long end, int thread) {}

  private final TreeMap<Long, Piece> byEnd = new TreeMap<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private boolean given;
  private boolean givenUp;
  private long[] rooms;
  private int roomCount;

  void give(long from, long to, long timeNs, long length, long reference, IntQueue woken) {
    if (to <= from) {
      return;
    }
    given = true;
    byEnd.put(to, new Piece(from, to, timeNs, length, reference));
    if (byEnd.size() > MOST_PIECES) {
      byEnd.pollFirstEntry();
    }
    waiters.removeIf(waiter -> {
      boolean there = waiter.end > from && waiter.end <= to;
      if (there) {
        woken.add(waiter.thread);
      }
      return there;
    });
  }

  /** @return true if somebody has given bytes so far */
  boolean isGiven() {
    return given;
  }

  /** Of what is under way, the piece that was given last before a time. */
  boolean latest(long beforeNs, Exchange.Values into) {
    Piece latest = null;
    for (Piece piece : byEnd.values()) {
      if (piece.timeNs <= beforeNs && (latest == null || piece.timeNs > latest.timeNs)) {
        latest = piece;
      }
    }
    if (latest != null) {
      into.timeNs = latest.timeNs;
      into.length = latest.length;
      into.reference = latest.reference;
    }
    return latest != null;
  }

  /** Nobody waits for who gives until somebody does. */
  void giveUp() {
    givenUp = true;
  }

  boolean take(long from, long to, int thread, Exchange.Values into) {
    if (givenUp && !given) {
      return true;
    }
    Map.Entry<Long, Piece> last = byEnd.ceilingEntry(to);
    if (last == null || last.getValue().from >= to) {
      waiters.add(new Waiter(to, thread));
      return false;
    }
    Piece piece = last.getValue();
    into.timeNs = piece.timeNs;
    into.length = piece.length;
    into.reference = piece.reference;
    var pieces = byEnd.tailMap(from, false).entrySet().iterator();
    while (pieces.hasNext()) {
      Map.Entry<Long, Piece> entry = pieces.next();
      Piece each = entry.getValue();
      if (each.from >= to) {
        break;
      }
      each.left -= Math.min(to, entry.getKey()) - Math.max(from, each.from);
      if (each.left <= 0) {
        pieces.remove();
      }
    }
    return true;
  }

  /** The piece that holds the byte at an offset, which stays; else as {@link #take}. */
  boolean see(long offset, int thread, Exchange.Values into) {
    if (givenUp && !given) {
      return true;
    }
    Map.Entry<Long, Piece> entry = byEnd.higherEntry(offset);
    if (entry == null || entry.getValue().from > offset) {
      waiters.add(new Waiter(offset + 1, thread));
      return false;
    }
    Piece piece = entry.getValue();
    into.timeNs = piece.timeNs;
    into.length = piece.length;
    into.reference = piece.reference;
    return true;
  }

  void makeRoom(long from, long timeNs, long length, long reference) {
    if (rooms == null) {
      rooms = new long[ROOM_FIELDS * ROOMS];
    }
    int at = ROOM_FIELDS * (roomCount++ & ROOMS - 1);
    rooms[at] = timeNs;
    rooms[at + 1] = length;
    rooms[at + 2] = reference;
    rooms[at + 3] = from;
  }

  /** Of the takers of bytes before an offset that made room between two times, the last. */
  void room(long offset, long afterNs, long beforeNs, Exchange.Values into) {
    into.reference = Reference.NONE;
    into.timeNs = afterNs;
    for (int i = 0; i < Math.min(roomCount, ROOMS); i++) {
      int at = ROOM_FIELDS * i;
      long timeNs = rooms[at];
      if (timeNs > into.timeNs && timeNs < beforeNs && rooms[at + 3] < offset) {
        into.timeNs = timeNs;
        into.length = rooms[at + 1];
        into.reference = rooms[at + 2];
      }
    }
  }
}
