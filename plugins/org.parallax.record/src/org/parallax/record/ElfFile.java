package org.parallax.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an ELF file for 64 bits says of itself, as far as recording it depends on that. A file that is
 * cut off, or says nonsense, has nothing.
 */
public final class ElfFile {
  private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F'};
  private static final int HEADER_BYTES = 64;
  private static final int SEGMENT_BYTES = 56;
  private static final int SECTION_BYTES = 64;
  private static final int X86_64 = 62;
  private static final int CLASS_64 = 2;
  private static final int EXECUTABLE = 2;
  private static final int SHARED = 3;
  private static final int INTERPRETER = 3;
  private static final int DYNAMIC = 2;
  private static final int LOADED = 1;
  private static final int NEEDED = 1;
  private static final int STRING_TABLE = 5;
  private static final int MOST_NAME_BYTES = 4096;
  private static final int MOST_TABLE_BYTES = 1 << 24;

  private boolean isX86;
  private boolean isProgram;
  private boolean isDynamic;
  private final Set<String> sections = new LinkedHashSet<>();
  private final List<String> libraries = new ArrayList<>();

  private ElfFile() {}

  /** @return whether a file begins as ELF files do */
  public static boolean isElf(Path path) {
    try (InputStream bytes = Files.newInputStream(path)) {
      return Arrays.equals(MAGIC, bytes.readNBytes(MAGIC.length));
    } catch (IOException e) {
      return false;
    }
  }

  /** @return null when it is no ELF file, or cannot be read */
  public static ElfFile read(Path path) {
    if (!isElf(path)) {
      return null;
    }
    ElfFile file = new ElfFile();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      file.read(channel);
    } catch (IOException | RuntimeException e) {
      return file;  // damaged: what was found until here
    }
    return file;
  }

  /** @return whether it is a program that can be started, rather than a library or an object */
  public boolean isProgram() {
    return isProgram;
  }

  /** @return whether it is for the machines that the agent is for */
  public boolean isX86() {
    return isX86;
  }

  /** @return whether the dynamic linker starts it, which loads the agent */
  public boolean isDynamic() {
    return isDynamic;
  }

  /** @return whether its functions have names */
  public boolean hasNames() {
    return sections.contains(".symtab") || hasLines();
  }

  /** @return whether its source lines are known, from itself or a file beside it */
  public boolean hasLines() {
    return sections.stream().anyMatch(name -> name.equals(".debug_line") || name.equals(".debug_info")
        || name.equals(".gnu_debuglink") || name.equals(".zdebug_line"));
  }

  /** @return the shared libraries that it is linked with, by name */
  public List<String> libraries() {
    return List.copyOf(libraries);
  }

  /** @return whether it is linked with a library whose name begins so */
  public boolean needs(String library) {
    return libraries.stream().anyMatch(each -> each.startsWith(library));
  }

  private static ByteBuffer bytes(FileChannel channel, long at, long size) throws IOException {
    if (at < 0 || size < 0 || size > MOST_TABLE_BYTES || at > channel.size()) {
      throw new IOException("no such section");
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(size, channel.size() - at))
        .order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
      // The rest of it.
    }
    return buffer.flip();
  }

  private void read(FileChannel channel) throws IOException {
    ByteBuffer header = bytes(channel, 0, HEADER_BYTES);
    if (header.get(4) != CLASS_64 || header.getShort(18) != X86_64) {
      isProgram = header.getShort(16) == EXECUTABLE;
      return;
    }
    isX86 = true;
    int type = header.getShort(16);
    readSegments(channel, header, type);
    readSections(channel, header);
  }

  private void readSegments(FileChannel channel, ByteBuffer header, int type) throws IOException {
    ByteBuffer segments = bytes(channel, header.getLong(32),
        (long) Short.toUnsignedInt(header.getShort(56)) * SEGMENT_BYTES);
    ByteBuffer dynamic = null;
    for (int at = 0; at + SEGMENT_BYTES <= segments.limit(); at += SEGMENT_BYTES) {
      if (segments.getInt(at) == INTERPRETER) {
        isDynamic = true;
      } else if (segments.getInt(at) == DYNAMIC) {
        dynamic = bytes(channel, segments.getLong(at + 8), segments.getLong(at + 32));
      }
    }
    // A shared object with an interpreter is a position independent program.
    isProgram = type == EXECUTABLE || type == SHARED && isDynamic;
    if (dynamic == null) {
      return;
    }
    long names = 0;
    List<Long> needed = new ArrayList<>();
    for (int at = 0; at + 16 <= dynamic.limit(); at += 16) {
      if (dynamic.getLong(at) == NEEDED) {
        needed.add(dynamic.getLong(at + 8));
      } else if (dynamic.getLong(at) == STRING_TABLE) {
        names = offset(segments, dynamic.getLong(at + 8));
      }
    }
    for (long name : needed) {
      libraries.add(text(bytes(channel, names + name, MOST_NAME_BYTES), 0));
    }
  }

  /** Where in the file the byte is that has this address in memory. */
  private static long offset(ByteBuffer segments, long address) {
    for (int at = 0; at + SEGMENT_BYTES <= segments.limit(); at += SEGMENT_BYTES) {
      long begin = segments.getLong(at + 16);
      if (segments.getInt(at) == LOADED && address >= begin
          && address < begin + segments.getLong(at + 32)) {
        return address - begin + segments.getLong(at + 8);
      }
    }
    return address;
  }

  private void readSections(FileChannel channel, ByteBuffer header) throws IOException {
    ByteBuffer table = bytes(channel, header.getLong(40),
        (long) Short.toUnsignedInt(header.getShort(60)) * SECTION_BYTES);
    int at = Short.toUnsignedInt(header.getShort(62)) * SECTION_BYTES;
    if (at + SECTION_BYTES > table.limit()) {
      return;
    }
    ByteBuffer names = bytes(channel, table.getLong(at + 24), table.getLong(at + 32));
    for (int i = 0; i + SECTION_BYTES <= table.limit(); i += SECTION_BYTES) {
      sections.add(text(names, table.getInt(i)));
    }
  }

  private static String text(ByteBuffer bytes, int begin) {
    int end = begin;
    while (end < bytes.limit() && bytes.get(end) != 0) {
      end++;
    }
    return new String(bytes.array(), begin, end - begin, StandardCharsets.UTF_8);
  }
}
