package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The switch of a run, as the agent reads it. */
class ControlCommandTest {
  private static final int AT = 64;

  @TempDir Path directory;
  private Path shared;

  @BeforeEach
  void makeTrace() throws Exception {
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().replaceAll("[^0-9A-Za-z-]", "_");
    shared = directory.resolve(host + ".shared");
    manifest("control = running\n");
    page(1);
  }

  private void manifest(String lines) throws Exception {
    Files.writeString(directory.resolve("manifest"), "parallax-trace = 1\n" + lines);
  }

  private void page(int used) throws Exception {
    Files.write(shared, ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN).putInt(AT + 4, used).array());
  }

  private Run control(String word) {
    return Run.of("control", directory, word);
  }

  private void assertFails(Run run, int status, String message) {
    assertEquals(status, run.status());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void pausesAndResumes() throws Exception {
    assertEquals("recording\n", control("status").out());
    long before = System.nanoTime();
    assertEquals("paused, 1 pause\n", control("pause").out());
    assertTrue(control("pause").out().startsWith("paused for 0."), "no second change");
    assertEquals("recording, 1 pause\n", control("resume").out());
    long after = System.nanoTime();
    ByteBuffer page = ByteBuffer.wrap(Files.readAllBytes(shared)).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(2, page.getInt(AT));
    long paused = page.getLong(AT + 8);
    long resumed = page.getLong(AT + 16);
    assertTrue(before <= paused && paused < resumed && resumed <= after, paused + " " + resumed);
    assertEquals("paused, 2 pauses\n", control("pause").out());
  }

  @Test
  void saysWhyARunCannotBePaused() throws Exception {
    assertFails(Run.of("control", directory), 2, "name one of: pause, resume, status");
    assertFails(control("stop"), 2, "name one of: pause, resume, status");
    assertFails(Run.of("control", directory.resolve("none"), "pause"), 1, "is no trace of a run");
    page(0);
    assertFails(control("pause"), 1, "can be paused yet");
    Files.delete(shared);
    assertFails(control("pause"), 1, "has begun on this machine");
    manifest("control = running\nended = 2026-01-01T00:00:00Z\n");
    assertFails(control("pause"), 1, "has ended");
    manifest("");
    assertFails(control("pause"), 1, "start it with: parallax record --control");
  }
}
