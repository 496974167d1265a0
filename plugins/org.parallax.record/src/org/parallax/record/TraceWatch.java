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
  private static final int AT_USED = 12;
  private static final int CLOSED = 1;

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

  private static final class File {
    private long blocks;
    private long events;
    private long bytes;
    private long openEvents;
    private long openBytes;
  }

  private final Path trace;
  private final Map<Path, File> files = new HashMap<>();
  private final Set<Path> definitions = new HashSet<>();
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  public TraceWatch(Path trace) {
    this.trace = trace;
  }

  /** Looks. What cannot be read, or is there no more, counts as it did when it was last seen. */
  public Counts look() {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(trace, "*.{def,evt}")) {
      for (Path entry : entries) {
        if (entry.toString().endsWith(".def")) {
          definitions.add(entry);
        } else {
          read(entry, files.computeIfAbsent(entry, unused -> new File()));
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
    return new Counts(definitions.size(), files.size(), events, bytes);
  }

  /** Reads the blocks that are new, and the one that is not full. */
  private void read(Path path, File file) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      while (true) {
        block.clear();
        while (block.hasRemaining()
            && channel.read(block, file.blocks * BLOCK_BYTES + block.position()) > 0) {
          // The rest of it.
        }
        block.flip();
        if (block.limit() < HEADER_BYTES || block.getInt(0) != MAGIC) {
          file.openEvents = 0;
          file.openBytes = 0;
          return;
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
        if (!isClosed) {
          file.openEvents = events;
          file.openBytes = at - HEADER_BYTES;
          return;
        }
        file.blocks++;
        file.events += events;
        file.bytes += at - HEADER_BYTES;
      }
    } catch (IOException e) {
      // What was known of it still holds.
    }
  }
}
