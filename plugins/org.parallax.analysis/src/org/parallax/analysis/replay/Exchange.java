package org.parallax.analysis.replay;

/**
 * Through which the threads under replay give each other the values that interactions carry. Today
 * an exchange is memory ({@link MemoryExchange}); an exchange over MPI would let ranks replay their
 * own files.
 *
 * <p>A <em>channel</em> joins providers to takers one to one by ordinals counted from 0: the k-th
 * message from here to there, the k-th release of a lock. A <em>board</em> holds values that any
 * number of takers may read: a signal, the creation of a thread. A <em>group</em> joins the
 * participants of a collective by its sequence number. A <em>stream</em> joins those who give bytes to
 * those who take them by their offsets. <em>Moments</em> are what somebody may have waited for, by their time.
 *
 * <p>Values travel as (time, length, reference): when the interaction was provided in nanoseconds,
 * the length of the longest path to it, and where it is (see {@link Reference}).
 */
interface Exchange {
  /** The values of an interaction, as {@code take} and {@code result} deliver them. */
  final class Values {
    long timeNs;
    long length;
    long reference;
    /** Of a group: where its latest participant is. */
    long latest;
  }

  /**
   * @return the handle of the channel with this key, made when it is new; valid until all that was
   *     announced on it is delivered
   */
  int channel(long key1, long key2);

  /** Tells of values that were provided or taken before all that follows. Before any other value of the channel. */
  void leaveOut(int channel, long provided, long taken);

  /** @return whether the value was provided, or had its turn to be taken, before all that is told of the channel */
  boolean isLeftOut(int channel, long ordinal);

  /**
   * Announces the next value of the channel, and wakes the thread that waits for it.
   *
   * @param kept true if the provider will ask {@link #ready} later
   * @return its ordinal
   */
  long provide(int channel, boolean kept, long timeNs, long length, long reference);

  /** As {@link #provide} on a channel whose providers know their ordinals, in any order. */
  void provideNumbered(int channel, long ordinal, long timeNs, long length, long reference);

  /** Tells that the taker of a value is ready for it. */
  void setReady(int channel, long ordinal, long timeNs, long length, long reference);

  /**
   * Asks when and where the taker of a value was ready; the reference is {@link Reference#NONE} if
   * it has not been yet. Ends the keeping of the value.
   */
  void ready(int channel, long ordinal, Values into);

  /** @return the ordinal that the next taker of the channel gets; each call takes one */
  long nextOrdinal(int channel);

  /** Takes back one call of {@link #nextOrdinal}: the taker was cancelled. */
  void returnOrdinal(int channel);

  /** @return the ordinal that {@link #nextOrdinal} will return, without taking it */
  long peekOrdinal(int channel);

  /**
   * Asks for a value and, when {@code consume}, removes it.
   *
   * @return false if it is not there yet: the thread is then woken when it is provided
   */
  boolean take(int channel, long ordinal, boolean consume, int thread, Values into);

  /** Gives up a value that nobody needs, whether it was provided yet or not. */
  void skip(int channel, long ordinal);

  /** Puts a value on a board under a number that grows with each value of that board. */
  void post(long key1, long key2, long number, long timeNs, long length, long reference);

  /** @return false if nothing is there yet: the thread is then woken when it is posted */
  boolean read(long key1, long key2, long number, int thread, Values into);

  /**
   * Adds a participant's value to a collective of {@code size} participants.
   *
   * @param rank of the participant, 0 to size - 1, or -1 for the next free one
   */
  void contribute(
      long key1, long key2, int size, int rank, long timeNs, long length, long reference);

  /**
   * Asks for what a participant waited for: the latest time and the greatest length (with its
   * reference; ties go to the later time) over the participants in [from, to).
   *
   * @return false if some of these have not contributed yet: the thread is then woken
   */
  boolean result(long key1, long key2, int size, int from, int to, int thread, Values into);

  /** The same over some participants, which must be below {@code size}. */
  boolean resultOf(long key1, long key2, int size, int[] members, int thread, Values into);

  /**
   * Asks for the participant that was the last to arrive after a time and not after another; the reference is
   * {@link Reference#NONE} if none did, of those that have contributed.
   */
  void lastArrival(long key1, long key2, int size, long afterNs, long beforeNs, Values into);

  /** Tells that a participant needs nothing more of a collective. */
  void leave(long key1, long key2, int size);

  /** Announces bytes [from, to) of a stream, and wakes the threads that wait for them. */
  void give(int stream, long from, long to, long timeNs, long length, long reference);

  /**
   * Takes bytes [from, to) of a stream, and asks for the values of the last of them.
   *
   * @return false if it is not there yet: the thread is then woken when it is
   */
  boolean takeBytes(int stream, long from, long to, int thread, Values into);

  /**
   * Asks for the values of the byte at an offset of a stream, which is not taken.
   *
   * @return false if it is not there yet: the thread is then woken when it is
   */
  boolean seeBytes(int stream, long offset, int thread, Values into);

  /** @return true if bytes of a stream have been given so far */
  boolean isGiven(int stream);

  /**
   * Asks for bytes that were given before a time and not taken, whichever they are: threads that
   * write into one stream at the same time can be taken for each other.
   *
   * @return false if there are none
   */
  boolean otherBytes(int stream, long beforeNs, Values into);

  /** As long as nobody gives bytes of a stream, takers go on without: who would is not replayed. */
  void giveUpBytes(int stream);

  /**
   * Tells that a taker of bytes from an offset found them there when it began, and so made room at
   * this time.
   */
  void makeRoom(int stream, long from, long timeNs, long length, long reference);

  /**
   * Asks when room was made last between two times, by who took bytes before an offset; the
   * reference is {@link Reference#NONE} if it was not, as far as it is known.
   */
  void room(int stream, long offset, long afterNs, long beforeNs, Values into);

  /**
   * Tells of a moment of some kind, which none takes. The exchange remembers the latest ones of each key.
   *
   * @param number what {@link Moments.Choice} chooses by, with the time since which it held
   */
  void tellMoment(long key1, long key2, int number, long sinceNs, long timeNs, long length,
      long reference);

  /**
   * Asks for the last moment between two times that is wanted; the reference is {@link Reference#NONE}
   * if there is none, as far as it is known.
   */
  void lastMoment(long key1, long key2, Moments.Choice choice, long afterNs, long beforeNs, Values into);

  /** Asks for a moment between two times, as {@link Moments#afterPause} has it. */
  void momentAfterPause(
      long key1, long key2, Moments.Choice choice, long afterNs, long beforeNs, Values into);

  /** @return one start of a partitioned message, made when it is new; until both sides have left it */
  Partitions partitions(Partitions.Key key);

  /** @return a thread that can go on since the last call, or -1 */
  int nextWoken();
}
