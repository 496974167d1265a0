package org.parallax.analysis.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message of Protocol Buffers that is put together: fields in any order, by their numbers. */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int VARINT_BITS = 7;
  private static final int LARGEST_VARINT = 10;

  private byte[] bytes = new byte[256];
  private int size;

  /** Begins a new message. */
  ProtoWriter clear() {
    size = 0;
    return this;
  }

  ProtoWriter number(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
    return this;
  }

  ProtoWriter fixed(int field, long value) {
    varint((long) field << 3 | FIXED64);
    reserve(Long.BYTES);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[size++] = (byte) (value >>> (Byte.SIZE * i));
    }
    return this;
  }

  ProtoWriter text(int field, String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    return bytes(field, encoded, encoded.length);
  }

  ProtoWriter message(int field, ProtoWriter message) {
    return bytes(field, message.bytes, message.size);
  }

  private ProtoWriter bytes(int field, byte[] value, int length) {
    varint((long) field << 3 | BYTES);
    varint(length);
    reserve(length);
    System.arraycopy(value, 0, bytes, size, length);
    size += length;
    return this;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  private void varint(long value) {
    reserve(LARGEST_VARINT);
    long left = value;
    while ((left & ~0x7FL) != 0) {
      bytes[size++] = (byte) (left & 0x7F | 0x80);
      left >>>= VARINT_BITS;
    }
    bytes[size++] = (byte) left;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
