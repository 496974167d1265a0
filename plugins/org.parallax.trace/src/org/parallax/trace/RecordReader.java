package org.parallax.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Walks over the records of a definitions file. A damaged record is reported and skipped; where the
 * size of a record is damaged, the rest of the file cannot be read.
 */
final class RecordReader {
  static final long MAGIC = 0x0053_4645_444B_4C50L;  // "PLKDEFS\0"
  static final int BYTE_ORDER_MARK = 0x01020304;
  static final int FILE_HEADER_BYTES = 16;
  static final int RECORD_HEADER_BYTES = 8;
  /** What could not be recorded: its numbers grow while the process runs, so it has no checksum. */
  static final int LOSSES = 19;
  /** Space for a record that was never needed, or the rest of a part of the file. */
  private static final int RESERVED = 20;
  private static final int CHUNK_BYTES = 1 << 20;

  /** What can be wrong with a file of records. */
  enum Fault {
    /** The file's header. */
    HEADER,
    /** A size that is none: the rest of the file is lost. */
    SIZE,
    /** The last record, which goes beyond the end of the file. */
    TRUNCATED,
    /** Bytes at the end that are too few for a record. */
    REST,
    /** The checksum of a record. */
    CHECK
  }

  /** Receives what the file holds. */
  interface Visitor {
    /** A sound record. The body is little-endian, from its position to its limit. */
    void record(int type, ByteBuffer body, long byteOffset);

    /** A record that was being written when the process ended. */
    default void pending(long byteOffset) {
    }

    /** Something is damaged: what was found, what was expected, and what is lost thereby. */
    void problem(long byteOffset, Fault fault, String fact, String loss);
  }

  private final FileChannel channel;
  private final long sizeBytes;
  private final Visitor visitor;
  private final CRC32C crc = new CRC32C();
  private ByteBuffer window = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long windowStart;

  private RecordReader(FileChannel channel, Visitor visitor) throws IOException {
    this.channel = channel;
    this.sizeBytes = channel.size();
    this.visitor = visitor;
    window.limit(0);
  }

  /** Reads all records of the file. */
  static void read(Path file, Visitor visitor) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      RecordReader reader = new RecordReader(channel, visitor);
      if (reader.readFileHeader()) {
        reader.readRecords();
      }
    }
  }

  private boolean readFileHeader() throws IOException {
    if (sizeBytes == 0) {
      return false;  // just made
    }
    if (!load(0, FILE_HEADER_BYTES)) {
      visitor.problem(0, Fault.HEADER, "the file has " + sizeBytes + " bytes, but its header needs "
          + FILE_HEADER_BYTES, "all definitions of this process");
      return false;
    }
    long magic = window.getLong(at(0));
    int version = window.getInt(at(8));
    int order = window.getInt(at(12));
    String fact = null;
    if (magic == 0 && version == 0 && order == 0) {
      return false;  // just reserved
    }
    if (magic != MAGIC) {
      fact = String.format("the file begins with %016x, expected %016x", magic, MAGIC);
    } else if (order != BYTE_ORDER_MARK) {
      fact = String.format("the byte order mark is %08x, expected %08x", order, BYTE_ORDER_MARK);
    } else if (version != Manifest.VERSION) {
      fact = "the version is " + Integer.toUnsignedString(version) + ", expected "
          + Manifest.VERSION;
    }
    if (fact != null) {
      visitor.problem(0, Fault.HEADER, fact, "all definitions of this process");
    }
    return fact == null;
  }

  private void readRecords() throws IOException {
    long offset = FILE_HEADER_BYTES;
    String rest = "all definitions after it";
    while (offset + RECORD_HEADER_BYTES <= sizeBytes) {
      if (!load(offset, RECORD_HEADER_BYTES)) {
        break;
      }
      long size = window.getInt(at(offset)) & 0xffffffffL;
      int type = window.getShort(at(offset) + 4) & 0xffff;
      int check = window.getShort(at(offset) + 6) & 0xffff;
      if (size == 0) {
        return;
      }
      if (size < RECORD_HEADER_BYTES || size % 8 != 0) {
        visitor.problem(offset, Fault.SIZE, "a record has size " + size
            + ", expected a multiple of 8 from 8", rest);
        return;
      }
      if (size > sizeBytes - offset) {
        visitor.problem(offset, Fault.TRUNCATED, "a record of " + size + " bytes begins "
            + (sizeBytes - offset) + " bytes before the end of the file", "this definition");
        return;
      }
      if (type == RESERVED) {
        offset += size;
        continue;
      }
      if (size > Integer.MAX_VALUE - CHUNK_BYTES || !load(offset, (int) size)) {
        visitor.problem(offset, Fault.SIZE, "a record has size " + size
            + ", which cannot be read", rest);
        return;
      }
      readRecord(offset, (int) size, type, check);
      offset += size;
    }
    if (offset < sizeBytes) {
      visitor.problem(offset, Fault.REST, "the file ends within the header of a record",
          "this definition");
    }
  }

  private void readRecord(long offset, int size, int type, int check) {
    if (type == 0) {
      visitor.pending(offset);
      return;
    }
    int start = at(offset) + RECORD_HEADER_BYTES;
    crc.reset();
    crc.update(window.array(), start, size - RECORD_HEADER_BYTES);
    int computed = (int) crc.getValue() & 0xffff;
    if (computed != check && type != LOSSES && type != Definitions.EVENTS) {
      visitor.problem(offset, Fault.CHECK, String.format("the check of a record of type %d is "
          + "%04x, computed %04x", type, check, computed), "this definition");
      return;
    }
    ByteBuffer body = ByteBuffer.wrap(window.array(), start, size - RECORD_HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
    visitor.record(type, body, offset);
  }

  private int at(long offset) {
    return (int) (offset - windowStart);
  }

  /** Makes the bytes available in the window; false when the file ends before. */
  private boolean load(long offset, int size) throws IOException {
    if (offset >= windowStart && offset + size <= windowStart + window.limit()) {
      return true;
    }
    if (offset + size > sizeBytes) {
      return false;
    }
    if (window.capacity() < size) {
      window = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
    window.clear();
    windowStart = offset;
    while (window.hasRemaining()) {
      if (channel.read(window, offset + window.position()) < 0) {
        break;
      }
    }
    window.flip();
    return window.limit() >= size;
  }
}
