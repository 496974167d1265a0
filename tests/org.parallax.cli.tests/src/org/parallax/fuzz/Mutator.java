package org.parallax.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** Changes an input at random places: bytes, numbers, words and lines. The same seed makes the same changes. */
final class Mutator {
  private static final long[] NUMBERS = {0, 1, 2, -1, 7, 127, 255, 256, 1023, 65535, 65536, 1 << 20, (1 << 21) - 1, 1 << 24,
    Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 32, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1};
  private static final List<String> WORDS = List.of("0", "-1", "2147483647", "-2147483648", "4294967296", "9223372036854775807",
      "-9223372036854775808", "99999999999999999999999", "1e308", "1e999999999", "NaN", "", "\t", "\n", "\0", "\u00e9", "=", ":", "[", "]",
      "{", "}", "(", ")", "\"", "'", "*a", "&a ", "<", "/>", "- ", "#", "%", "\\u0000");
  private static final int MOST_CHANGES = 4;
  /** An input made longer than this would only measure the disk. */
  private static final int MOST_GROWTH = 1 << 17;
  private static final int FILE_HEADER = 16;
  private static final int RECORD_HEADER = 8;

  private final Random random;

  Mutator(long seed) {
    random = new Random(seed);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** @return another input, of which one part or a few parts are changed */
  byte[] change(byte[] sound, boolean isText) {
    byte[] bytes = sound.clone();
    for (int left = 1 + below(MOST_CHANGES); left > 0; left--) {
      bytes = isText && below(4) > 0 ? changeText(bytes) : changeBytes(bytes);
    }
    return bytes;
  }

  private byte[] changeBytes(byte[] bytes) {
    if (bytes.length == 0) {
      return new byte[] {(byte) below(256)};
    }
    // The begin has most of what means something.
    int at = below(below(2) == 0 ? bytes.length : Math.min(bytes.length, 1024));
    switch (below(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << below(8));
      case 1 -> bytes[at] = (byte) below(256);
      case 2, 3 -> putNumber(bytes, at);
      case 4 -> {
        return Arrays.copyOf(bytes, at);
      }
      default -> {
        return repeat(bytes, at, Math.min(bytes.length, at + 1 + below(64)), 1 + below(3));
      }
    }
    return bytes;
  }

  private void putNumber(byte[] bytes, int anywhere) {
    int size = 1 << below(4);
    int at = below(4) == 0 ? anywhere : anywhere / size * size;
    long number = NUMBERS[below(NUMBERS.length)];
    for (int i = 0; i < size && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (number >> 8 * i);
    }
  }

  private byte[] changeText(byte[] bytes) {
    int from = below(bytes.length + 1);
    int to = from;
    switch (below(4)) {
      case 0 -> {  // a word or number is replaced
        for (; from > 0 && isOfWord(bytes[from - 1]); from--) {
          continue;
        }
        for (; to < bytes.length && isOfWord(bytes[to]); to++) {
          continue;
        }
        return join(bytes, from, WORDS.get(below(WORDS.size())).getBytes(StandardCharsets.UTF_8), to);
      }
      case 1 -> {  // something is put between, now and then very often
        int times = below(8) == 0 ? 1 << below(14) : 1;
        return join(bytes, from, WORDS.get(below(WORDS.size())).repeat(times).getBytes(StandardCharsets.UTF_8), to);
      }
      default -> {  // a line is left out or repeated
        for (; from > 0 && bytes[from - 1] != '\n'; from--) {
          continue;
        }
        for (; to < bytes.length && bytes[to] != '\n'; to++) {
          continue;
        }
        to = Math.min(bytes.length, to + 1);
        return below(2) == 0 ? join(bytes, from, new byte[0], to) : repeat(bytes, from, to, 1 + below(4));
      }
    }
  }

  private static boolean isOfWord(byte b) {
    return Character.isLetterOrDigit(b) || b == '.' || b == '-' || b == '_';
  }

  private static byte[] join(byte[] bytes, int from, byte[] between, int to) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(bytes, 0, from);
    joined.write(between, 0, between.length);
    joined.write(bytes, to, bytes.length - to);
    return joined.toByteArray();
  }

  private static byte[] repeat(byte[] bytes, int from, int to, int times) {
    byte[] result = bytes;
    byte[] part = Arrays.copyOfRange(bytes, from, to);
    for (int i = 0; i < times && result.length < bytes.length + MOST_GROWTH; i++) {
      result = join(result, to, part, to);
    }
    return result;
  }

  /** Sets the checks of the records of a definitions file, without which no reader looks at a changed one. */
  static void checkRecords(byte[] file) {
    int at = FILE_HEADER;
    while (at + RECORD_HEADER <= file.length) {
      int size = file[at] & 0xff | (file[at + 1] & 0xff) << 8 | (file[at + 2] & 0xff) << 16 | (file[at + 3] & 0xff) << 24;
      if (size < RECORD_HEADER || size > file.length - at) {
        return;
      }
      CRC32C crc = new CRC32C();
      crc.update(file, at + RECORD_HEADER, size - RECORD_HEADER);
      file[at + 6] = (byte) crc.getValue();
      file[at + 7] = (byte) (crc.getValue() >> 8);
      at += size;
    }
  }

  /** Clears the flag of the closed blocks of an event file: an open block has no check. */
  static void openBlocks(byte[] file) {
    for (int at = 0; at + 8 <= file.length; at += 65536) {
      file[at + 6] &= ~1;
    }
  }
}
