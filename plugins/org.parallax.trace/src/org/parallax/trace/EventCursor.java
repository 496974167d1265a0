package org.parallax.trace;

import java.nio.MappedByteBuffer;

/**
 * Moves over the events of a thread, in both directions, directly on mapped memory. A new cursor
 * stands before the first event. Nothing is allocated while moving.
 *
 * <p>A cursor belongs to one user at a time. The accessors of the event ({@link #kind},
 * {@link #operand}, ...) may be called only while the cursor stands on one, which is when the last
 * move returned true. Blocks that are damaged are skipped; {@link Trace#warnings} tells of them.
 * Whatever a file holds, moves end and do not throw, nor do accessors on an event.
 */
public final class EventCursor {
  private static final int TIME_BITS = 37;
  private static final long TIME_MASK = (1L << TIME_BITS) - 1;
  private static final int OPERAND_MASK = 0xFFFFF;
  private static final int KIND_SHIFT = 57;
  private static final int POSITION_SHIFT = EventFile.BLOCK_SHIFT - 3;
  static final int BLOCK_POSITIONS = 1 << POSITION_SHIFT;

  private final EventFile file;
  private final int blockCount;
  private final long multiplier;
  private final int shift;
  private final long offsetNs;
  private final long referenceTicks;
  /** Null where the CPU clock is shown as it was recorded. */
  private final CoarseCpuClock coarse;
  /** Null where times are those that the ticks of the machine's clock give. */
  private final TimeMap corrections;
  private int correction = -1;

  /** From -1, before the first block, to blockCount, after the last. */
  private int block = -1;
  private MappedByteBuffer buffer;
  /** Byte offsets in {@link #buffer}: of the block, its first slot, this event, the block's end. */
  private int blockStart;
  private int first;
  private int at;
  private int end;
  private long slot;
  private long baseDelta;

  /**
   * @param corrections of the times by the clock, or null
   * @param cpuTickNs to a multiple of which the CPU clock is rounded down; 0 to leave it as it is
   */
  EventCursor(EventFile file, MachineClock clock, TimeMap corrections, long cpuTickNs) {
    this.corrections = corrections;
    this.file = file;
    this.blockCount = file == null ? 0 : file.blockCount();
    this.multiplier = clock.multiplier();
    this.shift = clock.shift();
    this.offsetNs = clock.offsetNs();
    this.referenceTicks = clock.referenceTicks();
    coarse = cpuTickNs > 0 ? new CoarseCpuClock(new EventCursor(file, clock, null, 0), cpuTickNs) : null;
    rewind();
  }

  static int kindOf(long slot) {
    return (int) (slot >>> KIND_SHIFT);
  }

  static boolean isEscaped(long slot) {
    return ((int) (slot >>> TIME_BITS) & OPERAND_MASK) == OPERAND_MASK;
  }

  /** Moves before the first event. */
  public void rewind() {
    block = -1;
    clearBlock();
  }

  /** Moves after the last event. */
  public void end() {
    block = blockCount;
    clearBlock();
    at = 0;
  }

  private void clearBlock() {
    at = -8;
    blockStart = 0;
    first = 0;
    end = 0;
    slot = 0;
  }

  /**
   * Moves to the next event.
   *
   * @return false, standing after the last event, when there is none
   */
  public boolean next() {
    int i = at + 8;
    int limit = end;
    MappedByteBuffer memory = buffer;
    while (i < limit) {
      long value = memory.getLong(i);
      if (value > 0) {
        at = i;
        slot = value;
        return true;
      }
      i += 8;
    }
    return nextInLaterBlock();
  }

  private boolean nextInLaterBlock() {
    while (block < blockCount - 1) {
      if (enter(block + 1) && firstFrom(first)) {
        return true;
      }
    }
    end();
    return false;
  }

  /** Moves to the first event of this block from the byte offset on. */
  private boolean firstFrom(int from) {
    for (int i = from; i < end; i += 8) {
      long value = buffer.getLong(i);
      if (value > 0) {
        at = i;
        slot = value;
        return true;
      }
    }
    return false;
  }

  /**
   * Moves to the event before.
   *
   * @return false, standing before the first event, when there is none
   */
  public boolean previous() {
    if (lastFrom(at - 8)) {
      return true;
    }
    while (block > 0) {
      if (enter(block - 1) && lastFrom(end - 8)) {
        return true;
      }
    }
    rewind();
    return false;
  }

  /** Moves to the last event of this block down from the byte offset. */
  private boolean lastFrom(int from) {
    for (int i = from; i >= first && i < end; i -= 8) {
      long value = buffer.getLong(i);
      if (value > 0) {
        at = i;
        slot = value;
        return true;
      }
    }
    return false;
  }

  /** Makes a block the current one, without an event; false when it has no slots to read. */
  private boolean enter(int newBlock) {
    block = newBlock;
    int used = file.usedSlots(newBlock);
    buffer = file.segment(newBlock);
    blockStart = file.offset(newBlock);
    first = blockStart + EventFile.HEADER_BYTES;
    end = first + (used << 3);
    at = first - 8;
    slot = 0;
    baseDelta = buffer.getLong(blockStart + EventFile.AT_BASE_TICKS) - referenceTicks;
    return used > 0;
  }

  /**
   * Moves to the event at a position that {@link #position} returned, or, for any other number, to
   * the event that holds this slot, or else to the nearest one after it.
   *
   * @return false, standing after the last event, when there is none at or after the position
   */
  public boolean seek(long position) {
    if (position < 0) {
      rewind();
      return next();
    }
    long target = position >>> POSITION_SHIFT;
    if (target >= blockCount) {
      end();
      return false;
    }
    if (enter((int) target)) {
      int wanted = blockStart + ((int) (position & ((1 << POSITION_SHIFT) - 1)) << 3);
      if (lastFrom(Math.min(wanted, end - 8)) && wanted < end) {
        return true;
      }
      if (wanted < end) {
        return next();
      }
    }
    at = end - 8;
    return next();
  }

  /**
   * Moves to the first event that is not before a time. Costs the logarithm of the file's length.
   *
   * @return false, standing after the last event, when all events are before it
   */
  public boolean seekTime(long ns) {
    int low = 0;
    int high = blockCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int readable = middle;
      while (readable < high && !file.hasHeader(readable)) {
        readable++;
      }
      if (readable == high || toNs(file.baseTicks(readable) - referenceTicks) >= ns) {
        high = middle;
      } else {
        low = readable + 1;
      }
    }
    // The block at `low` is the first whose base is not before the time; that before may reach it.
    if (low == 0) {
      rewind();
      return next();
    }
    if (enter(low - 1)) {
      seekTimeInBlock(ns);
    }
    return next();
  }

  /** Stands right before the first event of the block that is not before the time. */
  private void seekTimeInBlock(long ns) {
    int low = first;
    int high = end;
    while (low < high) {
      int middle = ((low + high) >>> 1) & ~7;
      int event = middle;
      while (event > low && buffer.getLong(event) <= 0) {
        event -= 8;
      }
      long value = buffer.getLong(event);
      if (value > 0 && toNs(baseDelta + (value & TIME_MASK)) >= ns) {
        high = event;
      } else {
        low = middle + 8;
      }
    }
    at = low - 8;
  }

  private long toNs(long deltaTicks) {
    long ns = Math.multiplyHigh(deltaTicks << shift, multiplier) + offsetNs;
    return corrections == null ? ns : corrected(ns);
  }

  private long corrected(long ns) {
    correction = corrections.piece(ns, correction);
    return corrections.at(ns, correction);
  }

  /**
   * Where the cursor stands: increases from event to event. Of use for {@link #seek} in any cursor
   * of the same thread, and for comparison.
   *
   * @return -1 before the first event; a number above all events' after the last
   */
  public long position() {
    if (block < 0) {
      return -1;
    }
    return ((long) block << POSITION_SHIFT) + ((at - blockStart) >> 3);
  }

  static long position(int block, int slot) {
    return ((long) block << POSITION_SHIFT) + slot;
  }

  static int block(long position) {
    return (int) (position >>> POSITION_SHIFT);
  }

  /** The place of an event's slot in its block. */
  static int slot(long position) {
    return (int) position & (1 << POSITION_SHIFT) - 1;
  }

  /** One of the constants of {@link Kind}, or a higher number of a later writer. */
  public int kind() {
    return (int) (slot >>> KIND_SHIFT);
  }

  /** The operand, also where it is kept in a payload slot; 0 where the kind has none. */
  public int operand() {
    int operand = (int) (slot >>> TIME_BITS) & OPERAND_MASK;
    return operand == OPERAND_MASK ? (int) rawPayload(0) : operand;
  }

  /** The number of payload slots, that of the operand not counted. */
  public int payloadCount() {
    int i = at + 8;
    while (i < end && buffer.getLong(i) < 0) {
      i += 8;
    }
    int count = ((i - at) >> 3) - 1;
    return isEscaped(slot) ? Math.max(0, count - 1) : count;
  }

  /**
   * The value of a payload slot, 63 bits.
   *
   * @param index from 0; the slot of an operand is not counted
   * @return 0 when the event lacks it, as far as that shows (see {@link #payloadCount})
   */
  public long payload(int index) {
    return rawPayload(isEscaped(slot) ? index + 1 : index);
  }

  private long rawPayload(int index) {
    int i = at + 8 + (index << 3);
    if (i >= end) {
      return 0;
    }
    long value = buffer.getLong(i);
    return value < 0 ? value & Long.MAX_VALUE : 0;
  }

  /** Nanoseconds since the start of the trace. Does not decrease within a thread. */
  public long timeNs() {
    return toNs(baseDelta + (slot & TIME_MASK));
  }

  /**
   * Wall time less CPU time between the event before and this one. Where the CPU clock is rounded
   * ({@link Manifest#cpuTickNs}) it can be below 0.
   */
  public long lostNs() {
    return coarse != null ? coarse.lostNs(position()) : kind() == Kind.CPU ? payload(1) : 0;
  }

  /** Whether {@link #lostNs} is what was recorded, and so never below 0. */
  public boolean isCpuClockExact() {
    return coarse == null;
  }

  /** Ticks of the machine's clock. */
  public long ticks() {
    return baseDelta + referenceTicks + (slot & TIME_MASK);
  }

  /** The ordinal of the block in which the event stands. */
  public int block() {
    return block;
  }

  /** The time of the base of the event's block. */
  public long blockBaseNs() {
    return toNs(baseDelta);
  }

  /** CPU time of the thread at the base of the event's block. */
  public long blockCpuNs() {
    return file.cpuNs(block);
  }

  /** Call path of the innermost Enter that is open at the base of the event's block, 0 for none. */
  public int blockOpenPath() {
    return file.openPath(block);
  }

  /** Events that were lost between the block before and the event's block. */
  public long blockLost() {
    return file.lost(block);
  }
}
