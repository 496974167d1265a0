package org.parallax.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A thread's event file, mapped: the blocks of a snapshot taken when it was opened.
 *
 * <p>A block is checked when it is first used, checksum included, and skipped from then on when it
 * is damaged. What a check found is kept in a short for each block; two threads may check the same
 * block at once and come to the same result.
 */
final class EventFile {
  static final int BLOCK_BYTES = 65536;
  static final int BLOCK_SHIFT = 16;
  static final int HEADER_BYTES = 64;
  static final int BLOCK_SLOTS = (BLOCK_BYTES - HEADER_BYTES) / 8;
  static final int MAGIC = 0x424B4C50;
  static final int CLOSED = 1;
  /** Blocks of one mapping, as a power of two: 1 GiB, because a buffer holds less than 2 GiB. */
  static final int DEFAULT_SEGMENT_SHIFT = 14;

  static final int AT_VERSION = 4;
  static final int AT_FLAGS = 6;
  static final int AT_THREAD = 8;
  static final int AT_USED = 12;
  static final int AT_BASE_TICKS = 16;
  static final int AT_NUMBER = 24;
  static final int AT_MONOTONIC_NS = 32;
  static final int AT_CPU_NS = 40;
  static final int AT_LOST = 48;
  static final int AT_OPEN_PATH = 52;
  static final int AT_CRC = 60;

  private static final short UNCHECKED = 0;
  private static final short DAMAGED = -1;

  private final Path path;
  private final int thread;
  private final long sizeBytes;
  private final int segmentShift;
  private final MappedByteBuffer[] segments;
  private final int blockCount;
  /** Of each block: used slots + 1, or one of the constants. */
  private final short[] checked;
  private final DamageSink damage;

  private EventFile(Path path, int thread, long sizeBytes, int segmentShift,
      MappedByteBuffer[] segments, DamageSink damage) {
    this.path = path;
    this.thread = thread;
    this.sizeBytes = sizeBytes;
    this.segmentShift = segmentShift;
    this.segments = segments;
    this.damage = damage;
    this.blockCount = countBegunBlocks();
    this.checked = new short[blockCount];
    if (blockCount > 0 && !isClosed(blockCount - 1)) {
      // A live thread goes on writing here: what is there now is the snapshot.
      usedSlots(blockCount - 1);
    }
  }

  /**
   * Maps the file.
   *
   * @param segmentShift blocks of a mapping, as a power of two
   * @param damage told of each damaged block
   */
  static EventFile open(Path path, int thread, int segmentShift, DamageSink damage)
      throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      long segmentBytes = (long) BLOCK_BYTES << segmentShift;
      int count = Math.toIntExact((size + segmentBytes - 1) / segmentBytes);
      MappedByteBuffer[] segments = new MappedByteBuffer[count];
      for (int i = 0; i < count; i++) {
        long start = i * segmentBytes;
        segments[i] = channel.map(FileChannel.MapMode.READ_ONLY, start,
            Math.min(segmentBytes, size - start));
        segments[i].order(ByteOrder.LITTLE_ENDIAN);
      }
      return new EventFile(path, thread, size, segmentShift, segments, damage);
    }
  }

  /** Blocks that were reserved and never begun have magic 0 and stand at the end. */
  private int countBegunBlocks() {
    int low = 0;
    int high = reservedEnd();
    if (high > 0 && available(high - 1) < HEADER_BYTES) {
      report(high - 1, "the file ends within the header of this block", "this block");
      high--;
    }
    if (high == 0 || magic(high - 1) != 0) {
      return high;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (magic(middle) == 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private int magic(int block) {
    return segment(block).getInt(offset(block));
  }

  Path path() {
    return path;
  }

  int thread() {
    return thread;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  int blockCount() {
    return blockCount;
  }

  /** The number of blocks with those that were reserved and never begun. */
  int reservedEnd() {
    return Math.toIntExact((sizeBytes + BLOCK_BYTES - 1) >>> BLOCK_SHIFT);
  }

  MappedByteBuffer segment(int block) {
    return segments[block >>> segmentShift];
  }

  /** Where the block begins in its segment. */
  int offset(int block) {
    return (block & ((1 << segmentShift) - 1)) << BLOCK_SHIFT;
  }

  /** Bytes of the block that the file has. */
  int available(int block) {
    return (int) Math.min(BLOCK_BYTES, sizeBytes - ((long) block << BLOCK_SHIFT));
  }

  boolean isClosed(int block) {
    return (segment(block).getShort(offset(block) + AT_FLAGS) & CLOSED) != 0;
  }

  long baseTicks(int block) {
    return segment(block).getLong(offset(block) + AT_BASE_TICKS);
  }

  long monotonicNs(int block) {
    return segment(block).getLong(offset(block) + AT_MONOTONIC_NS);
  }

  long cpuNs(int block) {
    return segment(block).getLong(offset(block) + AT_CPU_NS);
  }

  long lost(int block) {
    return segment(block).getInt(offset(block) + AT_LOST) & 0xffffffffL;
  }

  int openPath(int block) {
    return segment(block).getInt(offset(block) + AT_OPEN_PATH);
  }

  /** Whether the header is plausible without looking at the slots: cheap. */
  boolean hasHeader(int block) {
    return checked[block] > UNCHECKED
        || checked[block] == UNCHECKED && headerProblem(block) == null;
  }

  /**
   * The slots in use.
   *
   * @return 0 also for a damaged block, which is reported
   */
  int usedSlots(int block) {
    short state = checked[block];
    if (state == UNCHECKED) {
      state = check(block);
      checked[block] = state;
    }
    return state == DAMAGED ? 0 : state - 1;
  }

  private void report(int block, String fact, String loss) {
    damage.damage(path, block, (long) block << BLOCK_SHIFT, fact, loss);
  }

  /** Whether no event of the block can be used. */
  boolean isDamaged(int block) {
    usedSlots(block);
    return checked[block] == DAMAGED;
  }

  private short check(int block) {
    String problem = headerProblem(block);
    if (problem != null) {
      report(block, problem, "the events of this block");
      return DAMAGED;
    }
    int slotsInFile = (available(block) - HEADER_BYTES) / 8;
    if (!isClosed(block)) {
      return (short) (scanUsed(block, slotsInFile) + 1);
    }
    int used = segment(block).getInt(offset(block) + AT_USED);
    if (used > slotsInFile) {
      report(block, "the file ends after " + slotsInFile + " of the " + used
          + " slots of this block", "the events after them");
      return (short) (scanUsed(block, slotsInFile) + 1);
    }
    int crc = segment(block).getInt(offset(block) + AT_CRC);
    int computed = checksum(block, used);
    if (crc != computed) {
      report(block, String.format("the checksum is %08x, computed %08x", crc, computed),
          "the events of this block");
      return DAMAGED;
    }
    return (short) (used + 1);
  }

  /** What is wrong with the header, or null. */
  String headerProblem(int block) {
    ByteBuffer buffer = segment(block);
    int at = offset(block);
    if (buffer.getInt(at) != MAGIC) {
      return String.format("magic is %08x, expected %08x", buffer.getInt(at), MAGIC);
    }
    int version = buffer.getShort(at + AT_VERSION) & 0xffff;
    if (version != Manifest.VERSION) {
      return "version is " + version + ", expected " + Manifest.VERSION;
    }
    if (buffer.getInt(at + AT_THREAD) != thread) {
      return "thread is " + Integer.toUnsignedString(buffer.getInt(at + AT_THREAD)) + ", expected "
          + thread;
    }
    if (buffer.getLong(at + AT_NUMBER) != block) {
      return "block number is " + Long.toUnsignedString(buffer.getLong(at + AT_NUMBER))
          + ", expected " + block;
    }
    int used = buffer.getInt(at + AT_USED);
    if (isClosed(block) && (used < 0 || used > BLOCK_SLOTS)) {
      return "used slots are " + Integer.toUnsignedString(used) + ", at most " + BLOCK_SLOTS;
    }
    return null;
  }

  /** Up to the first zero slot, less a last event whose payload was still being written. */
  private int scanUsed(int block, int slotsInFile) {
    ByteBuffer buffer = segment(block);
    int first = offset(block) + HEADER_BYTES;
    int used = 0;
    int lastEvent = -1;
    for (; used < slotsInFile; used++) {
      long slot = buffer.getLong(first + (used << 3));
      if (slot == 0) {
        break;
      }
      if (slot > 0) {
        lastEvent = used;
      }
    }
    if (lastEvent >= 0) {
      long slot = buffer.getLong(first + (lastEvent << 3));
      int needed = Kind.minimumPayload(EventCursor.kindOf(slot))
          + (EventCursor.isEscaped(slot) ? 1 : 0);
      if (used - lastEvent - 1 < needed) {
        return lastEvent;
      }
    }
    return used;
  }

  /** CRC-32C of the header with a zero checksum field, and the used slots. */
  int checksum(int block, int used) {
    CRC32C crc = new CRC32C();
    ByteBuffer bytes = segment(block).duplicate();
    int at = offset(block);
    crc.update(bytes.limit(at + AT_CRC).position(at));
    crc.update(new byte[HEADER_BYTES - AT_CRC]);
    crc.update(bytes.limit(at + HEADER_BYTES + used * 8).position(at + HEADER_BYTES));
    return (int) crc.getValue();
  }
}
