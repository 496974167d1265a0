package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.IntQueue;
import org.parallax.analysis.internal.KeyMap;

/**
 * An exchange in memory. It holds what is under way, not what has been delivered: its size follows
 * the messages in flight between threads that are replayed at about the same time, not the length
 * of the trace. Every call takes constant expected time, but for results of a part of a group.
 */
class MemoryExchange implements Exchange {
  /** Values that a board keeps; a taker that is further behind finds nothing. */
  private static final int BOARD_VALUES = 1 << 20;
  /** Values that all boards together keep before they grow no further. */
  private static final int ALL_BOARD_VALUES = 1 << 22;
  /** Channels in the map at which idle ones are first looked for. */
  private static final int FIRST_SWEEP = 1 << 14;
  /** Collectives of a communicator that are held, and the participants of all these. */
  private static final int QUEUE_GROUPS = 1 << 16;
  private static final int QUEUE_PARTICIPANTS = 1 << 22;

  /** Starts of partitioned messages that are held: those whose other side is missing must not fill the memory. */
  private static final int PARTITIONED_STARTS = 1 << 18;

  private final IntQueue woken = new IntQueue();
  private KeyMap channelIds = new KeyMap();
  private final List<Channel> channels = new ArrayList<>();
  private final IntQueue freeChannels = new IntQueue();
  private int sweepAt = FIRST_SWEEP;
  private final Map<Key, Board> boards = new HashMap<>();
  private int boardValues;
  private final KeyMap groupIds = new KeyMap();
  private final List<GroupQueue> groups = new ArrayList<>();
  private final List<ByteStream> streams = new ArrayList<>();
  private final Map<Key, Moments> moments = new HashMap<>();

  private final Map<Partitions.Key, Partitions> partitions = new HashMap<>();

  private record Key(long key1, long key2) {}

  /**
   * Where a ring of collectives, whose length is a power of two, keeps one. Sequence numbers that follow each other
   * have different places, but for those on both sides of a multiple of 2^20 that are far apart. Those that differ by
   * a multiple of 2^20 only have different places, too: the last barriers of OpenMP regions.
   */
  private static int place(long sequence, int length) {
    return (int) (sequence + (sequence >>> 20) * 0x9E3B) & length - 1;
  }

  // ------------------------------------------------------------------ channels

  @Override
  public int channel(long key1, long key2) {
    int id = channelIds.get(key1, key2);
    return id >= 0 ? id : addChannel(key1, key2);
  }

  private int addChannel(long key1, long key2) {
    if (channelIds.size() >= sweepAt) {
      sweep();
    }
    int id = freeChannels.poll();
    if (id < 0) {
      id = channels.size();
      channels.add(new Channel());
    }
    channels.get(id).open(key1, key2);
    channelIds.add(key1, key2, id);
    return id;
  }

  /** Forgets channels on which nothing is under way: programs may use each tag once. */
  private void sweep() {
    KeyMap kept = new KeyMap();
    for (int id = 0; id < channels.size(); id++) {
      Channel channel = channels.get(id);
      if (channel.idle()) {
        channel.close();
        freeChannels.add(id);
      } else if (channel.isOpen()) {
        kept.add(channel.key1, channel.key2, id);
      }
    }
    channelIds = kept;
    sweepAt = Math.max(FIRST_SWEEP, 2 * kept.size());
  }

  @Override
  public void leaveOut(int channel, long provided, long taken) {
    channels.get(channel).leaveOut(provided, taken);
  }

  @Override
  public boolean isLeftOut(int channel, long ordinal) {
    return channels.get(channel).isLeftOut(ordinal);
  }

  @Override
  public long provide(int channel, boolean kept, long timeNs, long length, long reference) {
    Channel to = channels.get(channel);
    long ordinal = to.nextProvided();
    wake(to.provide(ordinal, kept, timeNs, length, reference));
    return ordinal;
  }

  @Override
  public void provideNumbered(
      int channel, long ordinal, long timeNs, long length, long reference) {
    Channel to = channels.get(channel);
    to.setNumbered();
    wake(to.provide(ordinal, false, timeNs, length, reference));
  }

  @Override
  public void setReady(int channel, long ordinal, long timeNs, long length, long reference) {
    channels.get(channel).setReady(ordinal, timeNs, length, reference);
  }

  @Override
  public void ready(int channel, long ordinal, Values into) {
    channels.get(channel).ready(ordinal, into);
  }

  private void wake(int waiter) {
    if (waiter >= 0) {
      woken.add(waiter);
    }
  }

  @Override
  public long nextOrdinal(int channel) {
    return channels.get(channel).takers++;
  }

  @Override
  public void returnOrdinal(int channel) {
    channels.get(channel).takers--;
  }

  @Override
  public long peekOrdinal(int channel) {
    return channels.get(channel).takers;
  }

  @Override
  public boolean take(int channel, long ordinal, boolean consume, int thread, Values into) {
    return channels.get(channel).take(ordinal, consume, thread, into);
  }

  @Override
  public void skip(int channel, long ordinal) {
    channels.get(channel).skip(ordinal);
  }

  // -------------------------------------------------------------------- boards

  @Override
  public void post(
      long key1, long key2, long number, long timeNs, long length, long reference) {
    boards.computeIfAbsent(new Key(key1, key2), k -> new Board())
        .post(number, timeNs, length, reference);
  }

  @Override
  public boolean read(long key1, long key2, long number, int thread, Values into) {
    return boards.computeIfAbsent(new Key(key1, key2), k -> new Board())
        .read(number, thread, into);
  }

  /** The latest values by number, in a ring that starts small. */
  private final class Board {
    private long[] cells = new long[3];
    private long[] numbers = {-1};
    private final List<long[]> waiters = new ArrayList<>();

    void post(long number, long timeNs, long length, long reference) {
      while (numbers[slot(number)] >= 0 && numbers[slot(number)] != number
          && canGrow()) {
        boardValues += numbers.length;
        grow();
      }
      int slot = slot(number);
      numbers[slot] = number;
      cells[3 * slot] = timeNs;
      cells[3 * slot + 1] = length;
      cells[3 * slot + 2] = reference;
      waiters.removeIf(waiter -> {
        if (waiter[0] == number) {
          woken.add((int) waiter[1]);
        }
        return waiter[0] == number;
      });
    }

    private boolean canGrow() {
      return numbers.length < BOARD_VALUES && boardValues < ALL_BOARD_VALUES;
    }

    private int slot(long number) {
      return (int) number & numbers.length - 1;
    }

    private void grow() {
      long[] oldNumbers = numbers;
      long[] oldCells = cells;
      numbers = new long[2 * oldNumbers.length];
      Arrays.fill(numbers, -1);
      cells = new long[2 * oldCells.length];
      for (int i = 0; i < oldNumbers.length; i++) {
        if (oldNumbers[i] >= 0) {
          int slot = slot(oldNumbers[i]);
          numbers[slot] = oldNumbers[i];
          System.arraycopy(oldCells, 3 * i, cells, 3 * slot, 3);
        }
      }
    }

    boolean read(long number, int thread, Values into) {
      int slot = slot(number);
      // Later ones can come first. While a board grows, none is replaced.
      if (numbers[slot] < number || numbers[slot] > number && canGrow()) {
        waiters.add(new long[] {number, thread});
        return false;
      }
      boolean kept = numbers[slot] == number;
      into.timeNs = kept ? cells[3 * slot] : 0;
      into.length = kept ? cells[3 * slot + 1] : 0;
      into.reference = kept ? cells[3 * slot + 2] : Reference.NONE;
      return true;
    }
  }

  // -------------------------------------------------------------------- groups

  @Override
  public void contribute(
      long key1, long key2, int size, int rank, long timeNs, long length, long reference) {
    Group group = queue(key1).at(key2, size);
    if (group != null) {
      group.contribute(rank, timeNs, length, reference, woken);
    }
  }

  @Override
  public boolean result(long key1, long key2, int size, int from, int to, int thread, Values into) {
    Group group = queue(key1).at(key2, size);
    return group == null || group.result(from, to, thread, into);
  }

  @Override
  public boolean resultOf(long key1, long key2, int size, int[] members, int thread, Values into) {
    Group group = queue(key1).at(key2, size);
    return group == null || group.resultOf(members, thread, into);
  }

  @Override
  public void lastArrival(long key1, long key2, int size, long afterNs, long beforeNs, Values into) {
    into.reference = Reference.NONE;
    Group group = queue(key1).at(key2, size);
    if (group != null) {
      group.lastArrival(afterNs, beforeNs, into);
    }
  }

  @Override
  public void leave(long key1, long key2, int size) {
    Group group = queue(key1).at(key2, size);
    if (group != null) {
      group.leave();
    }
  }

  private GroupQueue queue(long key1) {
    int id = groupIds.get(key1, 0);
    if (id < 0) {
      id = groups.size();
      groups.add(new GroupQueue());
      groupIds.add(key1, 0, id);
    }
    return groups.get(id);
  }

  /** The collectives of one communicator that are under way, in a ring by sequence number. */
  private final class GroupQueue {
    private Group[] ring = new Group[4];

    /** @return the group, or null if it was given up: one that is never left must not hold all */
    Group at(long sequence, int size) {
      int slot = place(sequence, ring.length);
      Group group = ring[slot];
      while (group != null && group.sequence() != sequence && group.isUnderWay()) {
        if (ring.length >= QUEUE_GROUPS || (long) ring.length * size >= QUEUE_PARTICIPANTS) {
          if (group.sequence() > sequence) {
            return null;
          }
          break;
        }
        grow();
        slot = place(sequence, ring.length);
        group = ring[slot];
      }
      if (group == null || group.size() != size) {
        group = new Group(size);
        ring[slot] = group;
      }
      if (group.sequence() != sequence) {
        group.begin(sequence);
      }
      return group;
    }

    private void grow() {
      Group[] old = ring;
      ring = new Group[2 * old.length];
      for (Group group : old) {
        if (group != null && group.isUnderWay()) {
          ring[place(group.sequence(), ring.length)] = group;
        }
      }
    }
  }

  // ------------------------------------------------------------------- streams

  private ByteStream stream(int stream) {
    while (streams.size() <= stream) {
      streams.add(new ByteStream());
    }
    return streams.get(stream);
  }

  @Override
  public void give(int stream, long from, long to, long timeNs, long length, long reference) {
    stream(stream).give(from, to, timeNs, length, reference, woken);
  }

  @Override
  public boolean takeBytes(int stream, long from, long to, int thread, Values into) {
    return stream(stream).take(from, to, thread, into);
  }

  @Override
  public boolean seeBytes(int stream, long offset, int thread, Values into) {
    return stream(stream).see(offset, thread, into);
  }

  @Override
  public boolean isGiven(int stream) {
    return stream(stream).isGiven();
  }

  @Override
  public boolean otherBytes(int stream, long beforeNs, Values into) {
    return stream(stream).latest(beforeNs, into);
  }

  @Override
  public void giveUpBytes(int stream) {
    stream(stream).giveUp();
  }

  @Override
  public void makeRoom(int stream, long from, long timeNs, long length, long reference) {
    stream(stream).makeRoom(from, timeNs, length, reference);
  }

  @Override
  public void room(int stream, long offset, long afterNs, long beforeNs, Values into) {
    stream(stream).room(offset, afterNs, beforeNs, into);
  }

  // ------------------------------------------------------------------- moments

  private Moments moments(long key1, long key2) {
    return moments.computeIfAbsent(new Key(key1, key2), k -> new Moments());
  }

  @Override
  public void tellMoment(long key1, long key2, int number, long sinceNs, long timeNs, long length,
      long reference) {
    moments(key1, key2).add(timeNs, length, reference, number, sinceNs);
  }

  @Override
  public void lastMoment(long key1, long key2, Moments.Choice choice, long afterNs, long beforeNs,
      Values into) {
    moments(key1, key2).last(afterNs, beforeNs, choice, into);
  }

  @Override
  public void momentAfterPause(long key1, long key2, Moments.Choice choice, long afterNs,
      long beforeNs, Values into) {
    moments(key1, key2).afterPause(afterNs, beforeNs, choice, into);
  }

  @Override
  public Partitions partitions(Partitions.Key key) {
    if (partitions.size() >= PARTITIONED_STARTS && !partitions.containsKey(key)) {
      partitions.clear();
    }
    return partitions.computeIfAbsent(key, k -> new Partitions(k, partitions, woken));
  }

  @Override
  public int nextWoken() {
    return woken.poll();
  }
}
