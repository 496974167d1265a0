package org.parallax.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The events of a thread, mapped: the blocks of a snapshot taken when they were opened. The first one
 * may be a small one in the definitions file; the others are those of the thread's event file.
 *
 * <p>Blocks at the begin of the file whose space was given back ({@link KeptState}) do not count: others in memory stand
 * for them.
 *
 * <p>A block is checked when it is first used, checksum included, and skipped from then on when it
 * is damaged or missing: zeros stand in its place. What a check found is kept in a short for each block;
 * two threads may check the same block at once and come to the same result.
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

  private static final Pattern ASYNC = Pattern.compile("async:([0-9]{1,9})([KkMm]?)");
  private static final int MOST_AT_ONCE = 1024;

  /** Since the last write of a file of which a block can be half there. */
  private static final int BEING_WRITTEN_MS = 10_000;
  private static final int LONGEST_WAIT_MS = 64;

  private static final short UNCHECKED = 0;
  private static final short DAMAGED = -1;
  private static final short MISSING = -2;

  /** A block outside of the event file. */
  record FirstBlock(Path path, MappedByteBuffer memory, int offset, Definitions.FirstBlock place) {
  }

  /** Of the event file; null where there is none. */
  private final Path path;
  private final int thread;
  /** The blocks that are not in the file. */
  private final List<FirstBlock> before;
  /** The number of the first block in the file. */
  private final int firstInFile;
  /** Blocks at the begin of the file that are not kept, and the number by which the next one calls itself. */
  private final int skipped;
  private final long firstNumber;
  private final KeptState kept;
  /** Of the event file. */
  private final long sizeBytes;
  private final int segmentShift;
  /** How many blocks the process has written at once, if their order is not that of their headers; else 0. */
  private final int blocksAtOnce;
  private final MappedByteBuffer[] segments;
  private final int blockCount;
  /** Of each block: used slots + 1, or one of the constants. */
  private final short[] checked;
  private final DamageSink damage;

  /** Which blocks there are: those in memory, then those of the file from its first kept one on. */
  private record Blocks(List<FirstBlock> before, int skipped, long firstNumber, KeptState kept) {
    static Blocks all(FirstBlock first) {
      return first == null ? new Blocks(List.of(), 0, 0, null) : new Blocks(List.of(first), 0, 1, null);
    }
  }

  private EventFile(Path path, int thread, Blocks blocks, long sizeBytes, int segmentShift, int blocksAtOnce,
      MappedByteBuffer[] segments, DamageSink damage) {
    this.path = path;
    this.thread = thread;
    this.before = blocks.before;
    this.firstInFile = before.size();
    this.skipped = blocks.skipped;
    this.firstNumber = blocks.firstNumber;
    this.kept = blocks.kept;
    this.sizeBytes = sizeBytes;
    this.segmentShift = segmentShift;
    this.blocksAtOnce = blocksAtOnce;
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
   * Maps the event file of a thread that has no other blocks.
   *
   * @param segmentShift blocks of a mapping, as a power of two
   * @param damage told of each damaged block
   */
  static EventFile open(Path path, int thread, int segmentShift, DamageSink damage)
      throws IOException {
    return open(path, thread, null, segmentShift, 0, damage);
  }

  /**
   * Maps the events of all threads of a process.
   *
   * @param files the event files by thread
   * @return by thread
   */
  static Map<Integer, EventFile> openAll(Definitions definitions, Map<Integer, Path> files,
      int segmentShift, DamageSink damage) throws IOException {
    Map<Integer, EventFile> opened = new TreeMap<>();
    FirstBlocks blocks = new FirstBlocks(definitions.file);
    int atOnce = blocksAtOnce(definitions.settings.getOrDefault("transport", ""));
    for (Map.Entry<Integer, Definitions.FirstBlock> entry : definitions.firstBlocks.entrySet()) {
      int thread = entry.getKey();
      EventFile file = open(files.get(thread), thread, blocks.at(entry.getValue()), segmentShift,
          atOnce, damage);
      if (!file.hasFile() && file.lacksRest()) {
        // The thread of a live trace may have made its file since the directory was read.
        Path late = definitions.file.resolveSibling(TraceDirectory.stem(definitions.file) + "." + thread
            + TraceDirectory.EVENTS_SUFFIX);
        if (Files.exists(late)) {
          file = open(late, thread, blocks.at(entry.getValue()), segmentShift, atOnce, damage);
        }
      }
      opened.put(thread, file);
    }
    for (Map.Entry<Integer, Path> entry : files.entrySet()) {
      if (!opened.containsKey(entry.getKey())) {
        opened.put(entry.getKey(), open(entry.getValue(), entry.getKey(), null, segmentShift, atOnce, damage));
      }
    }
    return opened;
  }

  /** Maps parts of a definitions file, each once. */
  private static final class FirstBlocks {
    private static final int PART_SHIFT = 30;

    private final Path file;
    private final Map<Long, MappedByteBuffer> parts = new HashMap<>();

    FirstBlocks(Path file) {
      this.file = file;
    }

    FirstBlock at(Definitions.FirstBlock place) throws IOException {
      long part = place.byteOffset() >>> PART_SHIFT;
      MappedByteBuffer memory = parts.get(part);
      if (memory == null) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          long start = part << PART_SHIFT;
          memory = channel.map(FileChannel.MapMode.READ_ONLY, start,
              Math.min((1L << PART_SHIFT) + BLOCK_BYTES, channel.size() - start));
          memory.order(ByteOrder.LITTLE_ENDIAN);
          parts.put(part, memory);
        }
      }
      return new FirstBlock(file, memory, (int) (place.byteOffset() - (part << PART_SHIFT)), place);
    }
  }

  /** As the transport async:SIZE does, with a SIZE in bytes, K or M. */
  private static int blocksAtOnce(String transport) {
    Matcher async = ASYNC.matcher(transport);
    if (!async.matches()) {
      return 0;
    }
    long bytes = Long.parseLong(async.group(1)) << switch (async.group(2)) {
      case "K", "k" -> 10;
      case "M", "m" -> 20;
      default -> 0;
    };
    return (int) Math.min(MOST_AT_ONCE, (bytes + BLOCK_BYTES - 1) >> BLOCK_SHIFT);
  }

  private static EventFile open(Path path, int thread, FirstBlock first, int segmentShift, int atOnce,
      DamageSink damage) throws IOException {
    if (path == null) {
      return new EventFile(null, thread, Blocks.all(first), 0, segmentShift, atOnce, new MappedByteBuffer[0], damage);
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      Blocks blocks = keptBlocks(channel, path, thread, first);
      long begin = (long) blocks.skipped << BLOCK_SHIFT;
      long segmentBytes = (long) BLOCK_BYTES << segmentShift;
      int count = Math.toIntExact((size - begin + segmentBytes - 1) / segmentBytes);
      MappedByteBuffer[] segments = new MappedByteBuffer[count];
      for (int i = 0; i < count; i++) {
        long start = begin + i * segmentBytes;
        segments[i] = channel.map(FileChannel.MapMode.READ_ONLY, start,
            Math.min(segmentBytes, size - start));
        segments[i].order(ByteOrder.LITTLE_ENDIAN);
      }
      return new EventFile(path, thread, blocks, size, segmentShift, atOnce, segments, damage);
    }
  }

  private static Blocks keptBlocks(FileChannel file, Path path, int thread, FirstBlock first) throws IOException {
    int skipped = KeptBlocks.skipped(file);
    KeptState state = skipped == 0 ? null : KeptBlocks.state(file, skipped);
    if (skipped == 0) {
      return Blocks.all(first);
    }
    long firstNumber = skipped + (first == null ? 0 : 1);
    if (state == null) {
      return new Blocks(List.of(), skipped, firstNumber, null);
    }
    long keptOffset = (long) skipped << BLOCK_SHIFT;
    ByteBuffer begin = first == null ? KeptBlocks.read(file, 0, HEADER_BYTES)
        : first.memory().slice(first.offset(), HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new Blocks(KeptBlocks.make(path, thread, state, begin, KeptBlocks.read(file, keptOffset, HEADER_BYTES),
        keptOffset), skipped, firstNumber, state);
  }

  /** What the thread did before its first event in the file, or null if all its events are there. */
  KeptState kept() {
    return kept;
  }

  /** Behind the last block stand those that were reserved and never begun: blocks of zeros. */
  private int countBegunBlocks() {
    int end = reservedEnd();
    if (end > firstInFile && available(end - 1) < HEADER_BYTES) {
      report(end - 1, "the file ends within the header of this block", "this block");
      end--;
    }
    while (end > firstInFile && magic(end - 1) == 0) {
      end--;
    }
    // Of blocks that are written at once, the header of the first comes last.
    for (int block = end - 1; block >= Math.max(firstInFile, end - blocksAtOnce); block--) {
      if (wasBeingWritten(block)) {
        return block;
      }
    }
    return end;
  }

  private int magic(int block) {
    return segment(block).getInt(offset(block));
  }

  /** The event file, or, without one, the file of the first block. */
  Path path() {
    return path == null ? before.get(0).path() : path;
  }

  /** The file of a block. */
  Path path(int block) {
    return block < firstInFile ? before.get(block).path() : path();
  }

  /** Where a block begins in its file. */
  long byteOffset(int block) {
    return block < firstInFile ? before.get(block).place().byteOffset()
        : (long) (block - firstInFile + skipped) << BLOCK_SHIFT;
  }

  int thread() {
    return thread;
  }

  /** The bytes of all blocks. */
  long sizeBytes() {
    return sizeBytes - ((long) skipped << BLOCK_SHIFT)
        + before.stream().mapToLong(each -> each.place().sizeBytes()).sum();
  }

  int blockCount() {
    return blockCount;
  }

  /** The number of blocks with those that were reserved and never begun. */
  int reservedEnd() {
    return firstInFile - skipped + Math.toIntExact((sizeBytes + BLOCK_BYTES - 1) >>> BLOCK_SHIFT);
  }

  MappedByteBuffer segment(int block) {
    return block < firstInFile ? before.get(block).memory() : segments[block - firstInFile >>> segmentShift];
  }

  /** Where the block begins in its segment. */
  int offset(int block) {
    return block < firstInFile ? before.get(block).offset()
        : (block - firstInFile & ((1 << segmentShift) - 1)) << BLOCK_SHIFT;
  }

  /** Bytes of the block that the file has. */
  int available(int block) {
    return block < firstInFile ? before.get(block).place().sizeBytes() : (int) Math.min(BLOCK_BYTES, sizeBytes - byteOffset(block));
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
        || checked[block] == UNCHECKED && magic(block) != 0 && headerProblem(block) == null;
  }

  /**
   * The slots in use.
   *
   * @return 0 also for a missing block, and for a damaged one, which is reported
   */
  int usedSlots(int block) {
    short state = checked[block];
    if (state == UNCHECKED) {
      state = check(block);
      checked[block] = state;
    }
    return state < UNCHECKED ? 0 : state - 1;
  }

  /** Whether there is an event file besides the block in the definitions file. */
  boolean hasFile() {
    return path != null;
  }

  /**
   * Whether the thread went on after its last block: a thread closes a block where the next begins, or
   * after its ThreadEnd. False if the end of the last block is damaged. Reads its header and last slots.
   */
  boolean lacksRest() {
    int last = blockCount - 1;
    if (last < 0 || !isClosed(last) || headerProblem(last) != null) {
      return false;
    }
    int slot = segment(last).getInt(offset(last) + AT_USED) - 1;
    if (slot >= (available(last) - HEADER_BYTES) / 8) {
      return false;
    }
    int at = offset(last) + HEADER_BYTES;
    while (slot >= 0 && segment(last).getLong(at + (slot << 3)) < 0) {  // payload
      slot--;
    }
    return slot < 0 || EventCursor.kindOf(segment(last).getLong(at + (slot << 3))) != Kind.THREAD_END;
  }

  private void report(int block, String fact, String loss) {
    damage.damage(path(block), block, byteOffset(block), fact, loss);
  }

  /** Whether zeros stand in the place of the block: it could not be written, or is not written yet. */
  boolean isMissing(int block) {
    return checked[block] == MISSING || checked[block] == UNCHECKED && magic(block) == 0;
  }

  /** Whether some of the block is there without its header, which is written last. */
  boolean wasBeingWritten(int block) {
    return available(block) >= HEADER_BYTES + 8 && magic(block) == 0
        && segment(block).getLong(offset(block) + HEADER_BYTES) != 0;
  }

  /** Whether no event of the block can be used, although it is there. */
  boolean isDamaged(int block) {
    usedSlots(block);
    return checked[block] == DAMAGED;
  }

  /**
   * Whether the block is closed, sound, and all its slots count. A live thread can have closed it after the slots that count were
   * found; then the later ones do not.
   */
  boolean isWhole(int block) {
    int used = usedSlots(block);
    return checked[block] > UNCHECKED && isClosed(block) && used == segment(block).getInt(offset(block) + AT_USED);
  }

  private short check(int block) {
    if (block >= firstInFile && magic(block) == 0) {
      return MISSING;
    }
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
    if (crc != computed && becomesSound(block, used)) {
      return (short) (used + 1);
    }
    if (crc != computed) {
      int before = slotsBeforeZero(block, used);
      if (before < used) {
        report(block, "the checksum is wrong, and slot " + before + " of the " + used + " slots of this block is empty",
            "the events after it");
        return (short) (scanUsed(block, before) + 1);
      }
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
    long number = block < firstInFile ? block : block - firstInFile + firstNumber;
    if (buffer.getLong(at + AT_NUMBER) != number) {
      return "block number is " + Long.toUnsignedString(buffer.getLong(at + AT_NUMBER))
          + ", expected " + number;
    }
    int used = buffer.getInt(at + AT_USED);
    if (isClosed(block) && (used < 0 || used > BLOCK_SLOTS)) {
      return "used slots are " + Integer.toUnsignedString(used) + ", at most " + BLOCK_SLOTS;
    }
    return null;
  }

  /** A writer puts closed blocks with their headers into the file: readers of a running program can see one that is half there. */
  private boolean becomesSound(int block, int used) {
    try {
      long ageMs = System.currentTimeMillis() - Files.getLastModifiedTime(path(block)).toMillis();
      int ms = 1;
      for (; ms <= LONGEST_WAIT_MS && slotsBeforeZero(block, used) < used && Math.abs(ageMs) < BEING_WRITTEN_MS; ms *= 2) {
        Thread.sleep(ms);
      }
      return segment(block).getInt(offset(block) + AT_CRC) == checksum(block, used);
    } catch (IOException e) {
      return false;  // the file is gone, and its block stays as it is
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Less than {@code used} for a block that is being written, or whose writer or machine ended meanwhile. */
  private int slotsBeforeZero(int block, int used) {
    int first = offset(block) + HEADER_BYTES;
    int slot = 0;
    while (slot < used && segment(block).getLong(first + (slot << 3)) != 0) {
      slot++;
    }
    return slot;
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
    return checksum(segment(block), offset(block), used);
  }

  /** The same of the block at a place of a buffer. */
  static int checksum(ByteBuffer buffer, int at, int used) {
    CRC32C crc = new CRC32C();
    ByteBuffer bytes = buffer.duplicate();
    crc.update(bytes.limit(at + AT_CRC).position(at));
    crc.update(new byte[HEADER_BYTES - AT_CRC]);
    crc.update(bytes.limit(at + HEADER_BYTES + used * 8).position(at + HEADER_BYTES));
    return (int) crc.getValue();
  }
}
