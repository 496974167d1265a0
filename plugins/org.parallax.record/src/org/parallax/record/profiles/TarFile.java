package org.parallax.record.profiles;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * The members of a tar archive, found by its headers. Checksums of headers are not compared: those of Cube's writer 4.8
 * are wrong. A cut archive has the members up to the cut, the last one in part.
 */
final class TarFile implements AutoCloseable {
  /** A member: where it is, how long it should be, and how much of it is there. */
  record Member(String name, long offset, long size, long present) {
    boolean isCut() {
      return present < size;
    }
  }

  private static final int BLOCK = 512;
  private static final int NAME_BYTES = 100;
  private static final int AT_SIZE = 124;
  private static final int SIZE_BYTES = 12;
  private static final int AT_TYPE = 156;
  private static final int MOST_MEMBERS = 1 << 16;

  private final FileChannel channel;
  /** Of a compressed archive; else null. */
  private final byte[] unpacked;
  private final long length;
  private final Map<String, Member> members = new LinkedHashMap<>();
  private String fault = "";

  /** @param mostBytes of a compressed archive, unpacked */
  TarFile(Path path, long mostBytes) throws IOException {
    channel = FileChannel.open(path);
    try {
      byte[] begin = bytes(channel, 0, 2);
      if (begin.length == 2 && (begin[0] & 0xff) == 0x1f && (begin[1] & 0xff) == 0x8b) {
        unpacked = unpack(bytes(channel, 0, (int) Math.min(Integer.MAX_VALUE - 16, channel.size())), mostBytes);
        length = unpacked.length;
      } else {
        unpacked = null;
        length = channel.size();
      }
      find();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** @return what could be unpacked of a file of gzip, up to a limit */
  static byte[] unpack(byte[] packed, long mostBytes) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 16, mostBytes));
      if (bytes.length == mostBytes && in.read() >= 0) {
        throw new IOException("it is more than " + mostBytes + " bytes when unpacked");
      }
      return bytes;
    }
  }

  private void find() throws IOException {
    long at = 0;
    while (at + BLOCK <= length && members.size() < MOST_MEMBERS) {
      byte[] header = read(at, BLOCK);
      if (header[0] == 0) {
        return;  // the end of an archive is blocks of zeros
      }
      long size = size(header);
      if (size < 0) {
        fault = "the archive has no valid header of a member at byte " + at;
        return;
      }
      String name = text(header, NAME_BYTES);
      long offset = at + BLOCK;
      if (header[AT_TYPE] == 0 || header[AT_TYPE] == '0') {
        Member member = new Member(name, offset, size, Math.max(0, Math.min(size, length - offset)));
        members.put(name.startsWith("./") ? name.substring(2) : name, member);
        if (member.isCut()) {
          fault = "the archive ends at byte " + length + ", within " + name;
          return;
        }
      }
      if (size > length - offset) {
        fault = "the archive ends at byte " + length + ", within " + name;
        return;
      }
      at = offset + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    if (at < length && at + BLOCK > length) {
      fault = "the archive ends at byte " + length + ", within the header of a member";
    }
  }

  /** @return -1 for what is no number */
  private static long size(byte[] header) {
    long size = 0;
    if ((header[AT_SIZE] & 0xff) == 0x80) {  // a binary number, for members of 8 GiB and more
      for (int i = AT_SIZE + 4; i < AT_SIZE + SIZE_BYTES; i++) {
        size = size << 8 | header[i] & 0xff;
      }
      return size < 0 || size > Long.MAX_VALUE / 2 ? -1 : size;
    }
    boolean hasDigits = false;
    for (int i = AT_SIZE; i < AT_SIZE + SIZE_BYTES; i++) {
      int digit = header[i] - '0';
      if (digit >= 0 && digit < 8) {
        size = size * 8 + digit;
        hasDigits = true;
      } else if (header[i] != 0 && header[i] != ' ') {
        return -1;
      } else if (hasDigits) {
        break;
      }
    }
    return hasDigits ? size : -1;
  }

  private static String text(byte[] bytes, int most) {
    int end = 0;
    while (end < most && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /** @return null if there is none */
  Member find(String name) {
    return members.get(name);
  }

  /** @return what is wrong with the archive, empty for nothing */
  String fault() {
    return fault;
  }

  long length() {
    return length;
  }

  /** @return the bytes at an offset; fewer where the archive ends */
  byte[] read(long offset, int count) throws IOException {
    if (unpacked == null) {
      return bytes(channel, offset, count);
    }
    int from = (int) Math.min(offset, unpacked.length);
    return Arrays.copyOfRange(unpacked, from, (int) Math.min((long) from + count, unpacked.length));
  }

  private static byte[] bytes(FileChannel channel, long offset, int count) throws IOException {
    long there = Math.max(0, Math.min(count, channel.size() - offset));
    ByteBuffer buffer = ByteBuffer.allocate((int) there);
    while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
      // A read may give a part.
    }
    return buffer.hasRemaining() ? Arrays.copyOf(buffer.array(), buffer.position()) : buffer.array();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
