package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.tuning.session.Replay;
import org.parallax.tuning.session.SessionWriter;

/** The tuning of a program that runs already ends before the program, in all ways in which a person ends it. */
class AttachedTuneEndTest {
  private static final Path NATIVE =
      Path.of(System.getProperty("parallax.root", "."), "native", "build").toAbsolutePath().normalize();
  private static final int LIMIT_SECONDS = 60;
  /** It stays on trial until the tuning ends: its periods have too few visits. With the seed, the first one has the new setting. */
  private static final String MODEL = """
      name: unit
      about: A larger unit
      measure: [{name: locks, routines: [pthread_mutex_lock]}]
      each: process
      after: 20 of locks
      when: count(locks) > 10
      act: {set_variable: lock_unit, type: i64, value: 2, at: pthread_mutex_lock}
      verify: {metric: elapsed() / count(locks), better: lower, after: 999999999 of locks}
      reason: "{count(locks)} locks"
      """;

  @TempDir Path directory;
  private final List<Process> started = new ArrayList<>();
  private Process program;
  private Path stop;

  @BeforeEach
  void startProgram() throws IOException {
    stop = directory.resolve("stop");
    program = start("program", NATIVE.resolve("programs/locks_until").toString(), stop.toString());
    Files.writeString(directory.resolve("unit.yaml"), MODEL);
    Files.createDirectory(directory.resolve("tmp"));
  }

  @AfterEach
  void endAll() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Its output and errors go to a file of the name. */
  private Process start(String name, String... words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(directory.resolve(name).toFile());
    builder.environment().put("SHELL", "/bin/sh");
    builder.environment().put("TMPDIR", directory.resolve("tmp").toString());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private List<String> tune(String session) {
    return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
        "-Dparallax.tune=" + NATIVE.resolve("parallax-tune"), "-Djava.io.tmpdir=" + directory.resolve("tmp"), "-cp",
        System.getProperty("java.class.path"), Main.class.getName(), "tune", "--act", "--only", "unit", "--model",
        directory.resolve("unit.yaml").toString(), "--interval", "20ms", "--seed", "1", "-o", directory.resolve(session).toString(), "--attach",
        Long.toString(program.pid()));
  }

  /** In a group of processes of its own, whose signals are as those of a terminal, also if the tests ignore them. */
  private Process tuneInGroup(String session) throws IOException {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,TERM,HUP", "setsid"));
    words.addAll(tune(session));
    return start(session + ".out", words.toArray(String[]::new));
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(String session, Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!condition.holds()) {
      assertTrue(System.nanoTime() < end && program.isAlive(), () -> session + ": " + read(directory.resolve(session + ".out")));
      Thread.sleep(20);
    }
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Until the program has taken the action. */
  private void awaitAction(String session) throws Exception {
    Path file = directory.resolve(session).resolve(SessionWriter.FILE);
    await(session, () -> read(file).lines().anyMatch(line -> line.contains("\"type\":\"action\"") && line.contains("\"done\"")));
  }

  private static void signal(String signal, String processes) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, "--", processes).inheritIO().start().waitFor());
  }

  /** The action is undone, all points are removed, the session replays, and nothing is left but the session. */
  private void hasEnded(String session) throws Exception {
    Path recorded = directory.resolve(session);
    assertEquals(List.of(), Replay.of(recorded).differences());
    List<String> lines = Files.readAllLines(recorded.resolve(SessionWriter.FILE));
    List<String> kinds = lines.stream().filter(line -> line.startsWith("{\"decision\"")).map(line -> line.replaceAll(".*\"kind\":\"(\\w+)\".*", "$1"))
        .toList();
    assertEquals(List.of("try", "undo"), kinds, session);
    List<String> points = lines.stream().filter(line -> line.startsWith("{\"out\":{\"type\":\"points\"")).toList();
    assertTrue(points.get(points.size() - 1).contains("\"points\":[]"), () -> session + ": " + points);
    try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
      assertEquals(List.of(), files.toList(), session + ": temporary files");
    }
    assertTrue(program.isAlive());
  }

  @Test
  void theProgramGoesOnAsBefore() throws Exception {
    // Of the command alone, as a service that is stopped.
    Process tuned = tuneInGroup("term");
    awaitAction("term");
    signal("TERM", Long.toString(tuned.pid()));
    endsWell("term", tuned);
    // Ctrl-C is for all processes of the terminal's group.
    tuned = tuneInGroup("interrupt");
    awaitAction("interrupt");
    signal("INT", "-" + tuned.pid());
    endsWell("interrupt", tuned);
    // A terminal that is closed.
    Process terminal = start("hangup.out", "script", "-qec", "exec env --default-signal=INT,TERM,HUP " + quoted(tune("hangup")), "/dev/null");
    awaitAction("hangup");
    List<ProcessHandle> inside = terminal.descendants().toList();
    terminal.destroyForcibly();
    await("hangup", () -> inside.stream().noneMatch(ProcessHandle::isAlive));
    hasEnded("hangup");
    Files.createFile(stop);
    assertTrue(program.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(Map.entry(0, "locks_until unit=1 reference=first changed=yes locks=some\n"),
        Map.entry(program.exitValue(), Files.readString(directory.resolve("program"))));
  }

  private void endsWell(String session, Process tuned) throws Exception {
    assertTrue(tuned.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), session);
    String output = Files.readString(directory.resolve(session + ".out"));
    assertTrue(output.contains(": tuning ends before its effect was verified\n"), output);
    assertTrue(output.contains("\ntuning has ended, and the program goes on\n"), output);
    assertTrue(output.endsWith("; next: parallax tune --replay " + directory.resolve(session) + "\n"), output);
    assertEquals(0, tuned.exitValue(), output);
    hasEnded(session);
  }

  private static String quoted(List<String> words) {
    return String.join(" ", words.stream().map(word -> "'" + word + "'").toList());
  }
}
