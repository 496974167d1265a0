package org.parallax.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Where an index of a thread's events is kept, and of exactly which events it is. An index whose identity is another one
 * is of other events, or of the same ones by other clocks, and is not used.
 *
 * @param file in the directory {@code index} of the trace
 * @param identity {@value #IDENTITY_BYTES} bytes: a hash of the sizes and times of the files, of the headers of some blocks, with
 *     their checksums, and of all that turns ticks into times
 */
public record IndexPlace(Path file, byte[] identity) {
  /** The directory in that of the trace. */
  public static final String DIRECTORY = "index";
  /** The length of an identity. */
  public static final int IDENTITY_BYTES = 32;

  private static final int MOST_HEADERS = 64;

  /**
   * Reads at most {@value #MOST_HEADERS} headers of blocks, and the last block.
   *
   * @return null if the last block is damaged or was not closed when the trace was opened, as more events can follow; or if the
   *     files cannot be looked at
   */
  public static IndexPlace of(ThreadTrace thread) {
    EventFile events = thread.file();
    if (events == null || events.blockCount() == 0 || !events.isWhole(events.blockCount() - 1)) {
      return null;
    }
    Path definitions = thread.process().definitions().file;
    String name = TraceDirectory.stem(definitions) + "." + thread.id();
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      hash.update((name + "\n" + ClockFile.line(thread.process().clock()) + "\n" + thread.cpuTickNs() + "\n"
          + fileState(definitions) + "\n" + fileState(events.path()) + "\n" + events.sizeBytes() + "\n"
          + events.blockCount() + "\n").getBytes(StandardCharsets.UTF_8));
      add(thread.corrections(), hash);
      add(thread.process().clock().offsets(), hash);
      int blocks = events.blockCount();
      int looks = Math.min(MOST_HEADERS, blocks);
      for (int i = 0; i < looks; i++) {
        int block = looks == 1 ? 0 : (int) ((long) i * (blocks - 1) / (looks - 1));
        if (events.available(block) >= EventFile.HEADER_BYTES) {
          hash.update(events.segment(block).slice(events.offset(block), EventFile.HEADER_BYTES));
        }
      }
      return new IndexPlace(definitions.resolveSibling(DIRECTORY).resolve(name), hash.digest());
    } catch (IOException e) {
      return null;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String fileState(Path file) throws IOException {
    return Files.size(file) + " " + Files.getLastModifiedTime(file);
  }

  private static void add(TimeMap map, MessageDigest hash) {
    ByteBuffer numbers = ByteBuffer.allocate(2 * Long.BYTES);
    for (int i = 0; map != null && i < map.knots(); i++) {
      hash.update(numbers.clear().putLong(map.fromNs(i)).putLong(map.toNs(i)).flip());
    }
    hash.update((byte) '\n');
  }

  /**
   * Whether an index of the events may be kept once all of them were read: a damaged or missing block must be told of
   * whenever they are asked for.
   */
  public static boolean isWhole(ThreadTrace thread) {
    EventFile events = thread.file();
    for (int block = 0; block < events.blockCount(); block++) {
      if (!events.isWhole(block)) {
        return false;
      }
    }
    return true;
  }
}
