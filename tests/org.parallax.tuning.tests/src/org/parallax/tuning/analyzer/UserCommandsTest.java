package org.parallax.tuning.analyzer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.model.BuiltInModels;

/** What a person asks for while a simulated task is tuned whose messages grow. */
class UserCommandsTest {
  private final List<Decision> decisions = new ArrayList<>();
  private double size = 100_000;
  private SimulatedProgram program;
  private Analyzer analyzer;

  @BeforeEach
  void begin() {
    program = new SimulatedProgram(3, (random, message) -> size * (0.9 + 0.2 * random.nextDouble()),
        (task, bytes, random) -> (2e-3 + Math.ceil(bytes / task.fragment) * 1e-4) * (0.98 + 0.04 * random.nextDouble()));
    analyzer = new Analyzer(BuiltInModels.all().stream().filter(model -> model.name().equals("pvm-fragment-size")).toList(),
        true, 7, SimulatedProgram.INTERVAL_NS, program::take, decisions::add);
    program.begin(analyzer::take, 1);
  }

  private void say(String command) {
    analyzer.take(new LinkedHashMap<>(Map.of("type", "user", "command", command)));
  }

  private long count(Kind kind) {
    return decisions.stream().filter(decision -> decision.kind() == kind).count();
  }

  private void runUntil(Kind kind, int times) {
    for (int i = 0; count(kind) < times; i++) {
      assertTrue(i < 2000, decisions::toString);
      program.run(1);
    }
    program.run(2);
  }

  private double fragment() {
    return program.tasks().get(0).fragment();
  }

  @Test
  void anActionIsUndoneWithThoseThatFollowedIt() {
    runUntil(Kind.KEEP, 1);
    double first = fragment();
    size = 600_000;
    runUntil(Kind.KEEP, 2);
    assertTrue(fragment() > 5 * first, () -> fragment() + " after " + first);
    say("undo 2");
    program.run(2);
    assertEquals(first, fragment());
    assertEquals(1, count(Kind.UNDO));
    say("undo 1");
    program.run(2);
    assertEquals(4096, fragment());
    // Neither comes again while the messages stay as they are.
    program.run(500);
    assertEquals(2, count(Kind.TRY), decisions::toString);
    say("undo 1");
    assertEquals("there is no action 1 that could be undone", decisions.get(decisions.size() - 1).reason());
  }

  @Test
  void theFirstIsNotUndoneAlone() {
    runUntil(Kind.KEEP, 1);
    size = 600_000;
    runUntil(Kind.KEEP, 2);
    say("undo 1");
    program.run(2);
    assertEquals(2, count(Kind.UNDO));
    assertEquals(4096, fragment());
  }

  @Test
  void aTrialIsUndoneAtOnce() {
    runUntil(Kind.TRY, 1);
    program.run(3);
    say("undo 1");
    program.run(300);
    assertEquals(4096, fragment());
    assertEquals(1, count(Kind.TRY), decisions::toString);
    assertEquals(0, count(Kind.KEEP));
    assertEquals("as you asked", decisions.stream().filter(decision -> decision.kind() == Kind.UNDO).findFirst().orElseThrow()
        .reason());
  }

  @Test
  void stopKeepsWhatHelpedAndDoesNothingMore() {
    runUntil(Kind.KEEP, 1);
    double first = fragment();
    say("stop");
    assertFalse(program.isMeasured());
    size = 600_000;
    program.addTask();
    program.run(300);
    say("resume");
    say("act");
    program.run(300);
    assertFalse(program.isMeasured());
    assertEquals(first, fragment());
    assertEquals(1, count(Kind.TRY));
    assertEquals(0, count(Kind.EXTEND));
    say("undo 1");
    program.run(2);
    assertEquals(4096, fragment());
  }
}
