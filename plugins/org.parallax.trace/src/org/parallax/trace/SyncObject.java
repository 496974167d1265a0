package org.parallax.trace;

/**
 * What threads synchronize with: a lock, condition, barrier, semaphore, word of memory (futex) or team of a
 * process, or a signal to it.
 *
 * @param key 0 for an object of this process alone; else the object is shared by all processes of
 *     the host (for groups of PVM: of the virtual machine) that have one of this kind and key
 */
public record SyncObject(int id, Kind kind, long address, long key) {
  /** What sort of object it is. */
  public enum Kind {
    UNKNOWN, MUTEX, CONDITION, BARRIER, READ_WRITE_LOCK, SPIN_LOCK, SEMAPHORE, OPENMP_LOCK,
    OPENMP_TASKS, SIGNAL, FUTEX;

    private static final Kind[] VALUES = values();

    static Kind of(int number) {
      return number >= 0 && number < VALUES.length ? VALUES[number] : UNKNOWN;
    }

    /** Whether it is acquired and released. */
    public boolean isLock() {
      return this == MUTEX || this == READ_WRITE_LOCK || this == SPIN_LOCK || this == OPENMP_LOCK;
    }

    /** Whether it is signalled and waited for. */
    public boolean isSignalled() {
      return this == CONDITION || this == SEMAPHORE || this == OPENMP_TASKS
          || this == SIGNAL || this == FUTEX;
    }
  }

  /** Whether other processes can have it too. */
  public boolean isShared() {
    return key != 0;
  }
}
