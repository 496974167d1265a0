package org.parallax.tuning.analyzer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.parallax.tuning.analyzer.Decision.Kind;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.ModelFile;

/** How actions end that do not stay: undone, taken back, given up, or left by a person or the end of tuning. */
class EndedActionsTest extends AnalyzerFixture {
  @Test
  void aHeterogeneousHostRestoresTheEncodingAtOnce() {
    start(true, constant(10_000), (task, size, random) -> (task.isRaw ? 2e-3 : 3e-3) * noise(random), 2, ENCODING);
    program.run(300);
    assertEquals(1, count(Kind.KEEP), this::shown);
    assertTrue(program.tasks().stream().allMatch(task -> task.isRaw));
    program.host("h1", "added", "SUN4SOL2");
    assertEquals(1, count(Kind.RESTORE), this::shown);
    program.run(1);
    assertTrue(program.tasks().stream().noneMatch(task -> task.isRaw));
    program.run(100);
    assertEquals(1, count(Kind.TRY), "not with hosts of two architectures\n" + shown());
    program.host("h1", "left", "SUN4SOL2");
    program.run(400);
    assertTrue(program.tasks().stream().allMatch(task -> task.isRaw), this::shown);
  }

  /** A trial is under way when the host joins. */
  @Test
  void aHeterogeneousHostEndsATrial() {
    start(true, constant(10_000), (task, size, random) -> (task.isRaw ? 2e-3 : 3e-3) * noise(random), 1, ENCODING);
    while (!program.tasks().get(0).isRaw) {
      program.run(1);
    }
    assertEquals(0, count(Kind.KEEP));
    program.host("h1", "added", "SUN4SOL2");
    program.run(2);
    assertFalse(program.tasks().get(0).isRaw, this::shown);
    assertEquals(1, count(Kind.RESTORE), this::shown);
  }

  @Test
  void lostRefusedAndUnansweredActionsAreGivenUp() {
    for (String answer : List.of("lost", "refused", "")) {
      decisions.clear();
      start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
      while (count(Kind.TRY) == 0) {
        program.run(1);
      }
      program.answer = answer;
      program.run(300);
      assertEquals(1, count(Kind.GIVE_UP), answer + "\n" + shown());
      assertEquals(0, count(Kind.KEEP), answer);
      assertEquals(1, count(Kind.TRY), answer);
    }
  }

  @Test
  void aPersonPausesUndoesAndLetsAct() {
    start(false, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    program.run(100);
    assertEquals(1, count(Kind.ADVISE));
    user("pause");
    assertFalse(program.isMeasured());
    user("resume");
    user("act");
    program.run(400);
    assertEquals(1, count(Kind.KEEP), this::shown);
    assertTrue(program.tasks().get(0).fragment > 100_000);
    user("undo");
    program.run(200);
    assertEquals(4096, program.tasks().get(0).fragment, this::shown);
  }

  /** One task has set another route than the other by itself. */
  @Test
  void anUndoGivesEachProcessItsOwnValue() {
    start(true, constant(1000), (task, size, random) -> 3e-3 * noise(random), 1, ROUTE);
    program.addTask("h0", 300, 3);
    until(Kind.UNDO);
    program.run(5);
    assertEquals(2, program.tasks().get(0).route, this::shown);
    assertEquals(3, program.tasks().get(1).route, this::shown);
  }

  /** A task that comes later is asked for its value first. */
  @Test
  void aLaterProcessGetsItsOwnValueBack() {
    start(true, constant(100_000), FRAGMENTS, 2, "pvm-fragment-size-all");
    until(Kind.KEEP);
    SimulatedProgram.Task late = program.addTask();
    late.fragment = 8192;
    program.run(3);
    assertTrue(late.fragment > 90_000, this::shown);
    user("undo");
    program.run(3);
    assertEquals(8192, late.fragment, this::shown);
    assertEquals(4096, program.tasks().get(0).fragment, this::shown);
  }

  @Test
  void anActionThatStillWaitsIsTakenBack() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    program.waits = "pvm_setopt";
    while (program.changes().isEmpty()) {
      program.run(1);
    }
    user("undo");
    program.run(2);
    program.waits = "none";
    program.run(20);
    assertEquals(4096, program.tasks().get(0).fragment, this::shown);
    assertEquals(1, program.changes().size(), "neither done nor undone\n" + shown());
    assertEquals(0, count(Kind.NOTE), this::shown);
  }

  /** It is done before the monitor hears that it is to be taken back. */
  @Test
  void anActionThatIsTakenBackTooLateIsUndone() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    program.waits = "pvm_setopt";
    while (program.changes().isEmpty()) {
      program.run(1);
    }
    program.isDeaf = true;
    program.waits = "none";
    user("undo");
    program.run(20);
    assertEquals(4096, program.tasks().get(0).fragment, this::shown);
    assertEquals(2, program.changes().size(), this::shown);
  }

  /** An action whose process does not reach its safe moment is given up, and does not happen later. */
  @Test
  void anActionThatIsNotTakenInTimeDoesNotHappenLater() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    program.waits = "pvm_setopt";
    until(Kind.GIVE_UP);
    program.run(1);
    program.waits = "none";
    program.run(20);
    assertEquals(4096, program.tasks().get(0).fragment, this::shown);
  }

  @Test
  void theEndOfTuningUndoesWhatIsNotVerified() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    until(Kind.KEEP);
    SimulatedProgram.Task late = program.addTask();
    while (late.fragment == 4096) {
      program.run(1);
    }
    assertEquals(1, count(Kind.KEEP), "the other one is being tried\n" + shown());
    user("leave");
    assertFalse(analyzer.isOver());
    program.run(2);
    assertTrue(analyzer.isOver() && program.isStopped && !program.isMeasured());
    assertEquals(4096, late.fragment, this::shown);
    assertTrue(program.tasks().get(0).fragment > 100_000, this::shown);
    assertTrue(first(Kind.UNDO).reason().startsWith("tuning ends"), this::shown);
  }

  /** Nobody would restore XDR when a host of another architecture joins. */
  @Test
  void rawEncodingEndsWithTuning() {
    start(true, constant(10_000), (task, size, random) -> (task.isRaw ? 2e-3 : 3e-3) * noise(random), 2, ENCODING);
    until(Kind.KEEP);
    user("leave");
    program.run(2);
    assertTrue(analyzer.isOver());
    assertTrue(program.tasks().stream().noneMatch(task -> task.isRaw), this::shown);
  }

  @Test
  void theEndOfTuningDoesNotWaitLong() {
    start(true, constant(10_000), (task, size, random) -> (task.isRaw ? 2e-3 : 3e-3) * noise(random), 1, ENCODING);
    until(Kind.KEEP);
    program.run(2);
    program.waits = "";
    user("leave");
    program.run(20);
    assertFalse(analyzer.isOver());
    program.run(10);
    assertTrue(analyzer.isOver());
    assertTrue(first(Kind.NOTE).reason().startsWith("not undone before tuning ended"), this::shown);
  }

  @Test
  void adviceAloneEndsATrialAndExtendsNothing() {
    start(true, constant(10_000), (task, size, random) -> (task.isRaw ? 2e-3 : 3e-3) * noise(random), 1, ENCODING);
    while (!program.tasks().get(0).isRaw) {
      program.run(1);
    }
    user("advise");
    program.run(200);
    assertFalse(program.tasks().get(0).isRaw, this::shown);
    assertEquals(0, count(Kind.KEEP), this::shown);
    user("act");
    until(Kind.KEEP);
    user("advise");
    SimulatedProgram.Task late = program.addTask();
    program.run(50);
    assertFalse(late.isRaw, this::shown);
    user("act");
    program.run(2);
    assertTrue(late.isRaw, this::shown);
  }

  /** A person pauses while the program is asked what it has set. */
  @Test
  void aPauseWhileAskingTriesNothing() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    program.waits = "";
    program.run(20);
    user("pause");
    program.waits = "none";
    program.run(20);
    assertEquals(0, count(Kind.TRY), this::shown);
    assertEquals(List.of(), program.changes());
    user("resume");
    until(Kind.KEEP);
  }

  /** What was gathered before a pause makes no judgement after it. */
  @Test
  void aJudgementAfterAPauseHasItsOwnMeasurements() throws Exception {
    start(List.of(ModelFile.parse("m.yaml", """
        name: m
        about: x
        measure: [{name: sent, routines: [MPI_Send]}]
        each: run
        after: 50 of sent
        when: mean(sent) > 1000
        act: {tunable: unit, value: 2}
        verify: {metric: elapsed(), better: lower, after: 50 of sent}
        reason: x
        """)), true, constant(10_000), (task, size, random) -> 3e-3, 2);
    for (int i = 0; i < 10; i++) {
      program.run(1);
      user("pause");
      user("resume");
    }
    assertEquals(0, count(Kind.NOTE), this::shown);
    assertEquals(0, count(Kind.TRY), "each judgement needs two intervals\n" + shown());
  }

  /** A program that calls neither MPI nor PVM never reaches the safe moment "any". */
  @Test
  void anActionIsUndoneAtItsOwnSafeMoment() throws Exception {
    start(List.of(ModelFile.parse("m.yaml", """
        name: m
        about: x
        measure: [{name: locks, routines: [pthread_mutex_lock]}]
        after: 50 of locks
        when: variable('work_unit') == 1
        act: {tunable: work_unit, value: 2, at: pthread_mutex_lock}
        verify: {metric: elapsed() / count(locks), better: lower, after: 50 of locks}
        reason: x
        """)), true, constant(0), (task, size, random) -> 3e-3, 1);
    program.declare("work_unit", program.tasks().get(0), 1024);
    until(Kind.UNDO);
    program.run(2);
    assertEquals(1, program.tasks().get(0).unit);
    assertTrue(program.changes().stream().anyMatch(line -> line.get("kind").equals("undo")));
    assertTrue(program.changes().stream().allMatch(line -> line.get("at").equals("pthread_mutex_lock")), program.changes()::toString);
  }

  /** What has helped is left on when tuning ends, and what is tried is not; the monitor knows how to undo it. */
  @Test
  void theMonitorKnowsWhatStaysAndWhatUndoesTheRest() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    until(Kind.TRY);
    until(Kind.KEEP);
    program.run(2);
    Map<String, Object> act = program.changes().stream().filter(line -> line.containsKey("undo")).findFirst().orElseThrow();
    assertEquals("pvm_setopt", act.get("name"));
    assertEquals(List.of(10.0, 4096.0), ((Map<?, ?>) act.get("undo")).get("arguments"));
    Map<String, Object> back = program.changes().stream().filter(line -> line.containsKey("undoes")).findFirst().orElseThrow();
    assertEquals(act.get("id"), back.get("undoes"));
    Map<String, Object> last = program.changes().get(program.changes().size() - 1);
    assertTrue(last.containsKey("undo"), last::toString);
    assertEquals(List.of(last.get("id")), program.keeps.stream().map(line -> line.get("id")).toList());
    SimulatedProgram.Task late = program.addTask();
    while (late.fragment == 4096) {
      program.run(1);
    }
    assertEquals(1, program.keeps.size(), "it is only tried there");
  }

  /** The encoding is right only while somebody watches the hosts. */
  @Test
  void whatHasToBeWatchedIsNotLeftOn() {
    start(true, constant(10_000), (task, size, random) -> (task.isRaw ? 2e-3 : 3e-3) * noise(random), 2, ENCODING);
    until(Kind.KEEP);
    program.run(2);
    assertEquals(List.of(), program.keeps);
  }

  /** Nothing undoes the call, so it is not told to be undone. */
  @Test
  void anActionThatNothingUndoesStays() throws Exception {
    start(List.of(ModelFile.parse("m.yaml", """
        name: m
        about: x
        for: {library: pvm}
        measure: [{name: sent, routines: [pvm_send]}]
        after: 20 of sent
        when: mean(sent) > 1
        act: {call: pvm_setopt, arguments: [10, 200000], undo: none}
        verify: {metric: elapsed() / count(sent), better: lower, after: 20 of sent, how: before-after}
        reason: x
        """)), true, constant(100_000), FRAGMENTS, 1);
    until(Kind.KEEP);
    for (int i = 0; i < 2; i++) {
      user("undo");
      program.run(300);
    }
    assertEquals(Map.of(1, Standing.STAYS), analyzer.standings());
    assertEquals(0, count(Kind.UNDO), this::shown);
    assertEquals(1, count(Kind.TRY), this::shown);
    assertEquals("as you asked, but nothing undoes it, so it stays", first(Kind.NOTE).reason());
    assertEquals(200_000, program.tasks().get(0).fragment);
  }

  /** A task that comes later does not reach the safe moment, so it cannot tell what it has set. */
  @Test
  void aLaterProcessThatDoesNotAnswerGetsWhatHelpedAllTheSame() {
    start(true, constant(100_000), FRAGMENTS, 2, "pvm-fragment-size-all");
    until(Kind.KEEP);
    program.waits = "pvm_getopt";
    SimulatedProgram.Task late = program.addTask();
    program.run(70);
    assertEquals(4096, late.fragment, this::shown);
    program.run(10);
    assertTrue(late.fragment > 90_000, this::shown);
    assertEquals("is task t40003 did not answer in 15 s; what is assumed otherwise holds for it", first(Kind.NOTE).reason());
    program.run(200);
    assertEquals(1, count(Kind.NOTE), this::shown);
  }

  @Test
  void whatAPersonUndoesDoesNotStayInTheSummary() {
    start(true, constant(100_000), FRAGMENTS, 1, FRAGMENT);
    until(Kind.KEEP);
    user("undo");
    program.run(2);
    assertEquals(4096, program.tasks().get(0).fragment, this::shown);
    Summary summary = new Summary(BuiltInModels.all());
    decisions.forEach(summary::add);
    Summary.Row row = summary.rows().get(2);
    assertEquals(0, row.kept());
    assertEquals("", row.change());
  }
}
