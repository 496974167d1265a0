package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** Programs that run already: which there are, and launches that record them and leave them as they are. */
class RunningProgramTest {
  private static final String HEAD = "pid\tparent\tuser\tthreads\tage-ms\tpart\tname\tproblem\tcommand\n";
  @TempDir Path directory;
  private Process program;

  @BeforeEach
  void startProgram() throws Exception {
    program = new ProcessBuilder(Launches.program("mutex_queue"), "3", "1000000000", "1")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }

  @AfterEach
  void endProgram() throws Exception {
    program.destroyForcibly().waitFor();
  }

  private RunningProgram listed() throws Exception {
    for (int attempt = 0; attempt < 500; attempt++) {
      for (RunningProgram each : RunningProgram.list(Launches.AGENT)) {
        if (each.pid() == program.pid() && each.threads() == 4) {
          return each;
        }
      }
      Thread.sleep(10);
    }
    throw new AssertionError("not listed");
  }

  @Test
  void theRecorderListsThem() throws Exception {
    RunningProgram found = listed();
    assertTrue(found.isPossible(), found.problem());
    assertEquals("mutex_queue", found.name());
    assertTrue(found.command().endsWith("mutex_queue 3 1000000000 1"), found.command());
    assertEquals(ProcessHandle.current().pid(), found.parent());
    assertEquals("", found.part());
  }

  @Test
  void whatBelongsTogetherIsFound() throws Exception {
    List<RunningProgram> all = RunningProgram.parse(HEAD
        + "10\t1\tann\t1\t9\t\tmpirun\tis a launcher\tmpirun -n 2 heat\n"
        + "11\t10\tann\t1\t9\trank 0\theat\t\theat\n12\t10\tann\t1\t9\trank 1\theat\t\theat\n"
        + "13\t12\tann\t1\t9\trank 1\thelper\t\thelper\n20\t1\tann\t1\t9\t\tother\t\tother 'a b'\n");
    assertEquals(List.of(11L, 12L, 13L), pids(RunningProgram.together(all.subList(1, 2), all)));
    assertEquals(List.of(11L, 12L, 13L), pids(RunningProgram.together(all.subList(0, 1), all)));
    assertEquals(List.of(20L), pids(RunningProgram.together(all.subList(4, 5), all)));
    assertFalse(all.get(0).isPossible());
    assertThrows(RecordException.class, () -> RunningProgram.parse("pid\tname\n1\tinit\n"));
  }

  private static List<Long> pids(List<RunningProgram> programs) {
    return programs.stream().map(RunningProgram::pid).toList();
  }

  @Test
  void aStopLetsThemGo() throws Exception {
    LaunchPlan plan = AttachPlan.of("any", Map.of(LaunchAttributes.TRANSPORT, "shared",
        LaunchAttributes.OUTPUT, "out", LaunchAttributes.OPTIONS, "--no-calibration"), directory,
        text -> text, List.of(listed()));
    assertEquals(List.of(), LaunchCheck.of(plan, Launches.AGENT));
    LaunchRun run = new LaunchRun(plan, Launches.AGENT);
    CompletableFuture<String> said = new CompletableFuture<>();
    int status = run.run(Recording.Output.PIPE, new LaunchRun.Listener() {
      @Override
      public void started(Recording recording, int repetition) {
        CompletableFuture.runAsync(() -> {
          try {
            var errors = recording.process().errorReader();
            String first = errors.readLine();
            Thread.sleep(300);
            run.stop();
            said.complete(first + errors.lines().count());
          } catch (Exception e) {
            said.completeExceptionally(e);
          }
        });
      }
    });
    assertEquals(0, status);
    assertTrue(said.get().contains("recording process " + program.pid() + " (mutex_queue)"), said.get());
    assertTrue(program.isAlive());
    assertEquals(directory.resolve("out/mutex_queue-1"), run.result());
    try (Trace trace = Trace.open(run.result(), Progress.NONE)) {
      assertEquals(1, trace.processes().size());
      assertEquals("running", trace.manifest().control());
      assertTrue(trace.durationNs() > 100_000_000L);
    }
  }

  @Test
  void aDiscardedRunHasNoReportToMake() throws Exception {
    LaunchPlan plan = Launches.of(Launches.application(Launches.program("mutex_queue"), "2 2 1"))
        .with(LaunchAttributes.TRANSPORT, "discard").with(LaunchAttributes.OUTPUT, "out").plan(directory);
    StringBuilder told = new StringBuilder();
    HeadlessLaunch.Teller teller = new HeadlessLaunch.Teller() {
      @Override
      public void error(String text) {
        told.append(text);
      }

      @Override
      public void warn(String text) {
        told.append(text);
      }

      @Override
      public void note(String text) {
        told.append(text);
      }
    };
    assertEquals(0, HeadlessLaunch.run(plan, Launches.AGENT, teller));
    assertTrue(told.toString().matches("parallax: no event was kept \\(--transport discard\\); elapsed: "
        + "\\d+\\.\\d{3} s; compare with the time of the program alone"), told::toString);
    assertTrue(Files.readString(directory.resolve("out/test-1/manifest"), StandardCharsets.UTF_8)
        .contains("transport = discard"));
  }
}
