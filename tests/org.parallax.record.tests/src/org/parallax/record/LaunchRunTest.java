package org.parallax.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.model.program.Application;
import org.parallax.model.program.ComparedRuns;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.record.LaunchAttributes.Field;
import org.parallax.trace.EventCursor;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;

/** Launches of real programs under the real agent. */
class LaunchRunTest {
  private static final long PATIENCE_S = 240;
  @TempDir Path directory;

  /** Collects what the applications print. */
  private static final class Outputs implements LaunchRun.Listener {
    private final List<CompletableFuture<String>> outputs = new ArrayList<>();
    private final List<Integer> statuses = new ArrayList<>();

    @Override
    public void started(Recording recording, int repetition) {
      outputs.add(CompletableFuture.supplyAsync(() -> {
        try {
          return new String(recording.process().getInputStream().readAllBytes(),
              StandardCharsets.UTF_8);
        } catch (java.io.IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }));
      CompletableFuture.runAsync(() -> {
        try {
          recording.process().getErrorStream().transferTo(System.err);
        } catch (java.io.IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      });
    }

    @Override
    public void ended(Recording recording, int status) {
      statuses.add(status);
    }

    String output(int index) throws Exception {
      return outputs.get(index).get(PATIENCE_S, TimeUnit.SECONDS);
    }
  }

  private LaunchRun launch(Launches launch) throws Exception {
    return new LaunchRun(launch.with(LaunchAttributes.OUTPUT, "out").plan(directory), Launches.AGENT);
  }

  private static List<String> names(LoadedSession session) {
    return session.getApplications().stream().map(Application::getName).toList();
  }

  @Test
  void oneProgramMakesOneTrace() throws Exception {
    LaunchRun run = launch(Launches.of(Launches.heat("5 64 64")));
    Outputs outputs = new Outputs();
    assertEquals(0, run.run(Recording.Output.PIPE, outputs));
    assertTrue(outputs.output(0).contains("mean"), outputs.output(0));
    assertEquals(directory.resolve("out/test-1"), run.result());
    try (Trace trace = Trace.open(run.result(), Progress.NONE)) {
      assertEquals(4, trace.processes().size());
      assertTrue(trace.manifest().command().startsWith("mpirun.openmpi -n 4"),
          trace.manifest().command());
    }
    // The next one has a directory of its own.
    assertEquals(directory.resolve("out/test-2"),
        launch(Launches.of(Launches.heat("5 64 64"))).result());
  }

  @Test
  void theStatusOfAProgramIsThatOfTheLaunch() throws Exception {
    LaunchRun run = launch(Launches.of(Launches.application("sh", "-c 'exit 3'")));
    assertEquals(3, run.run(Recording.Output.PIPE, new Outputs()));
  }

  @Test
  void repetitionsAreRunsOfOneGroupThatCanBeCompared() throws Exception {
    ApplicationSettings queue = Launches.application(Launches.program("mutex_queue"), "")
        .with(Field.NAME, "queue");
    LaunchRun base = launch(Launches.of(queue));
    assertEquals(0, base.run(Recording.Output.PIPE, new Outputs()));
    LaunchRun run = launch(Launches.of(queue, ApplicationSettings.EMPTY.with(Field.NAME, "before")
        .with(Field.MODE, "comparison").with(Field.TRACE, base.result().toString()))
        .with(LaunchAttributes.REPETITIONS, "3").with(LaunchAttributes.RUN_NAME, "after"));
    assertEquals(0, run.run(Recording.Output.PIPE, new Outputs()));
    Session document = SessionFile.read(run.result());
    assertEquals(List.of("queue-1", "queue-2", "queue-3", "before"),
        document.getRuns().stream().map(each -> each.getName()).toList());
    assertEquals(RunMode.COMPARISON, document.getRuns().get(3).getMode());
    try (ComparedRuns comparison = ComparedRuns.open(document, run.result(), Progress.NONE)) {
      assertEquals("before", comparison.base().name());
      assertEquals("after", comparison.others().get(0).name());
      assertEquals(3, comparison.others().get(0).repetitions().size());
    }
    assertEquals(4, run.traces().size());
  }

  @Test
  void severalApplicationsRunAtTheSameTimeInOneSession() throws Exception {
    Path port = directory.resolve("port");
    String program = Launches.program("client_server");
    LaunchRun run = launch(Launches.of(
        Launches.application(program, "serve " + port + " 1 3 1").with(Field.NAME, "server"),
        Launches.application(program, "ask " + port + " 1 3 1").with(Field.NAME, "client")));
    assertEquals(0, run.run(Recording.Output.PIPE, new Outputs()));
    LoadedSession session = SessionBuilder.open(List.of(run.result()), Progress.NONE);
    try {
      assertEquals(2, session.getApplications().size(), () -> names(session).toString());
      assertTrue(session.getApplications().stream()
          .allMatch(each -> each.getMode() == RunMode.ACTIVE));
    } finally {
      SessionBuilder.close(session);
    }
    // What the session says can be run again.
    Session document = SessionFile.read(run.result());
    assertTrue(document.getRuns().get(0).getCommand().endsWith("serve " + port + " 1 3 1"));
    Files.delete(port);
    assertEquals(List.of(0, 0), List.copyOf(
        SessionRunner.run(
            document, run.result(), Launches.AGENT, List.of()).values()));
    assertTrue(Trace.isTrace(run.result().resolveSibling("server.trace-2")));
  }

  @Test
  void severalApplicationsCanBeRepeated() throws Exception {
    ApplicationSettings one = Launches.application(Launches.program("mutex_queue"), "");
    LaunchRun run = launch(Launches.of(one, one).with(LaunchAttributes.REPETITIONS, "2"));
    assertEquals(0, run.run(Recording.Output.PIPE, new Outputs()));
    Session document = SessionFile.read(run.result());
    assertEquals(List.of("run-1.parallax", "run-2.parallax"),
        document.getRuns().stream().map(each -> each.getTrace()).toList());
    LoadedSession first = SessionBuilder.open(List.of(run.result().resolveSibling("run-1.parallax")),
        Progress.NONE);
    assertEquals(2, first.getApplications().size(), () -> names(first).toString());
    SessionBuilder.close(first);
  }

  @Test
  void aProgramThatIsStoppedEndsAsAWholeAndItsTraceStays() throws Exception {
    // Minutes of work, if nobody stopped it; and more repetitions after that.
    LaunchRun run = launch(Launches.of(Launches.heat("1000000 256 256"))
        .with(LaunchAttributes.REPETITIONS, "5"));
    Outputs outputs = new Outputs();
    CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(() -> {
      try {
        return run.run(Recording.Output.PIPE, outputs);
      } catch (RecordException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    Path first = run.result().resolveSibling("heat-1.trace");
    TraceWatch watch = new TraceWatch(first);
    long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (watch.look().events() < 1000 || watch.look().processes() < 4) {
      assertTrue(System.nanoTime() < last && !ended.isDone(), () -> watch.look().toString());
      Thread.sleep(50);
    }
    List<ProcessHandle> started =
        run.running().get(0).process().descendants().toList();
    assertTrue(started.size() >= 5, started::toString);
    run.stop();
    assertTrue(ended.get(PATIENCE_S, TimeUnit.SECONDS) != 0);
    assertEquals(List.of(), started.stream().filter(LaunchRunTest::isRunning).toList());
    assertFalse(Files.exists(run.result().resolveSibling("heat-2.trace")));
    assertEquals(1, SessionFile.read(run.result()).getRuns().size());
    try (Trace trace = Trace.open(first, Progress.NONE)) {
      assertEquals(4, trace.processes().size());
      assertFalse(trace.isDamaged(), trace.warnings()::toString);
      assertTrue(Files.readString(first.resolve("manifest")).contains("ended = "));
    }
  }

  /** A zombie, whose parent has not looked yet, is not. */
  private static boolean isRunning(ProcessHandle process) {
    try {
      String status = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return status.charAt(status.lastIndexOf(')') + 2) != 'Z';
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @Test
  void whatArrivesIsCountedAsReadersCountIt() throws Exception {
    LaunchRun run = launch(Launches.of(Launches.heat("200 64 64")));
    assertEquals(0, run.run(Recording.Output.PIPE, new Outputs()));
    TraceWatch watch = new TraceWatch(run.result());
    TraceWatch.Counts counts = watch.look();
    long events = 0;
    int threads = 0;
    try (Trace trace = Trace.open(run.result(), Progress.NONE)) {
      for (ProcessTrace process : trace.processes()) {
        for (ThreadTrace thread : process.threads()) {
          threads += thread.isRuntimeThread() ? 0 : 1;
          EventCursor cursor = thread.cursor();
          while (cursor.next()) {
            events++;
          }
        }
      }
    }
    assertEquals(events, counts.events());
    assertEquals(threads, counts.threads());
    assertEquals(4, counts.processes());
    assertTrue(counts.bytes() >= counts.events() * Long.BYTES);
    assertEquals(counts, watch.look());
  }
}
