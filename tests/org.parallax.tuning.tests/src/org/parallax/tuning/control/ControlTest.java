package org.parallax.tuning.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.tuning.analyzer.SimulatedProgram;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.ProgramMonitor;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/** Commands over the socket, to a session with a simulated task whose messages need larger fragments. */
@SuppressWarnings("try") // a server is only to be there
class ControlTest {
  private static final long PATIENCE_MS = 10_000;

  @TempDir Path directory;
  private SimulatedProgram program;
  private ProgramMonitor monitor;
  private LiveSession session;
  private Thread runner;

  @BeforeEach
  void begin() {
    program = new SimulatedProgram(3, (random, message) -> 100_000 * (0.9 + 0.2 * random.nextDouble()),
        (task, size, random) -> (2e-3 + 10 / task.fragment()) * (0.98 + 0.04 * random.nextDouble()));
    monitor = new ProgramMonitor(program, 1);
    SessionStart start = new SessionStart(false, 7, 200_000_000,
        BuiltInModels.all().stream().filter(model -> model.name().equals("pvm-fragment-size")).toList(), List.of("./is", "1"));
    session = new LiveSession(monitor, start, null, decision -> { });
    runner = new Thread(() -> {
      try {
        session.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    runner.start();
  }

  @AfterEach
  void end() throws Exception {
    monitor.vanish();
    runner.join(PATIENCE_MS);
    assertFalse(runner.isAlive());
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.currentTimeMillis() + PATIENCE_MS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.currentTimeMillis() < end, () -> "not in time: " + session.state().decisions());
      Thread.sleep(2);
    }
  }

  private String ask(String command) throws ControlException, InterruptedException {
    return ControlClient.ask(directory, command);
  }

  private String refused(String command) {
    return assertThrows(ControlException.class, () -> ask(command)).getMessage();
  }

  private double fragment() {
    return program.tasks().get(0).fragment();
  }

  @Test
  void adviseBecomesActAndAnActionIsUndone() throws Exception {
    try (ControlServer server = new ControlServer(directory, session)) {
      monitor.allow(60);
      await(() -> !session.state().actions().isEmpty());
      String status = ask("status");
      assertTrue(status.startsWith("advise, "), status);
      assertTrue(status.contains("advice") && status.contains("advised") && status.contains("pvm_setopt(10, 1"), status);
      assertTrue(status.contains("sent") && status.contains("best = 1"), status);
      assertEquals(4096, fragment());
      assertEquals("no action is on, so there is nothing to undo", refused("undo"));
      assertTrue(ask("act").startsWith("act, "), status);
      monitor.allow(400);
      await(() -> session.state().kept() == 1);
      // The last period of the trial may be one without it.
      await(() -> fragment() > 90_000 && session.state().timeNs() >= 92_000_000_000L);
      assertEquals("action 9 does not exist; those that are on: 1", refused("undo 9"));
      String waits = refused("undo 1");
      assertEquals("action 1 is being undone: the program did not reach its safe moment in 5 s, and does it when it gets there",
          waits);
      assertEquals("being undone", session.state().actions().get(0).shown());
      assertEquals("no action that is on can be undone; see: status", refused("undo"));
      monitor.allow(300);
      await(() -> fragment() == 4096 && session.state().timeNs() > 100_000_000_000L);
      // The same does not come again while the program does the same.
      assertEquals(1, session.state().actions().stream().filter(action -> action.number() > 0).count());
      assertEquals("undone", session.state().actions().get(0).shown());
      assertEquals("no action is on, so there is nothing to undo", refused("undo 1"));
    }
  }

  private void keepOne() throws Exception {
    ask("act");
    monitor.allow(400);
    await(() -> session.state().kept() == 1);
    await(() -> fragment() > 90_000 && session.state().timeNs() >= 80_000_000_000L);
  }

  /** The program runs on while the command waits. */
  @Test
  void anUndoReturnsWhenTheProgramHasDoneIt() throws Exception {
    try (ControlServer server = new ControlServer(directory, session)) {
      keepOne();
      CompletableFuture<String> undone = CompletableFuture.supplyAsync(() -> {
        try {
          return ask("undo");
        } catch (ControlException | InterruptedException e) {
          return e.getMessage();
        }
      });
      await(() -> session.state().actions().get(0).shown().equals("being undone"));
      assertFalse(undone.isDone());
      monitor.allow(2);
      String text = undone.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
      assertTrue(text.startsWith("undone: action 1, pvm_setopt(10, 1"), text);
      assertEquals(4096, fragment());
    }
  }

  @Test
  void anActionOfAProcessThatHasEndedIsNotUndone() throws Exception {
    try (ControlServer server = new ControlServer(directory, session)) {
      keepOne();
      monitor.later(() -> program.end(program.tasks().get(0)));
      await(() -> session.state().actions().get(0).shown().equals("kept, ended"));
      assertEquals("no action is on, so there is nothing to undo", refused("undo"));
      assertEquals("no action is on, so there is nothing to undo", refused("undo 1"));
    }
  }

  @Test
  void pauseRemovesThePointsAndStopIsForEver() throws Exception {
    try (ControlServer server = new ControlServer(directory, session)) {
      monitor.allow(3);
      await(() -> session.state().points().stream().anyMatch(point -> point.isOn()));
      assertTrue(ask("pause").startsWith("paused, "));
      assertTrue(session.state().points().stream().noneMatch(point -> point.isOn()));
      assertTrue(ask("resume").startsWith("advise, "));
      assertTrue(session.state().points().stream().anyMatch(point -> point.isOn()));
      assertTrue(ask("stop").startsWith("stopped, "));
      assertTrue(session.state().points().stream().noneMatch(point -> point.isOn()));
      assertEquals("tuning was stopped; only undo and status are possible", refused("act"));
    }
  }

  @Test
  void onlyTheOwnerReachesItAndBadWordsAreTold() throws Exception {
    Path socket = directory.resolve(ControlServer.SOCKET);
    try (ControlServer server = new ControlServer(directory, session)) {
      assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
      assertEquals("unknown command pauze; did you mean pause?", refused("pauze"));
      assertEquals("too many words after act", refused("act 1"));
      try (SocketChannel rude = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
        rude.write(ByteBuffer.wrap(new byte[1000]));
      }
      assertTrue(ask("status").startsWith("advise, "));
    }
    assertFalse(Files.exists(socket));
    assertEquals("there is no session in " + directory + "; begin one with: parallax tune -o " + directory + " -- COMMAND",
        refused("status"));
    Path deep = Files.createDirectories(directory.resolve("d".repeat(120)));
    assertTrue(assertThrows(IOException.class, () -> new ControlServer(deep, session)).getMessage()
        .endsWith("is too long for a socket; choose a shorter directory"));
  }

  /** Its process is stopped, say, by a debugger. */
  @Test
  void aSessionThatDoesNotAnswerIsTold() throws Exception {
    try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      silent.bind(UnixDomainSocketAddress.of(directory.resolve(ControlServer.SOCKET)));
      assertEquals("the session in " + directory + " did not answer in 1 s; the process that tunes may be stopped or very busy",
          assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertThrows(ControlException.class,
              () -> ControlClient.ask(directory, "status", 1000))).getMessage());
    }
  }

  @Test
  void aSessionThatHasEndedTakesNoCommand() throws Exception {
    try (ControlServer server = new ControlServer(directory, session)) {
      monitor.vanish();
      runner.join(PATIENCE_MS);
      assertEquals("the session has ended", refused("act"));
      assertTrue(ask("status").startsWith("ended, "));
    }
  }
}
