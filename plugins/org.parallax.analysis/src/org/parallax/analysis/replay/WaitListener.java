package org.parallax.analysis.replay;

/**
 * Is told of every wait that the replay finds, of each thread in the order of its time. Causes are
 * given as {@link Reference} packs them.
 */
public interface WaitListener {
  /** Added to the detail of a collective that was posted before the call that completes it. */
  int POSTED = 1 << 16;
  /** Added to the detail of a collective that a thread leaves in which it did not need all others. */
  int SOME = 1 << 17;
  /** The detail of a message: partitions of it were late, after its sender had started. */
  int PARTITION = 1;

  /**
   * A call ends in which a thread waited.
   *
   * @param kind of the partner that was there last
   * @param detail of collectives: the operation, and perhaps {@link #POSTED}; else the number, in
   *     the process, of the lock, condition, semaphore, barrier or stream; of WINDOW as {@link WindowWait}
   *     has it; of MESSAGE perhaps {@link #PARTITION}; 0 where there is none
   * @param path call path of the call; 0 outside of calls
   * @param beginNs from when the thread waited
   * @param untilNs when the last partner was there; after {@code beginNs}
   * @param cause what the last partner did then
   */
  void waited(ThreadRecord thread, ArcKind kind, int detail, int path, long beginNs, long untilNs,
      long cause);

  /**
   * A call ends in which a thread waited, and which no recorded thread has ended.
   *
   * @param state one that {@link WaitState#isLone}
   */
  default void waitedAlone(ThreadRecord thread, WaitState state, int path, long beginNs, long endNs) {
    // Of use where all waits are shown.
  }

  /**
   * A thread begins.
   *
   * @param createdNs when it was created
   * @param cause what created it
   */
  void began(ThreadRecord thread, long createdNs, long cause);

  /**
   * A thread has received a message, or bytes of a stream, whether it waited for it or not.
   *
   * @param kind MESSAGE or STREAM
   * @param from who sent it, the last of it
   */
  void received(ThreadRecord thread, ArcKind kind, long bytes, long sentNs, long receivedNs,
      long from);

  /**
   * An operation of one-sided communication moves bytes from the process of one thread to that of another.
   *
   * @param from index in the replay of the thread that they go from
   * @param to and to
   * @param origin who called the operation, one of the two
   */
  default void transferred(ThreadRecord origin, int from, int to, long bytes, long timeNs) {
    // Of use where bytes are counted.
  }

  /**
   * A thread leaves a collective of so many; told before it is told that it waited in it.
   *
   * @param detail the operation, and perhaps {@link #POSTED} and {@link #SOME}
   * @param beginNs when nobody was waited for any more
   */
  void left(ThreadRecord thread, long key, long sequence, int size, int detail, int path,
      long beginNs, long endNs);
}
