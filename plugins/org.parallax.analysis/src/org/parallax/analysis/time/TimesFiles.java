package org.parallax.analysis.time;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.parallax.trace.IndexPlace;
import org.parallax.trace.ThreadTrace;

/**
 * The metrics of threads over time, kept on disk beside the events, in a file for each thread. They are optional: a file
 * that is missing, damaged, cut, or of other events is as if there were none, and is replaced when the events were read.
 *
 * <pre>
 * magic, version, events of a step (4 bytes each) | identity of the events (32) | {@link ThreadTimes} | CRC32C of all before (4)</pre>
 *
 * <p>A file comes into being complete, by its last name, as soon as the thread's events were read. So work that is ended goes
 * on with the other threads the next time. All methods can be called from any thread.
 */
final class TimesFiles {
  private static final int MAGIC = 0x504C5854;
  /** To be increased when what is counted, or how it is written, changes; new metrics do so by their names. */
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 3 * Integer.BYTES + IndexPlace.IDENTITY_BYTES;
  private static final int CRC_BYTES = Integer.BYTES;
  /** Larger files are not read into memory. */
  private static final long MOST_BYTES = 1L << 30;
  private static final int BUFFER_BYTES = 1 << 16;

  private final List<String> warnings = new CopyOnWriteArrayList<>();

  private static int version() {
    String metrics = String.join(",", Arrays.stream(ThreadMetric.values()).map(ThreadMetric::key).toList());
    CRC32C crc = new CRC32C();
    crc.update(metrics.getBytes(StandardCharsets.UTF_8));
    return VERSION + 31 * (int) crc.getValue();
  }

  /** @return null if there is no file of exactly these events */
  ThreadTimes read(ThreadTrace thread) {
    IndexPlace place = IndexPlace.of(thread);
    if (place == null || !Files.isRegularFile(place.file())) {
      return null;
    }
    try {
      long size = Files.size(place.file());
      return size < HEAD_BYTES + CRC_BYTES || size > MOST_BYTES ? null
          : read(thread, place, ByteBuffer.wrap(Files.readAllBytes(place.file())));
    } catch (IOException | BufferUnderflowException | IllegalArgumentException e) {
      return null;
    }
  }

  private static ThreadTimes read(ThreadTrace thread, IndexPlace place, ByteBuffer file) {
    byte[] identity = new byte[IndexPlace.IDENTITY_BYTES];
    if (file.getInt() != MAGIC || file.getInt() != version() || file.getInt() != ThreadTimes.STEP) {
      return null;
    }
    file.get(identity);
    int end = file.limit() - CRC_BYTES;
    CRC32C crc = new CRC32C();
    crc.update(file.array(), 0, end);
    if (!Arrays.equals(identity, place.identity()) || file.getInt(end) != (int) crc.getValue()) {
      return null;
    }
    return ThreadTimes.read(thread.process(), thread, file.limit(end));
  }

  /** Keeps the metrics of a thread, unless its events are damaged or can change. After a failure nothing is tried again. */
  void write(ThreadTimes times) {
    IndexPlace place = IndexPlace.of(times.thread());
    if (place == null || !warnings.isEmpty() || times.sizeBytes() > MOST_BYTES / 2
        || !IndexPlace.isWhole(times.thread())) {
      return;
    }
    Path file = place.file();
    Path beside = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      Files.createDirectories(file.getParent());
      try {
        write(times, place, beside);
        move(beside, file);
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

  private static void write(ThreadTimes times, IndexPlace place, Path file) throws IOException {
    CRC32C crc = new CRC32C();
    try (OutputStream bytes = Files.newOutputStream(file);
        DataOutputStream out =
            new DataOutputStream(new CheckedOutputStream(new BufferedOutputStream(bytes, BUFFER_BYTES), crc))) {
      out.writeInt(MAGIC);
      out.writeInt(version());
      out.writeInt(ThreadTimes.STEP);
      out.write(place.identity());
      times.write(out);
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
  List<String> warnings() {
    return List.copyOf(warnings);
  }
}
