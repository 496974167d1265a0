package org.parallax.record.profiles;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** The events of a thread in blocks, as {@code native/format/FORMAT.md} specifies them; CPU time is wall time. */
final class EventsFile implements AutoCloseable {
  private static final int BLOCK_BYTES = 65536;
  private static final int HEADER_BYTES = 64;
  private static final int MAGIC = 0x424B4C50;
  private static final int ESCAPE = 0xFFFFF;
  private static final int TIME_BITS = 37;
  private static final int KIND_SHIFT = 57;
  private static final int AT_FLAGS = 6;
  private static final int AT_USED = 12;
  private static final int AT_CRC = 60;

  private final FileChannel channel;
  private final int thread;
  /** A tick is 2^shift nanoseconds. */
  private final int tickShift;
  private final long startNs;
  private final ByteBuffer block;
  private boolean isOpen;
  private long blockNumber;
  private long baseTicks;

  /**
   * @param block made by {@link #block}; used by no other file meanwhile
   * @param startNs what the clock shows at time 0
   */
  EventsFile(Path path, ByteBuffer block, int thread, int tickShift, long startNs) throws IOException {
    this.block = block;
    channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    this.thread = thread;
    this.tickShift = tickShift;
    this.startNs = startNs;
  }

  /** @return room for the events of a block */
  static ByteBuffer block() {
    return ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** @param ns since time 0, not before that of the last event */
  void event(int kind, int operand, long ns, long... payload) throws IOException {
    boolean isEscaped = operand >= ESCAPE;
    int bytes = 8 * (1 + (isEscaped ? 1 : 0) + payload.length);
    long ticks = startNs + ns >> tickShift;
    if (isOpen && (block.remaining() < bytes || ticks - baseTicks >= 1L << TIME_BITS)) {
      endBlock();
    }
    if (!isOpen) {
      beginBlock(ns, ticks);
    }
    block.putLong((long) kind << KIND_SHIFT | (long) (isEscaped ? ESCAPE : operand) << TIME_BITS | ticks - baseTicks);
    if (isEscaped) {
      block.putLong(operand | Long.MIN_VALUE);
    }
    for (long value : payload) {
      block.putLong(value | Long.MIN_VALUE);
    }
  }

  private void beginBlock(long ns, long ticks) {
    isOpen = true;
    baseTicks = ticks;
    block.clear().putInt(MAGIC).putShort((short) 1).putShort((short) 0).putInt(thread).putInt(0).putLong(ticks)
        .putLong(blockNumber).putLong(ticks << tickShift).putLong(ns).putInt(0).putInt(0).putInt(0).putInt(0);
  }

  private void endBlock() throws IOException {
    int end = block.position();
    block.putShort(AT_FLAGS, (short) 1).putInt(AT_USED, (end - HEADER_BYTES) / 8);
    CRC32C crc = new CRC32C();
    crc.update(block.duplicate().flip());
    block.putInt(AT_CRC, (int) crc.getValue()).flip();
    long at = blockNumber * BLOCK_BYTES;
    while (block.hasRemaining()) {
      at += channel.write(block, at);
    }
    blockNumber++;
    isOpen = false;
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      if (isOpen) {
        endBlock();
      }
    }
  }
}
