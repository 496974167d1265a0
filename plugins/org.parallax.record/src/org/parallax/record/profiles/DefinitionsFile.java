package org.parallax.record.profiles;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The definitions of a process in the format of Parallax, as {@code native/format/FORMAT.md} specifies it. */
final class DefinitionsFile {
  static final int PROCESS = 1;
  static final int PROCESS_END = 2;
  static final int THREAD = 4;
  static final int MODULE = 5;
  static final int REGION = 7;
  static final int CALL_PATH = 8;
  static final int MPI = 9;

  private static final int HEADER = 8;
  private static final int BYTE_ORDER_MARK = 0x01020304;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();

  DefinitionsFile() {
    file.writeBytes("PLKDEFS\0".getBytes(StandardCharsets.US_ASCII));
    file.writeBytes(ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN).putInt(1).putInt(BYTE_ORDER_MARK).array());
  }

  byte[] bytes() {
    return file.toByteArray();
  }

  /** @return a record, which is written by its {@link Record#end} */
  Record record(int type) {
    return new Record(type);
  }

  /** The body of a record. */
  final class Record {
    private final int type;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private Record(int type) {
      this.type = type;
    }

    Record u16(int value) {
      body.write(value);
      body.write(value >> 8);
      return this;
    }

    Record u32(int value) {
      return u16(value).u16(value >> 16);
    }

    Record u64(long value) {
      return u32((int) value).u32((int) (value >> 32));
    }

    Record text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      u32(bytes.length);
      body.writeBytes(bytes);
      return this;
    }

    void end() {
      while (body.size() % HEADER != 0) {
        body.write(0);
      }
      byte[] bytes = body.toByteArray();
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      file.writeBytes(ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length + HEADER)
          .putShort((short) type).putShort((short) crc.getValue()).array());
      file.writeBytes(bytes);
    }
  }
}
