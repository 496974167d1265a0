package org.parallax.tuning.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.SessionWriter.SessionStart;

class ProcessMonitorTest {
  @TempDir Path directory;
  private Path program;
  private final List<String> heard = new ArrayList<>();

  @BeforeEach
  void makeMonitor() throws Exception {
    program = Files.createFile(directory.resolve("monitor"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(program, "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
        + "' -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path")
        + "' org.parallax.tuning.monitor.SimulatedMonitor \"$MODE\" \"$@\"\n");
  }

  private void mode(String mode) throws Exception {
    Files.writeString(program, Files.readString(program).replace("$MODE", mode));
  }

  private LiveSession session(ProcessMonitor monitor) {
    return new LiveSession(monitor, new SessionStart(false, 1, 200_000_000, BuiltInModels.all(), List.of("x")), null,
        decision -> heard.add(decision.reason()));
  }

  @Test
  void linesGoBothWays() throws Exception {
    mode("--good");
    try (ProcessMonitor monitor = ProcessMonitor.start(program, List.of(), List.of("x"))) {
      LiveSession session = session(monitor);
      assertTrue(session.run());
      assertEquals(7, session.status());
      assertEquals(7, monitor.waitFor());
    }
    assertEquals(List.of("the monitor sent a line that is no JSON (expected a value at character 1): no JSON",
        "heard {'type':'interval','ns':200000000}"), heard);
  }

  /** Another process has found the socket, and says nothing. */
  @Test
  void whoSaysNothingDoesNotKeepTheMonitorOut() throws Exception {
    mode("--second");
    int status = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
      try (ProcessMonitor monitor = ProcessMonitor.start(program, List.of(), List.of("x"))) {
        assertTrue(session(monitor).run());
        return monitor.waitFor();
      }
    });
    assertEquals(7, status);
  }

  @Test
  void aMonitorThatVanishesEndsTheTuningOnly() throws Exception {
    mode("--vanishes");
    try (ProcessMonitor monitor = ProcessMonitor.start(program, List.of(), List.of("x"))) {
      assertFalse(session(monitor).run());
    }
  }

  @Test
  void whoDoesNotKnowTheSecretIsNotHeard() throws Exception {
    mode("--wrong");
    String message = assertThrows(MonitorException.class,
        () -> ProcessMonitor.start(program, List.of(), List.of("x"))).getMessage();
    assertEquals("the monitor has ended with status 0 before it connected", message);
  }

  @Test
  void aMonitorThatDoesNotStartIsTold() throws Exception {
    mode("--dies");
    assertEquals("the monitor has ended with status 3 before it connected", assertThrows(MonitorException.class,
        () -> ProcessMonitor.start(program, List.of(), List.of("x"))).getMessage());
    assertTrue(assertThrows(MonitorException.class, () -> ProcessMonitor.start(directory.resolve("none"), List.of(),
        List.of("x"))).getMessage().contains("./parallax setup"));
  }
}
