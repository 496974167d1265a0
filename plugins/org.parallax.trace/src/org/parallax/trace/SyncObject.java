package org.parallax.trace;

/** A mutex, condition or barrier of a process. */
public record SyncObject(int id, Kind kind, long address) {
  /** What sort of object it is. */
  public enum Kind {
    UNKNOWN, MUTEX, CONDITION, BARRIER;

    private static final Kind[] VALUES = values();

    static Kind of(int number) {
      return number >= 0 && number < VALUES.length ? VALUES[number] : UNKNOWN;
    }
  }
}
