package org.parallax.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tests and builds that {@code ./parallax test} runs beside these: a shell that starts CTest, then Ninja by
 * {@code cmake --build}.
 *
 * <p>A measurement pauses them. What starts programs is stopped, and what was started goes on to its end: a test whose own
 * processes were stopped could fail. CTest takes a pause for a part of the test that ran when it began, so that a pause
 * must be short beside its time limits. Builds may be paused for as long as one likes.
 */
final class TestsBeside {
  private static final int POLL_MS = 10;

  private final ProcessHandle shell;
  private final List<ProcessHandle> stopped = new ArrayList<>();
  private final Thread atExit = new Thread(this::goOn, "resume tests beside");

  TestsBeside(ProcessHandle shell) {
    this.shell = shell;
  }

  /**
   * Stops what starts programs, and waits for the end of those that it has started.
   *
   * @return whether they have ended in this time; if not, everything goes on as before
   */
  synchronized boolean pause(long limitMs) throws InterruptedException, IOException {
    Runtime.getRuntime().addShutdownHook(atExit);
    boolean paused = false;
    try {
      paused = stopAll(limitMs);
      return paused;
    } finally {
      if (!paused) {
        resume();
      }
    }
  }

  private boolean stopAll(long limitMs) throws InterruptedException, IOException {
    long beginNs = System.nanoTime();
    stop(shell);
    for (;;) {
      // A stopped one can have started others just before.
      boolean runs = !stopped.stream().allMatch(process -> state(process) == 'T' || hasEnded(process));
      for (ProcessHandle process : shell.descendants().toList()) {
        if (stopped.contains(process) || hasEnded(process)) {
          continue;
        }
        runs = true;
        if (startsPrograms(process)) {
          stop(process);
        }
      }
      if (!runs || System.nanoTime() - beginNs > limitMs * 1_000_000) {
        return !runs;
      }
      Thread.sleep(POLL_MS);
    }
  }

  /** Waits until no tests are among them, only builds. If a measurement was killed while it paused them, they go on first. */
  void awaitTests() throws InterruptedException, IOException {
    goOnAfterKill();
    while (shell.descendants().anyMatch(process -> name(process).equals("ctest"))) {
      Thread.sleep(POLL_MS);
    }
  }

  /** Waits until they have ended; as there. */
  void awaitEnd() throws IOException {
    goOnAfterKill();
    shell.onExit().join();
  }

  private void goOnAfterKill() throws IOException {
    signal("CONT", shell);
    for (ProcessHandle process : shell.descendants().filter(TestsBeside::startsPrograms).toList()) {
      signal("CONT", process);
    }
  }

  /** Lets what was stopped go on. */
  synchronized void resume() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    goOn();
  }

  private void goOn() {
    for (ProcessHandle process : stopped) {
      try {
        signal("CONT", process);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    stopped.clear();
  }

  private void stop(ProcessHandle process) throws IOException {
    signal("STOP", process);
    stopped.add(process);
  }

  private static void signal(String name, ProcessHandle process) throws IOException {
    Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    kill.onExit().join();  // it fails if the process has ended
  }

  /** CMake runs Ninja also to find out what the compiler can do; that is awaited. */
  private static boolean startsPrograms(ProcessHandle process) {
    return switch (name(process)) {
      case "ctest" -> true;
      case "cmake" -> builds(process);
      case "ninja" -> process.parent().filter(TestsBeside::builds).isPresent();
      default -> false;
    };
  }

  private static boolean builds(ProcessHandle process) {
    return process.info().arguments().map(List::of).orElse(List.of()).contains("--build");
  }

  private static String name(ProcessHandle process) {
    String stat = stat(process).orElse("()");
    return stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  }

  /** Also one that its parent, which is stopped, does not know to have ended. */
  private static boolean hasEnded(ProcessHandle process) {
    return state(process) == 'Z';
  }

  /** @return the letter of the kernel: T if it is stopped, Z if it is gone or has ended */
  static char state(ProcessHandle process) {
    return stat(process).map(stat -> stat.charAt(stat.lastIndexOf(')') + 2)).orElse('Z');
  }

  private static Optional<String> stat(ProcessHandle process) {
    try {
      return Optional.of(Files.readString(Path.of("/proc/" + process.pid() + "/stat")));
    } catch (IOException e) {
      return Optional.empty();  // it has ended
    }
  }
}
