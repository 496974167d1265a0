package org.parallax.record.profiles;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The values of a metric: the members {@code ID.index}, which names the rows, and {@code ID.data}, a row of values for each,
 * of all locations. Layout:
 *
 * <pre>
 *   index  "CUBEX.INDEX"  i32 1  i16 version  i8 kind (1: numbers follow, else all rows)  i32 N   N x i32
 *   data   "CUBEX.DATA"   N rows
 *          "ZCUBEX.DATA"  i64 N  N x (i64 place in the rows, i64 place in the file, i64 size)  N x deflated row
 * </pre>
 *
 * The 1 of the index tells the byte order of both members.
 */
final class CubeRows {
  /** How a value is stored; a tuple has a count, the least, the largest and the sum of what it stands for. */
  enum Kind {
    SIGNED, UNSIGNED, REAL, TUPLE
  }

  /** @param bytes of a value */
  record DataType(Kind kind, int bytes) {}

  private static final Map<String, DataType> TYPES = Map.ofEntries(
      Map.entry("DOUBLE", new DataType(Kind.REAL, 8)), Map.entry("FLOAT", new DataType(Kind.REAL, 8)),
      Map.entry("MINDOUBLE", new DataType(Kind.REAL, 8)), Map.entry("MAXDOUBLE", new DataType(Kind.REAL, 8)),
      Map.entry("UINT64", new DataType(Kind.UNSIGNED, 8)), Map.entry("INT64", new DataType(Kind.SIGNED, 8)),
      Map.entry("UNSIGNED INTEGER", new DataType(Kind.UNSIGNED, 8)), Map.entry("INTEGER", new DataType(Kind.SIGNED, 8)),
      Map.entry("SIGNED INTEGER", new DataType(Kind.SIGNED, 8)),
      Map.entry("UINT32", new DataType(Kind.UNSIGNED, 4)), Map.entry("INT32", new DataType(Kind.SIGNED, 4)),
      Map.entry("UNSIGNED INT", new DataType(Kind.UNSIGNED, 4)), Map.entry("INT", new DataType(Kind.SIGNED, 4)),
      Map.entry("SIGNED INT", new DataType(Kind.SIGNED, 4)),
      Map.entry("UINT16", new DataType(Kind.UNSIGNED, 2)), Map.entry("INT16", new DataType(Kind.SIGNED, 2)),
      Map.entry("UNSIGNED SHORT INT", new DataType(Kind.UNSIGNED, 2)),
      Map.entry("SHORT INT", new DataType(Kind.SIGNED, 2)), Map.entry("SIGNED SHORT INT", new DataType(Kind.SIGNED, 2)),
      Map.entry("UINT8", new DataType(Kind.UNSIGNED, 1)), Map.entry("INT8", new DataType(Kind.SIGNED, 1)),
      Map.entry("CHAR", new DataType(Kind.UNSIGNED, 1)),
      Map.entry("TAU_ATOMIC", new DataType(Kind.TUPLE, 36)));

  private static final byte[] INDEX = "CUBEX.INDEX".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATA = "CUBEX.DATA".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PACKED_DATA = "ZCUBEX.DATA".getBytes(StandardCharsets.US_ASCII);
  private static final int INDEX_HEADER = INDEX.length + 4 + 2 + 1 + 4;
  private static final int NUMBERED = 1;
  private static final int SEGMENT_HEADER = 24;

  private final TarFile tar;
  private final String id;
  private final DataType type;
  private final int locations;
  private final List<String> warnings;
  private ByteOrder order;
  /** The values, by row and then by location: of a tuple its sums. */
  private final double[][] values;
  /** Of a tuple; else null. */
  private final double[][] least;
  private final double[][] most;
  private long unsignedTooLarge;

  /** @param rows how many nodes the call tree has */
  private CubeRows(TarFile tar, String id, DataType type, int rows, int locations, List<String> warnings) {
    this.tar = tar;
    this.id = id;
    this.type = type;
    this.locations = locations;
    this.warnings = warnings;
    values = new double[rows][];
    least = type.kind() == Kind.TUPLE ? new double[rows][] : null;
    most = type.kind() == Kind.TUPLE ? new double[rows][] : null;
  }

  /** @return null for a type that is not known here */
  static DataType type(String name) {
    return TYPES.get(name.strip());
  }

  /** @return how much memory the values take at most, without those of empty rows */
  static long bytes(TarFile tar, String id, DataType type, int locations) {
    TarFile.Member index = tar.find(id + ".index");
    long rows = index == null ? 0 : Math.max(0, (index.present() - INDEX_HEADER) / 4);
    return rows * locations * (type.kind() == Kind.TUPLE ? 24 : 8);
  }

  /**
   * Reads what is there of a metric.
   *
   * @param warnings told of damage
   * @return null if the archive has no values of the metric
   */
  static CubeRows read(TarFile tar, String id, DataType type, int rows, int locations, List<String> warnings)
      throws IOException {
    TarFile.Member index = tar.find(id + ".index");
    TarFile.Member data = tar.find(id + ".data");
    if (index == null) {
      return null;
    }
    CubeRows read = new CubeRows(tar, id, type, rows, locations, warnings);
    int[] numbers = read.numbers(index);
    if (numbers.length > 0) {
      if (data == null) {
        warnings.add("the metric with the file " + id + ".index has no file " + id + ".data");
      } else {
        read.readData(data, numbers);
      }
    }
    if (read.unsignedTooLarge > 0) {
      warnings.add(id + ".data has " + read.unsignedTooLarge + " values beyond 2^63, which count as 0");
    }
    return read;
  }

  double[][] values() {
    return values;
  }

  double[][] least() {
    return least;
  }

  double[][] most() {
    return most;
  }

  private static boolean begins(byte[] bytes, byte[] magic) {
    return Arrays.mismatch(bytes, 0, Math.min(bytes.length, magic.length), magic, 0, magic.length) < 0;
  }

  private int[] numbers(TarFile.Member member) throws IOException {
    int there = (int) Math.min(member.present(), INDEX_HEADER + 4L * values.length);
    byte[] bytes = tar.read(member.offset(), there);
    if (bytes.length < INDEX_HEADER || !begins(bytes, INDEX)) {
      warnings.add(damaged(member, 0, "there is no header of an index"));
      return new int[0];
    }
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(INDEX.length);
    order = header.getInt() == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    header.order(order);
    header.getShort();
    boolean isNumbered = header.get() == NUMBERED;
    int count = header.getInt();
    if (!isNumbered) {
      int[] all = new int[values.length];
      Arrays.setAll(all, row -> row);
      return all;
    }
    int read = Math.max(0, Math.min(count, header.remaining() / 4));
    if (read < count || count < 0) {
      warnings.add(damaged(member, bytes.length, "it tells " + Integer.toUnsignedString(count) + " rows and has " + read));
    }
    int[] numbers = new int[read];
    for (int i = 0; i < read; i++) {
      int number = header.getInt();
      boolean isKnown = number >= 0 && number < values.length;
      if (!isKnown) {
        warnings.add(damaged(member, INDEX_HEADER + 4L * i, "there is no call path with the number "
            + Integer.toUnsignedString(number)));
        return Arrays.copyOf(numbers, i);
      }
      numbers[i] = number;
    }
    return numbers;
  }

  private void readData(TarFile.Member member, int[] numbers) throws IOException {
    byte[] magic = tar.read(member.offset(), (int) Math.min(member.present(), PACKED_DATA.length));
    if (begins(magic, PACKED_DATA)) {
      readPacked(member, numbers);
    } else if (begins(magic, DATA)) {
      long rowBytes = (long) locations * type.bytes();
      for (int i = 0; i < numbers.length; i++) {
        long at = DATA.length + i * rowBytes;
        if (at + rowBytes > member.present()) {
          warnings.add(damaged(member, member.present(), "it ends before the values of " + (numbers.length - i) + " of "
              + numbers.length + " call paths"));
          return;
        }
        store(numbers[i], tar.read(member.offset() + at, (int) rowBytes));
      }
    } else {
      warnings.add(damaged(member, 0, "there is no header of data"));
    }
  }

  private void readPacked(TarFile.Member member, int[] numbers) throws IOException {
    byte[] counted = tar.read(member.offset() + PACKED_DATA.length, 8);
    long segments = counted.length < 8 ? 0 : ByteBuffer.wrap(counted).order(order).getLong();
    long at = PACKED_DATA.length + 8;
    if (segments != numbers.length || at + segments * SEGMENT_HEADER > member.present()) {
      warnings.add(damaged(member, PACKED_DATA.length, "it tells " + Long.toUnsignedString(segments) + " rows, its index "
          + numbers.length));
      segments = Math.max(0, Math.min(Math.min(segments, numbers.length), (member.present() - at) / SEGMENT_HEADER));
    }
    ByteBuffer headers = ByteBuffer.wrap(tar.read(member.offset() + at, (int) (segments * SEGMENT_HEADER))).order(order);
    at += segments * SEGMENT_HEADER;
    byte[] row = new byte[locations * type.bytes()];
    Inflater inflater = new Inflater();
    try {
      for (int i = 0; i < segments; i++) {
        headers.position(i * SEGMENT_HEADER + 16);
        long size = headers.getLong();
        if (size < 0 || size > member.present() - at) {
          warnings.add(damaged(member, at, "the values of " + (segments - i) + " of " + numbers.length
              + " call paths are not there"));
          return;
        }
        if (size > 0) {
          unpack(member, at, tar.read(member.offset() + at, (int) Math.min(size, 2L * row.length + 1024)), row, inflater);
          store(numbers[i], row);
        }
        at += size;
      }
    } finally {
      inflater.end();
    }
  }

  /** What is more than a row is left. */
  private void unpack(TarFile.Member member, long at, byte[] packed, byte[] row, Inflater inflater) {
    Arrays.fill(row, (byte) 0);
    inflater.reset();
    inflater.setInput(packed);
    int unpacked = 0;
    try {
      int more = 1;
      while (unpacked < row.length && more > 0) {
        more = inflater.inflate(row, unpacked, row.length - unpacked);
        unpacked += more;
      }
    } catch (DataFormatException e) {
      warnings.add(damaged(member, at, "the compressed values cannot be unpacked"));
      return;
    }
    if (unpacked < row.length) {
      warnings.add(damaged(member, at, "a row has " + unpacked + " bytes, expected " + row.length));
    }
  }

  private void store(int row, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(order);
    double[] sums = new double[locations];
    double[] lows = least == null ? null : new double[locations];
    double[] highs = most == null ? null : new double[locations];
    for (int i = 0; i < locations; i++) {
      if (lows == null) {
        sums[i] = value(buffer);
      } else {
        buffer.getInt();
        lows[i] = finite(buffer.getDouble());
        highs[i] = finite(buffer.getDouble());
        sums[i] = finite(buffer.getDouble());
        buffer.getDouble();
      }
    }
    values[row] = sums;
    if (lows != null) {
      least[row] = lows;
      most[row] = highs;
    }
  }

  private double value(ByteBuffer buffer) {
    if (type.kind() == Kind.REAL) {
      return finite(buffer.getDouble());
    }
    boolean isSigned = type.kind() == Kind.SIGNED;
    switch (type.bytes()) {
      case 1:
        int one = buffer.get();
        return isSigned ? one : one & 0xff;
      case 2:
        int two = buffer.getShort();
        return isSigned ? two : two & 0xffff;
      case 4:
        int four = buffer.getInt();
        return isSigned ? four : four & 0xffffffffL;
      default:
        long eight = buffer.getLong();
        if (!isSigned && eight < 0) {  // counters of some tools go below 0
          unsignedTooLarge++;
          return 0;
        }
        return eight;
    }
  }

  /** What never was measured is the largest or smallest number, or infinite. */
  private static double finite(double value) {
    return Math.abs(value) < 1e300 ? value : 0;
  }

  private static String damaged(TarFile.Member member, long at, String what) {
    return member.name() + " is damaged at its byte " + at + " (byte " + (member.offset() + at) + " of the archive): " + what;
  }
}
