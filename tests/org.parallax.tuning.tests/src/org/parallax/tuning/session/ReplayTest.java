package org.parallax.tuning.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.tuning.analyzer.Analyzer;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.analyzer.SimulatedProgram;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.session.SessionWriter.SessionStart;

class ReplayTest {
  private static final SessionStart START =
      new SessionStart(true, 7, 200_000_000, BuiltInModels.all(), List.of("./master", "10"));

  @TempDir Path directory;

  private List<Decision> record() throws Exception {
    List<Decision> decisions = new ArrayList<>();
    try (SessionWriter writer = new SessionWriter(directory, START)) {
      SimulatedProgram program = new SimulatedProgram(3, (random, message) -> 100_000 * random.nextDouble(),
          (task, size, random) -> (2e-3 + 10 / task.fragment()) * (0.9 + 0.2 * random.nextDouble()));
      Analyzer analyzer = new Analyzer(START.models(), START.isActing(), START.seed(), START.intervalNs(), line -> {
        writer.out(line);
        program.take(line);
      }, decision -> {
        writer.decision(decision);
        decisions.add(decision);
      });
      program.begin(line -> {
        writer.in(line);
        analyzer.take(line);
      }, 2);
      program.run(300);
    }
    return decisions;
  }

  private Path file() {
    return directory.resolve(SessionWriter.FILE);
  }

  @Test
  void theSameIsDecidedAgain() throws Exception {
    List<Decision> decisions = record();
    assertTrue(decisions.stream().anyMatch(decision -> decision.kind() == Decision.Kind.KEEP), decisions.toString());
    Replay.Result again = Replay.of(directory);
    assertEquals(decisions.stream().map(Decision::shown).toList(), again.decisions().stream().map(Decision::shown).toList());
    assertEquals(List.of(), again.differences());
    assertEquals(START.command(), again.command());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
  }

  /** A killed session ends within a line. */
  @Test
  void aCutSessionIsReplayedUpToThere() throws Exception {
    record();
    byte[] all = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(all, all.length * 2 / 3));
    Replay.Result result = Replay.of(directory);
    assertEquals(List.of(), result.differences());
    assertFalse(result.decisions().isEmpty());
  }

  @Test
  void anotherDecisionIsFound() throws Exception {
    record();
    String text = Files.readString(file());
    Files.writeString(file(), text.replaceFirst("\"arguments\":\\[10,\\d+\\]", "\"arguments\":[10,77]"));
    assertEquals(1, Replay.of(directory).differences().size());
  }

  @Test
  void theSecretIsNotRecorded() throws Exception {
    try (SessionWriter writer = new SessionWriter(directory, START)) {
      writer.in(Map.of("type", "hello", "secret", "abcd"));
    }
    assertFalse(Files.readString(file()).contains("abcd"));
  }

  @Test
  void whatIsNoSessionIsTold() throws Exception {
    assertTrue(assertThrows(SessionException.class, () -> Replay.of(directory)).getMessage().contains("there is no session"));
    Files.writeString(file(), "");
    assertTrue(assertThrows(SessionException.class, () -> Replay.of(directory)).getMessage().contains("is empty"));
    Files.writeString(file(), "{\"in\":{}}\n");
    assertTrue(assertThrows(SessionException.class, () -> Replay.of(directory)).getMessage()
        .endsWith("session.jsonl:1: expected a session of version 1"));
  }
}
