package org.parallax.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts what arrives in a trace while its program runs. Each block is read once, when it is full; of
 * the one that is being filled in each file, the events are counted each time.
 */
public final class TraceWatch {
  private static final int BLOCK_BYTES = 65536;
  private static final int HEADER_BYTES = 64;
  private static final int MAGIC = 0x424B4C50;
  private static final int AT_FLAGS = 6;
  private static final int AT_THREAD = 8;
  private static final int AT_USED = 12;
  private static final int CLOSED = 1;
  private static final int DEFINITIONS_HEADER_BYTES = 16;
  private static final int RECORD_HEADER_BYTES = 8;
  private static final int EVENTS_RECORD = 21;
  /** Of modules, of those that were unloaded, and of call paths: what names of addresses depend on. */
  private static final Set<Integer> ADDRESS_RECORDS = Set.of(5, 6, 8);

  /**
   * What there is.
   *
   * @param bytes of events
   */
  public record Counts(int processes, int threads, long events, long bytes) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    public Counts plus(Counts other) {
      return new Counts(processes + other.processes, threads + other.threads,
          events + other.events, bytes + other.bytes);
    }
  }

  /** What was counted of a file: for good, and of blocks that are still being filled. */
  private static final class File {
    /** Where the next block of an event file, or the next record of a definitions file, begins. */
    private long at;
    private long events;
    private long bytes;
    private long openEvents;
    private long openBytes;
    private long addresses;
    /** Of a definitions file: where blocks of events stand that were not closed yet, and their sizes. */
    private final Map<Long, Integer> openBlocks = new HashMap<>();
  }

  private final Path trace;
  private final Map<Path, File> files = new HashMap<>();
  private final Set<Path> definitions = new HashSet<>();
  /** By the names that their event files have. */
  private final Set<String> threads = new HashSet<>();
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  public TraceWatch(Path trace) {
    this.trace = trace;
  }

  /** How many definitions of code addresses had been there at the last look. As long as it is the same, names are. */
  public long addresses() {
    return files.values().stream().mapToLong(file -> file.addresses).sum();
  }

  /** Looks. What cannot be read, or is there no more, counts as it did when it was last seen. */
  public Counts look() {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(trace, "*.{def,evt}")) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        File file = files.computeIfAbsent(entry, unused -> new File());
        if (name.endsWith(".def")) {
          definitions.add(entry);
          readDefinitions(entry, name.substring(0, name.length() - "def".length()), file);
        } else {
          threads.add(name);
          readEvents(entry, file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It is not there yet, or no more.
    }
    long events = 0;
    long bytes = 0;
    for (File file : files.values()) {
      events += file.events + file.openEvents;
      bytes += file.bytes + file.openBytes;
    }
    return new Counts(definitions.size(), threads.size(), events, bytes);
  }

  /** Reads the blocks that are new, and the one that is not full. */
  private void readEvents(Path path, File file) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      do {
        file.openEvents = 0;
        file.openBytes = 0;
        file.at = nextBegun(channel, file.at);
        load(channel, file.at, BLOCK_BYTES);
      } while (count(file) && (file.at += BLOCK_BYTES) > 0);
    } catch (IOException e) {
      // What was known of it still holds.
    }
  }

  /** The first block from there on that has begun: zeros stand for one that is missing. The same if there is none. */
  private long nextBegun(FileChannel channel, long from) throws IOException {
    for (long at = from; at < channel.size(); at += BLOCK_BYTES) {
      load(channel, at, Integer.BYTES);
      if (block.limit() == Integer.BYTES && block.getInt(0) != 0) {
        return at;
      }
    }
    return from;
  }

  /** The first, small block of each thread is a record among the definitions. */
  private void readDefinitions(Path path, String stem, File file) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      file.at = Math.max(file.at, DEFINITIONS_HEADER_BYTES);
      while (true) {
        load(channel, file.at, RECORD_HEADER_BYTES);
        if (block.limit() < RECORD_HEADER_BYTES) {
          break;
        }
        int size = block.getInt(0);
        int type = block.getShort(4) & 0xffff;
        // Of type 0 is one that is being written.
        if (size < RECORD_HEADER_BYTES || type == 0) {
          break;
        }
        if (type == EVENTS_RECORD && size - RECORD_HEADER_BYTES <= BLOCK_BYTES) {
          file.openBlocks.put(file.at + RECORD_HEADER_BYTES, size - RECORD_HEADER_BYTES);
        }
        if (ADDRESS_RECORDS.contains(type)) {
          file.addresses++;
        }
        file.at += size;
      }
      file.openEvents = 0;
      file.openBytes = 0;
      for (var blocks = file.openBlocks.entrySet().iterator(); blocks.hasNext();) {
        Map.Entry<Long, Integer> open = blocks.next();
        load(channel, open.getKey(), open.getValue());
        if (block.limit() >= HEADER_BYTES && block.getInt(0) == MAGIC) {
          threads.add(stem + Integer.toUnsignedString(block.getInt(AT_THREAD)) + ".evt");
        }
        if (count(file)) {
          blocks.remove();
        }
      }
    } catch (IOException e) {
      // What was known of it still holds.
    }
  }

  private void load(FileChannel channel, long offset, int size) throws IOException {
    block.clear().limit(size);
    while (block.hasRemaining() && channel.read(block, offset + block.position()) > 0) {
      // The rest of it.
    }
    block.flip();
  }

  /** Counts the events of the block at hand; returns whether no more can come into it. */
  private boolean count(File file) {
    if (block.limit() < HEADER_BYTES || block.getInt(0) != MAGIC) {
      return false;
    }
    boolean isClosed = (block.getShort(AT_FLAGS) & CLOSED) != 0;
    int end = isClosed ? (int) Math.min(block.limit(),
        HEADER_BYTES + Integer.toUnsignedLong(block.getInt(AT_USED)) * Long.BYTES) : block.limit();
    long events = 0;
    int at = HEADER_BYTES;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long slot = block.getLong(at);
      if (slot == 0) {
        break;
      }
      events += slot > 0 ? 1 : 0;  // the highest bit marks what belongs to an event
    }
    if (isClosed) {
      file.events += events;
      file.bytes += at - HEADER_BYTES;
    } else {
      file.openEvents += events;
      file.openBytes += at - HEADER_BYTES;
    }
    return isClosed;
  }
}
