package org.parallax.tuning.analyzer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.tuning.analyzer.Decision.Kind;

/** What a person asks for while a simulated task is tuned whose messages grow. */
class UserCommandsTest extends AnalyzerFixture {
  private double size = 100_000;

  @BeforeEach
  void begin() {
    start(true, (random, message) -> size * (0.9 + 0.2 * random.nextDouble()), (task, bytes, random) ->
        (2e-3 + Math.ceil(bytes / task.fragment) * 1e-4) * (0.98 + 0.04 * random.nextDouble()), 1, FRAGMENT);
  }

  private void runUntil(Kind kind, int times) {
    until(kind, times);
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
    user("undo 2");
    program.run(2);
    assertEquals(first, fragment());
    assertEquals(1, count(Kind.UNDO));
    user("undo 1");
    program.run(2);
    assertEquals(4096, fragment());
    // Neither comes again while the messages stay as they are.
    program.run(500);
    assertEquals(2, count(Kind.TRY), this::shown);
    user("undo 1");
    assertEquals("there is no action 1 that could be undone", decisions.get(decisions.size() - 1).reason());
  }

  @Test
  void theFirstIsNotUndoneAlone() {
    runUntil(Kind.KEEP, 1);
    size = 600_000;
    runUntil(Kind.KEEP, 2);
    user("undo 1");
    program.run(2);
    assertEquals(2, count(Kind.UNDO));
    assertEquals(4096, fragment());
  }

  @Test
  void aTrialIsUndoneAtOnce() {
    runUntil(Kind.TRY, 1);
    program.run(3);
    user("undo 1");
    program.run(300);
    assertEquals(4096, fragment());
    assertEquals(1, count(Kind.TRY), this::shown);
    assertEquals(0, count(Kind.KEEP));
    assertEquals("as you asked", first(Kind.UNDO)
        .reason());
  }

  /** A person undoes an action, and lets only advise for a while. */
  @Test
  void whatWasUndoneDoesNotComeAgainAfterAdviceAlone() {
    runUntil(Kind.KEEP, 1);
    user("undo 1");
    program.run(2);
    user("advise");
    program.run(200);
    user("act");
    program.run(400);
    assertEquals(1, count(Kind.TRY), this::shown);
    assertEquals(0, count(Kind.ADVISE), this::shown);
    assertEquals(4096, fragment());
  }

  @Test
  void decisionsTellTheirAction() {
    runUntil(Kind.KEEP, 1);
    size = 600_000;
    runUntil(Kind.KEEP, 2);
    user("undo");
    assertEquals(List.of(1, 1, 2, 2, 2, 1), decisions.stream().filter(decision -> decision.kind() != Kind.REST)
        .map(Decision::action).toList(), this::shown);
    assertEquals(Map.of(1, Standing.BEING_UNDONE, 2, Standing.BEING_UNDONE), analyzer.standings());
    program.run(2);
    assertEquals(Map.of(), analyzer.standings());
  }

  @Test
  void anActionOfAProcessThatHasEndedIsNotOn() {
    runUntil(Kind.KEEP, 1);
    assertEquals(Map.of(1, Standing.ON), analyzer.standings());
    program.end(program.tasks().get(0));
    assertEquals(Map.of(), analyzer.standings());
    user("undo");
    assertEquals(0, count(Kind.UNDO), this::shown);
  }

  @Test
  void stopKeepsWhatHelpedAndDoesNothingMore() {
    runUntil(Kind.KEEP, 1);
    double first = fragment();
    user("stop");
    assertFalse(program.isMeasured());
    size = 600_000;
    program.addTask();
    program.run(300);
    user("resume");
    user("act");
    program.run(300);
    assertFalse(program.isMeasured());
    assertEquals(first, fragment());
    assertEquals(1, count(Kind.TRY));
    assertEquals(0, count(Kind.EXTEND));
    user("undo 1");
    program.run(2);
    assertEquals(4096, fragment());
  }
}
