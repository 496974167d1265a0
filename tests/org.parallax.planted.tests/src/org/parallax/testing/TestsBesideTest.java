package org.parallax.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TestsBesideTest {
  private static final long MINUTES_MS = 180_000;
  private static final String UNTIL_GO = "until [[ -e go ]]; do sleep 0.05; done\n";

  @TempDir
  Path folder;
  private Process shell;

  /** A shell that runs a script of this name, as a program of its own, and then writes the file "end". */
  private void start(String name, String arguments, String script) throws Exception {
    Path program = program(name, script);
    shell = new ProcessBuilder("bash", "-c", program + arguments + "\ntouch end").directory(folder.toFile()).start();
  }

  private Path program(String name, String script) throws IOException {
    Path program = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + script);
    assertTrue(program.toFile().setExecutable(true));
    return program;
  }

  @AfterEach
  void end() throws Exception {
    List<ProcessHandle> all = shell.descendants().toList();
    shell.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    shell.waitFor();
  }

  private ProcessHandle await(Predicate<ProcessHandle> which) throws Exception {
    for (;;) {
      Optional<ProcessHandle> found = shell.descendants().filter(which).findAny();
      if (found.isPresent()) {
        return found.get();
      }
      Thread.sleep(5);
    }
  }

  private static Predicate<ProcessHandle> command(String part) {
    return process -> process.info().commandLine().orElse("").contains(part);
  }

  private void awaitFile(String name) throws Exception {
    while (!Files.exists(folder.resolve(name))) {
      Thread.sleep(5);
    }
  }

  @Test
  void whatRunsEndsAndNothingElseBegins() throws Exception {
    start("ctest", "", UNTIL_GO + "touch last");
    ProcessHandle tests = await(command("ctest"));
    TestsBeside beside = new TestsBeside(shell.toHandle());
    assertTrue(beside.pause(MINUTES_MS));
    assertEquals('T', TestsBeside.state(tests));
    assertEquals('T', TestsBeside.state(shell.toHandle()));
    assertTrue(tests.descendants().allMatch(process -> TestsBeside.state(process) == 'Z'));
    Files.createFile(folder.resolve("go"));
    assertFalse(Files.exists(folder.resolve("last")));
    beside.resume();
    awaitFile("last");
    awaitFile("end");
  }

  @Test
  void whatTakesTooLongGoesOn() throws Exception {
    start("ctest", "", "sleep 1000; touch last");
    ProcessHandle tests = await(command("ctest"));
    await(command("sleep 1000"));
    assertFalse(new TestsBeside(shell.toHandle()).pause(50));
    assertNotEquals('T', TestsBeside.state(tests));
    assertNotEquals('T', TestsBeside.state(shell.toHandle()));
  }

  @Test
  void whatIsInterruptedLetsThemGoOn() throws Exception {
    start("ctest", "", "sleep 1000");
    ProcessHandle tests = await(command("ctest"));
    TestsBeside beside = new TestsBeside(shell.toHandle());
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> beside.pause(MINUTES_MS));
    assertNotEquals('T', TestsBeside.state(tests));
    assertNotEquals('T', TestsBeside.state(shell.toHandle()));
  }

  @Test
  void whatAKilledMeasurementStoppedGoesOnToItsEnd() throws Exception {
    start("ctest", "", UNTIL_GO);
    ProcessHandle tests = await(command("ctest"));
    assertTrue(new TestsBeside(shell.toHandle()).pause(MINUTES_MS));
    assertEquals('T', TestsBeside.state(tests));
    Files.createFile(folder.resolve("go"));
    new TestsBeside(shell.toHandle()).awaitEnd();
    assertTrue(Files.exists(folder.resolve("end")));
  }

  @Test
  void testsAreAwaited() throws Exception {
    start("ctest", "", UNTIL_GO);
    await(command("ctest"));
    TestsBeside beside = new TestsBeside(shell.toHandle());
    CompletableFuture<Void> awaited = CompletableFuture.runAsync(() -> {
      try {
        beside.awaitTests();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    assertThrows(TimeoutException.class, () -> awaited.get(1, TimeUnit.SECONDS));
    Files.createFile(folder.resolve("go"));
    awaited.get();
  }

  @Test
  void buildsAreNotAwaited() throws Exception {
    program("ninja", UNTIL_GO);
    start("cmake", " --build", "./ninja; true");
    await(command("./ninja"));
    new TestsBeside(shell.toHandle()).awaitTests();
    Files.createFile(folder.resolve("go"));
    awaitFile("end");
  }

  /** As "cmake --build" does. */
  @Test
  void aBuildIsPausedToo() throws Exception {
    program("ninja", UNTIL_GO);
    start("cmake", " --build", "./ninja; true");
    ProcessHandle ninja = await(command("./ninja"));
    TestsBeside beside = new TestsBeside(shell.toHandle());
    assertTrue(beside.pause(MINUTES_MS));
    assertEquals('T', TestsBeside.state(ninja));
    Files.createFile(folder.resolve("go"));
    beside.resume();
    awaitFile("end");
  }

  /** It is the end of the configuration that is waited for. */
  @Test
  void whatTheCompilerCanDoIsFoundOut() throws Exception {
    program("ninja", UNTIL_GO);
    start("cmake", " -S .", "./ninja; touch configured");
    await(command("./ninja"));
    TestsBeside beside = new TestsBeside(shell.toHandle());
    CompletableFuture.runAsync(() -> {
      try {
        while (TestsBeside.state(shell.toHandle()) != 'T') {
          Thread.sleep(5);
        }
        Files.createFile(folder.resolve("go"));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    assertTrue(beside.pause(MINUTES_MS));
    assertTrue(Files.exists(folder.resolve("configured")));
    assertFalse(Files.exists(folder.resolve("end")));
    beside.resume();
    awaitFile("end");
  }
}
