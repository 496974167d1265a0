package org.parallax.trace;

/**
 * One direction of a pipe or of a connection, as one process knows it. Streams of equal keys are
 * the same.
 *
 * @param keyHigh with {@code keyLow} the key; both 0 when it matches nothing
 * @param name for display: the descriptor, path or addresses
 * @param isTrusted false where bytes went past the agent: the key then matches nothing, in no process
 */
public record Stream(int id, Kind kind, long keyHigh, long keyLow, String name,
    boolean isTrusted) {
  /** What sort of stream it is. */
  public enum Kind {
    UNKNOWN, PIPE, UNIX_STREAM, TCP, UNIX_PACKET, UDP;

    private static final Kind[] VALUES = values();

    static Kind of(int number) {
      return number >= 0 && number < VALUES.length ? VALUES[number] : UNKNOWN;
    }
  }

  Stream withTrust(boolean trusted) {
    return new Stream(id, kind, keyHigh, keyLow, name, trusted);
  }

  /** Whether the other end can be found by its key. */
  public boolean hasKey() {
    return keyHigh != 0 || keyLow != 0;
  }
}
