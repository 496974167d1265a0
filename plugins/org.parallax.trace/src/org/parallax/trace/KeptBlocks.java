package org.parallax.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.parallax.trace.EventFile.FirstBlock;

/**
 * Makes the blocks that stand for those of an event file whose space was given back: the time from the begin of the
 * thread is a pause, after which the calls that were open begin.
 *
 * <pre>
 *   begin of the thread      open call began        first kept event
 *   | Enter [not recorded]   | Leave, Enter ...     | Cpu, then the kept blocks
 * </pre>
 */
final class KeptBlocks {
  /** More than the agent writes. */
  private static final int MOST_ITEMS = 1 << 18;
  private static final int AT_KEPT_FROM = EventFile.AT_CRC - 4;
  private static final long NOT_KNOWN = 1L << 62;
  private static final int TIME_BITS = 37;
  private static final int OPERAND_BITS = 20;
  private static final int ESCAPE = (1 << OPERAND_BITS) - 1;

  private final int thread;
  private final List<ByteBuffer> blocks = new ArrayList<>();
  private ByteBuffer block;

  private KeptBlocks(int thread) {
    this.thread = thread;
  }

  /** @return the number of blocks at the begin of the file that are not kept; 0 where all are */
  static int skipped(FileChannel file) throws IOException {
    ByteBuffer header = read(file, 0, EventFile.HEADER_BYTES);
    if (header.limit() < EventFile.HEADER_BYTES || header.getInt(0) != EventFile.MAGIC) {
      return 0;
    }
    int from = header.getInt(AT_KEPT_FROM);
    return from > 0 && (long) from << EventFile.BLOCK_SHIFT < file.size() ? from : 0;
  }

  static ByteBuffer read(FileChannel file, long offset, int sizeBytes) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining() && file.read(bytes, offset + bytes.position()) > 0) {
      continue;
    }
    return bytes.flip();
  }

  /** @return the state at the begin of the kept blocks, or null if it cannot be read */
  static KeptState state(FileChannel file, int skipped) throws IOException {
    KeptState state = null;
    for (long at = (long) skipped << EventFile.BLOCK_SHIFT; at < file.size(); at += EventFile.BLOCK_BYTES) {
      ByteBuffer bytes = read(file, at, EventFile.BLOCK_BYTES);
      if (bytes.limit() < EventFile.HEADER_BYTES || bytes.getInt(0) != EventFile.MAGIC) {
        return state;
      }
      int i = EventFile.HEADER_BYTES;
      for (; i + 8 <= bytes.limit() && bytes.getLong(i) != 0; ) {
        long slot = bytes.getLong(i);
        int kind = slot < 0 ? Kind.NONE : EventCursor.kindOf(slot);
        List<Long> values = new ArrayList<>();
        for (i += 8; i + 8 <= bytes.limit() && bytes.getLong(i) < 0; i += 8) {
          values.add(bytes.getLong(i) & Long.MAX_VALUE);
        }
        int operand = (int) (slot >>> TIME_BITS) & ESCAPE;
        if (operand == ESCAPE && !values.isEmpty()) {
          operand = (int) (long) values.remove(0);
        }
        if (kind == Kind.KEPT_STATE && state == null) {
          long ticks = bytes.getLong(EventFile.AT_BASE_TICKS) + (slot & (1L << TIME_BITS) - 1);
          state = new KeptState(ticks, operand);
        } else if (kind == Kind.KEPT && state != null && !values.isEmpty() && state.items().size() < MOST_ITEMS) {
          state.add(KeptState.What.of(values.get(0)), operand, values.subList(1, values.size()));
        } else if (kind != Kind.CPU || state != null) {
          return state;
        }
      }
      if (i + 8 <= bytes.limit()) {
        return state;  // the block goes on
      }
    }
    return state;
  }

  /**
   * @param begin the first block of the thread, whose header is left
   * @param kept the first block that is kept
   * @param keptOffset where it is in the file
   */
  static List<FirstBlock> make(Path path, int thread, KeptState state, ByteBuffer begin, ByteBuffer kept,
      long keptOffset) {
    KeptBlocks made = new KeptBlocks(thread);
    made.make(state, new Moment(begin), new Moment(kept));
    return made.mapped(path, keptOffset);
  }

  /** The clocks at the base of a block. */
  private record Moment(long ticks, long monotonicNs, long cpuNs) {
    Moment(ByteBuffer header) {
      this(header.getLong(EventFile.AT_BASE_TICKS), header.getLong(EventFile.AT_MONOTONIC_NS),
          header.getLong(EventFile.AT_CPU_NS));
    }

    /** @return the time that was lost since another moment */
    long lostNs(Moment since) {
      return Math.max(0, monotonicNs - since.monotonicNs - (cpuNs - since.cpuNs));
    }
  }

  private void make(KeptState state, Moment begin, Moment kept) {
    begin(begin, 0);
    event(Kind.ENTER, state.pausePath());
    Moment resumed = kept;
    List<KeptState.Item> calls = state.items().stream().filter(item -> item.what() == KeptState.What.CALL).toList();
    if (!calls.isEmpty()) {
      KeptState.Item innermost = calls.get(calls.size() - 1);
      long ticks = Math.min(kept.ticks, Math.max(begin.ticks, innermost.value(0)));
      double tickNs = kept.ticks > begin.ticks
          ? (double) (kept.monotonicNs - begin.monotonicNs) / (kept.ticks - begin.ticks) : 0;
      long sinceNs = (long) ((kept.ticks - ticks) * tickNs);
      long cpuNs = innermost.value(1) + (long) ((ticks - innermost.value(2)) * tickNs);
      resumed = new Moment(ticks, kept.monotonicNs - sinceNs, Math.min(kept.cpuNs, Math.max(begin.cpuNs, cpuNs)));
    }
    begin(resumed, state.pausePath());
    event(Kind.CPU, 0, resumed.cpuNs, resumed.lostNs(begin), NOT_KNOWN);
    event(Kind.LEAVE, state.pausePath());
    for (KeptState.Item item : state.items()) {
      if (item.what() == KeptState.What.PHASE) {
        event(Kind.PHASE_BEGIN, item.operand());
      }
    }
    calls.forEach(call -> event(Kind.ENTER, call.operand()));
    if (resumed != kept) {
      begin(kept, calls.get(calls.size() - 1).operand());
      event(Kind.CPU, 0, kept.cpuNs, kept.lostNs(resumed), NOT_KNOWN);
    }
  }

  private void begin(Moment moment, int openPath) {
    block = ByteBuffer.allocate(EventFile.BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    block.putInt(0, EventFile.MAGIC);
    block.putShort(EventFile.AT_VERSION, (short) Manifest.VERSION);
    block.putShort(EventFile.AT_FLAGS, (short) EventFile.CLOSED);
    block.putInt(EventFile.AT_THREAD, thread);
    block.putLong(EventFile.AT_BASE_TICKS, moment.ticks);
    block.putLong(EventFile.AT_NUMBER, blocks.size());
    block.putLong(EventFile.AT_MONOTONIC_NS, moment.monotonicNs);
    block.putLong(EventFile.AT_CPU_NS, moment.cpuNs);
    block.putInt(EventFile.AT_OPEN_PATH, openPath);
    block.position(EventFile.HEADER_BYTES);
    blocks.add(block);
  }

  /** Appends an event at the base of the block, if there is room. */
  private void event(int kind, int operand, long... payload) {
    boolean isEscaped = operand < 0 || operand >= ESCAPE;
    if (block.remaining() < 8 * (payload.length + 2)) {
      return;
    }
    block.putLong((long) kind << TIME_BITS + OPERAND_BITS | (isEscaped ? ESCAPE : (long) operand) << TIME_BITS);
    if (isEscaped) {
      block.putLong(Long.MIN_VALUE | operand & 0xffffffffL);
    }
    for (long value : payload) {
      block.putLong(Long.MIN_VALUE | value);
    }
  }

  private List<FirstBlock> mapped(Path path, long keptOffset) {
    List<FirstBlock> made = new ArrayList<>();
    for (ByteBuffer each : blocks) {
      each.putInt(EventFile.AT_USED, (each.position() - EventFile.HEADER_BYTES) / 8);
      MappedByteBuffer memory = (MappedByteBuffer) ByteBuffer.allocateDirect(each.position());
      memory.order(ByteOrder.LITTLE_ENDIAN);
      each.putInt(EventFile.AT_CRC, EventFile.checksum(each, 0, (each.position() - EventFile.HEADER_BYTES) / 8));
      memory.put(0, each, 0, each.position());
      made.add(new FirstBlock(path, memory, 0, new Definitions.FirstBlock(keptOffset, each.position())));
    }
    return made;
  }
}
