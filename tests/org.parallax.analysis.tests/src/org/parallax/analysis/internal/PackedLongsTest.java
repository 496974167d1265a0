package org.parallax.analysis.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against arrays. */
class PackedLongsTest {
  private static long[] values(Random random, int kind, int count) {
    long[] values = new long[count];
    long now = random.nextLong();
    int bits = 1 + random.nextInt(63);
    for (int i = 0; i < count; i++) {
      now = switch (kind) {
        case 0 -> random.nextLong();
        case 1 -> 7;
        case 2 -> i % 64 == 63 ? Long.MAX_VALUE : Long.MIN_VALUE;
        case 3 -> now + (random.nextInt(200) == 0 ? random.nextLong() : random.nextInt(3));
        default -> now + (random.nextLong() >>> bits);
      };
      values[i] = now;
    }
    return values;
  }

  private static PackedLongs list(long[] values) {
    PackedLongs list = new PackedLongs();
    for (long value : values) {
      list.add(value);
    }
    return list;
  }

  private static void assertSame(long[] values, PackedLongs list, String what) {
    assertEquals(values.length, list.size(), what);
    for (int i = 0; i < values.length; i++) {
      assertEquals(values[i], list.get(i), what + ", value " + i);
    }
  }

  private static byte[] written(PackedLongs list) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    list.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void holdsWhatWasAddedAlsoAfterWritingAndReading() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      long[] values = values(random, seed % 6, random.nextInt(seed % 40 == 0 ? 300_000 : 600));
      PackedLongs list = list(values);
      assertSame(values, list, "seed " + seed);
      ByteBuffer in = ByteBuffer.wrap(written(list));
      PackedLongs read = PackedLongs.read(in);
      assertEquals(0, in.remaining());
      assertSame(values, read, "read, seed " + seed);
      assertArrayEquals(in.array(), written(read), "written again, seed " + seed);
      // Also from the midst of a buffer.
      byte[] among = new byte[in.limit() + 20];
      System.arraycopy(in.array(), 0, among, 13, in.limit());
      ByteBuffer second = ByteBuffer.wrap(among).position(13);
      assertSame(values, PackedLongs.read(second), "among others, seed " + seed);
      assertEquals(13 + in.limit(), second.position());
    }
  }

  @Test
  void findsTheFirstValueThatIsAtLeastAnother() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      long[] values = random.longs(random.nextInt(400), 0, 1_000).sorted().toArray();
      PackedLongs list = list(values);
      for (long wanted = -1; wanted <= 1_001; wanted += 7) {
        int expected = 0;
        while (expected < values.length && values[expected] < wanted) {
          expected++;
        }
        assertEquals(expected, list.firstAtLeast(wanted), "seed " + seed + ", " + wanted);
      }
    }
  }

  @Test
  void timesTakeFewBytes() {
    Random random = new Random(1);
    long[] times = new long[1 << 16];
    for (int i = 1; i < times.length; i++) {
      times[i] = times[i - 1] + 100_000 + random.nextInt(100_000);
    }
    // 64 times differ by up to 12.8 ms: three bytes each, and 16 for all.
    assertEquals(times.length * (3 + 16 / 64.0), list(times).sizeBytes(), times.length * 0.01);
  }

  @Test
  void cutAndDamagedListsAreNotRead() throws IOException {
    byte[] bytes = written(list(values(new Random(3), 4, 1_000)));
    for (int length = 8; length < bytes.length; length += 13) {
      ByteBuffer cut = ByteBuffer.wrap(bytes, 0, length);
      assertThrows(RuntimeException.class, () -> PackedLongs.read(cut));
    }
    assertThrows(BufferUnderflowException.class, () -> PackedLongs.read(ByteBuffer.allocate(7)));
    for (long size : new long[] {-1, Long.MAX_VALUE, 1L << 40}) {
      ByteBuffer wrong = ByteBuffer.allocate(100).putLong(0, size);
      assertThrows(IllegalArgumentException.class, () -> PackedLongs.read(wrong));
    }
    ByteBuffer wide = ByteBuffer.allocate(1_000).putLong(0, 64).put(16, (byte) 9);
    assertTrue(assertThrows(IllegalArgumentException.class, () -> PackedLongs.read(wide)).getMessage().contains("9"));
  }
}
