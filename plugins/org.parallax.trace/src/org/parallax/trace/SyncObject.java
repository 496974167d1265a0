package org.parallax.trace;

import java.util.Arrays;

/**
 * What threads synchronize with: a lock, condition, barrier, semaphore, word of memory (futex) or team of a
 * process, a signal to it, or another object of the kernel.
 *
 * @param key 0 for an object of this process alone; else the object is shared by all processes of
 *     the host (for groups of PVM: of the virtual machine) that have one of this kind and key
 */
public record SyncObject(int id, Kind kind, long address, long key) {
  /** What sort of object it is. */
  public enum Kind {
    UNKNOWN(0), MUTEX(1), CONDITION(2), BARRIER(3), READ_WRITE_LOCK(4), SPIN_LOCK(5), SEMAPHORE(6), OPENMP_LOCK(7),
    OPENMP_TASKS(8), SIGNAL(9), FUTEX(10), OPENMP_TASK_ENDS(14), EVENTFD(16), TIMER(17), SYSTEM_V_SEMAPHORE(18),
    MESSAGE_QUEUE(19), QUEUE_ROOM(20), FILE_LOCK(21), EVENT_SOURCE(22);

    private static final Kind[] BY_NUMBER = new Kind[32];

    static {
      Arrays.fill(BY_NUMBER, UNKNOWN);
      for (Kind kind : values()) {
        BY_NUMBER[kind.number] = kind;
      }
    }

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    /** @return the kind that has this number in traces, or UNKNOWN */
    static Kind of(int number) {
      return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : UNKNOWN;
    }

    /** Whether it is acquired and released. */
    public boolean isLock() {
      return this == MUTEX || this == READ_WRITE_LOCK || this == SPIN_LOCK || this == OPENMP_LOCK;
    }

    /** Whether it is signalled and waited for. */
    public boolean isSignalled() {
      return this == CONDITION || this == SEMAPHORE || this == OPENMP_TASKS
          || this == OPENMP_TASK_ENDS || this == SIGNAL || this == FUTEX || isOfKernel();
    }

    /** Whether it is a semaphore, of which tokens are taken. */
    public boolean isSemaphore() {
      return this == SEMAPHORE || this == SYSTEM_V_SEMAPHORE;
    }

    /** Whether the kernel has it under a number of its own: a wait for it whose waker is not known is a wait, too. */
    public boolean isOfKernel() {
      return number >= EVENTFD.number;
    }
  }

  /** Whether other processes can have it too. */
  public boolean isShared() {
    return key != 0;
  }
}
