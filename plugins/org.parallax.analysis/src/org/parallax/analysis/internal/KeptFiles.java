package org.parallax.analysis.internal;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.parallax.trace.IndexPlace;

/**
 * Results that are kept on disk beside the events they were made from. They are optional: a file that is missing, damaged,
 * cut, or of other events is as if there were none, and is replaced.
 *
 * <pre>
 * magic, version (4 bytes each) | identity of the events (32) | content | CRC32C of all before (4)</pre>
 *
 * <p>A file comes into being complete, by its last name. All methods can be called from any thread.
 */
public final class KeptFiles {
  private static final int MAGIC = 0x504C5854;
  private static final int HEAD_BYTES = 2 * Integer.BYTES + IndexPlace.IDENTITY_BYTES;
  private static final int CRC_BYTES = Integer.BYTES;
  /** Larger files are not kept: a buffer has no more. */
  private static final long MOST_BYTES = Integer.MAX_VALUE;
  /** Smaller files are read; larger ones are mapped. A process can map some ten thousand only. */
  private static final int LEAST_MAPPED_BYTES = 1 << 18;
  private static final int BUFFER_BYTES = 1 << 16;

  private final int version;
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  /** What is in a file between its head and its checksum. */
  public interface Content {
    /** Writes all of it. */
    void write(DataOutputStream out) throws IOException;
  }

  /** @param version of what is kept; another one for each kind, and for each change of what it means or of how it is written */
  public KeptFiles(int version) {
    this.version = version;
  }

  /**
   * @param reader gets a buffer with exactly what was written, which stays as it is and can be held; may throw
   *     {@link BufferUnderflowException} and {@link IllegalArgumentException}
   * @return null if there is no file of exactly these events
   */
  public <T> T read(Path file, byte[] identity, Function<ByteBuffer, T> reader) {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try {
      ByteBuffer bytes = open(file);
      return bytes == null || !isSound(bytes, identity) ? null : reader.apply(bytes);
    } catch (IOException | BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException
        | InternalError e) {
      // An InternalError is a mapped page that cannot be read from the disk.
      return null;
    }
  }

  private static ByteBuffer open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < HEAD_BYTES + CRC_BYTES || size > MOST_BYTES) {
        return null;
      }
      if (size >= LEAST_MAPPED_BYTES) {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        continue;
      }
      return bytes.flip();
    }
  }

  /** Checks the head and the checksum, and leaves the content in the buffer. */
  private boolean isSound(ByteBuffer bytes, byte[] identity) {
    byte[] found = new byte[IndexPlace.IDENTITY_BYTES];
    if (bytes.getInt() != MAGIC || bytes.getInt() != version) {
      return false;
    }
    bytes.get(found);
    int end = bytes.limit() - CRC_BYTES;
    if (!Arrays.equals(found, identity)) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().position(0).limit(end));
    boolean isSound = bytes.getInt(end) == (int) crc.getValue();
    bytes.limit(end);
    return isSound;
  }

  /** Keeps what belongs to some events. After a failure nothing is tried again. */
  public void write(Path file, byte[] identity, Content content) {
    if (!warnings.isEmpty()) {
      return;
    }
    Path beside = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      Files.createDirectories(file.getParent());
      OutputStream bytes = create(beside);
      if (bytes == null) {
        return;
      }
      try {
        writeAll(bytes, identity, content);
        if (Files.size(beside) <= MOST_BYTES) {
          move(beside, file);
        }
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (NoSuchFileException e) {
      // Another process has written the same and moved it away.
    } catch (IOException e) {
      warn(file.getParent(), e);
    }
  }

  private synchronized void warn(Path directory, IOException e) {
    if (warnings.isEmpty()) {
      String reason = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
      warnings.add("the index of the events cannot be written to " + directory + ": " + reason
          + "; without it, all events are read again the next time");
    }
  }

  /**
   * Makes a new file in any case: one that another process is writing gets its last name at some time, and is mapped then.
   *
   * @return null if another process makes one at the same moment
   */
  private static OutputStream create(Path file) throws IOException {
    Files.deleteIfExists(file);
    try {
      return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      return null;
    }
  }

  private void writeAll(OutputStream bytes, byte[] identity, Content content) throws IOException {
    CRC32C crc = new CRC32C();
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new CheckedOutputStream(bytes, crc), BUFFER_BYTES))) {
      out.writeInt(MAGIC);
      out.writeInt(version);
      out.write(identity);
      content.write(out);
      out.flush();
      out.writeInt((int) crc.getValue());
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** @return why a file could not be written; empty if all could */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }
}
