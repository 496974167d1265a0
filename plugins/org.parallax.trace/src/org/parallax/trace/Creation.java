package org.parallax.trace;

/** How a process was created; the number in {@link Kind#PROCESS_CREATE} is the ordinal. */
public enum Creation {
  FORK, VFORK, SPAWN, PVM_SPAWN, MPI_SPAWN;

  private static final Creation[] VALUES = values();

  /**
   * The way of creation with this number.
   *
   * @return null when a later writer has defined it
   */
  public static Creation of(long number) {
    return number >= 0 && number < VALUES.length ? VALUES[(int) number] : null;
  }

  /** Whether the id that comes with it is a pid on the creator's host. */
  public boolean hasPid() {
    return ordinal() <= SPAWN.ordinal();
  }
}
