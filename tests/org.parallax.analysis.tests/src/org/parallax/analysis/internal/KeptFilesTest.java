package org.parallax.analysis.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.IndexPlace;

/** What several writers and readers of a kept file see of each other, and what is left after a failure. */
public class KeptFilesTest {
  /** Enough for the file to be mapped. */
  private static final int LONGS = 1 << 17;
  private static final int OLD_VERSION = 1;
  private static final int NEW_VERSION = 2;

  @TempDir
  Path directory;

  @Test
  void aMappedFileStaysAsItIsWhileAnotherWriterFinishes() {
    Path file = directory.resolve("events.waits");
    byte[] identity = new byte[IndexPlace.IDENTITY_BYTES];
    KeptFiles slow = new KeptFiles(OLD_VERSION);
    KeptFiles fast = new KeptFiles(NEW_VERSION);
    ByteBuffer[] held = new ByteBuffer[1];
    slow.write(file, identity, out -> {
      fast.write(file, identity, other -> {
        for (int i = 0; i < LONGS; i++) {
          other.writeLong(NEW_VERSION);
        }
      });
      held[0] = fast.read(file, identity, in -> in);
      for (int i = 0; i < LONGS; i++) {
        out.writeLong(OLD_VERSION);
      }
    });
    for (int i = 0; i < LONGS; i++) {
      assertEquals(NEW_VERSION, held[0].getLong(), "value " + i);
    }
    assertEquals(List.of(), slow.warnings());
    assertEquals(List.of(), fast.warnings());
  }

  @Test
  void aWriteThatFailsLeavesTheFileBeforeAndNothingElse() throws Exception {
    Path file = directory.resolve("events.times");
    byte[] identity = new byte[IndexPlace.IDENTITY_BYTES];
    KeptFiles kept = new KeptFiles(OLD_VERSION);
    kept.write(file, identity, out -> out.writeLong(7));
    kept.write(file, identity, out -> {
      out.writeLong(8);
      throw new IOException("No space left on device");
    });
    assertEquals(7L, kept.<Long>read(file, identity, ByteBuffer::getLong));
    assertEquals(List.of("the index of the events cannot be written to " + directory + ": No space left on device; without"
        + " it, all events are read again the next time"), kept.warnings());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(file), left.toList());
    }
  }

  /** From now on, this file cannot be written. */
  public static void refuseWrites(Path file) throws IOException {
    Files.createDirectories(file.resolveSibling("." + file.getFileName() + ".new").resolve("in the way"));
  }
}
