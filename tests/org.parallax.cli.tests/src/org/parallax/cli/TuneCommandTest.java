package org.parallax.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.cli.tune.TuneWatch;
import org.parallax.tuning.analyzer.Analyzer;
import org.parallax.tuning.control.ControlServer;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.model.TuningModel;
import org.parallax.tuning.monitor.Monitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.Replay;
import org.parallax.tuning.session.SessionWriter;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/** Tuning on the command line: models, recorded sessions, and what bad input gets. */
class TuneCommandTest {
  @TempDir Path directory;

  @AfterEach
  void forgetMonitor() {
    System.clearProperty("parallax.tune");
  }

  private void refuses(int status, String message, Run run) {
    assertEquals(message.isEmpty() ? "" : message + "\n", run.err().replace(directory.toString(), "DIR"));
    assertEquals(status, run.status());
  }

  private void refusesUse(String message, Run run) {
    refuses(2, message + "\nsee: parallax tune --help", run);
  }

  @Test
  void modelsAreListed() {
    Run run = Run.of("tune", "--models");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().matches("(?s)pvm-route +Direct routes between tasks save the way through the daemons of PVM\n"
        + " +all processes together of pvm, when state\\('route'\\) == 2 && .*"), run.out());
    assertEquals(2 * BuiltInModels.all().size() + 1, run.out().lines().count(), run.out());
    assertTrue(run.out().contains("not safe for every program; used only if named: --model mpi-buffered-send\n"), run.out());
    assertEquals(2, Run.of("tune", "--models", "--only", "pvm-route").out().lines().count());
  }

  @Test
  void aModelThatIsNotSafeForEveryProgramIsUsedOnlyIfItIsNamed() throws Exception {
    assertEquals(BuiltInModels.byDefault().size(), BuiltInModels.all().size() - 1);
    assertFalse(modelsOfSession("default").contains("mpi-buffered-send"));
    assertTrue(modelsOfSession("named", "--model", "mpi-buffered-send").contains("mpi-buffered-send"));
    assertTrue(modelsOfSession("named too", "--model", "mpi-buffered-send").contains("pvm-route"));
    assertEquals(List.of("mpi-buffered-send"), modelsOfSession("alone", "--only", "mpi-buffered-send"));
  }

  /** The names of the models with which a session begins. The monitor is missing, so that it ends then. */
  private List<String> modelsOfSession(String name, String... options) throws Exception {
    Path session = directory.resolve(name);
    List<String> words = new ArrayList<>(List.of("tune", "-o", session.toString()));
    words.addAll(List.of(options));
    words.addAll(List.of("--", "true"));
    Run.of(words.toArray());
    return Replay.of(session).models().stream().map(TuningModel::name).toList();
  }

  @Test
  void wrongUseIsTold() {
    refusesUse("parallax: the program to tune is missing; name it after --", Run.of("tune"));
    refusesUse("parallax: options --act and --advise exclude each other", Run.of("tune", "--act", "--advise", "--", "x"));
    refusesUse("parallax: there is no model pvm-rout; did you mean pvm-route?", Run.of("tune", "--only", "pvm-rout", "--", "x"));
    refusesUse("parallax: option --interval cannot be \"5\"; the value must be a time from 10ms to 60s",
        Run.of("tune", "--interval", "5", "--", "x"));
    refusesUse("parallax: option --replay takes a directory and nothing else, not a program",
        Run.of("tune", "--replay", "d", "--", "x"));
    refusesUse("parallax: option --replay takes a directory and nothing else, not --only: the session has all that it needs",
        Run.of("tune", "--replay", "d", "--only", "pvm-route"));
  }

  /** A monitor that writes its words to a file and ends. */
  private List<String> wordsOfMonitor(String... options) throws Exception {
    Path monitor = Files.writeString(directory.resolve("parallax-tune"), "#!/bin/sh\nprintf '%s\\n' \"$@\" > "
        + directory.resolve("words") + "\n");
    assertTrue(monitor.toFile().setExecutable(true));
    System.setProperty("parallax.tune", monitor.toString());
    List<String> words = new ArrayList<>(List.of("tune"));
    words.addAll(List.of(options));
    Run.of(words.toArray());
    List<String> written = Files.readAllLines(directory.resolve("words"));
    return written.subList(written.indexOf("--") + 1, written.size());
  }

  @Test
  void processesAreAttachedToWithAndWithoutATrace() throws Exception {
    String recorder = directory.resolve("parallax-record").toString();
    assertEquals(List.of(recorder, "--quiet", "-o", "run1", "--attach", "4711,4712"),
        wordsOfMonitor("--attach", "4711,4712", "--trace", "run1"));
    List<String> words = wordsOfMonitor("--attach", "solver");
    assertEquals(List.of(recorder, "--quiet", "--no-calibration", "--sample-hz", "0", "--keep-last", "1s", "-o"), words.subList(0, 8));
    assertFalse(Files.exists(Path.of(words.get(8)).getParent()), "the directory of the short trace is removed");
    assertEquals(List.of("--attach", "solver"), words.subList(9, words.size()));
    refusesUse("parallax: option --attach takes processes that run, and no program after --", Run.of("tune", "--attach", "1", "--", "x"));
    refusesUse("parallax: option --trace needs --attach; to record a program that is started, use: parallax tune -- parallax record "
        + "-o DIR -- COMMAND", Run.of("tune", "--trace", "run1", "--", "x"));
  }

  /** The recorder has told the reason on its own error stream. */
  @Test
  void aProcessThatCannotBeAttachedToIsToldOnce() {
    Path tuner = Path.of(System.getProperty("parallax.root", "."), "native", "build", "parallax-tune");
    assertTrue(Files.isExecutable(tuner), () -> tuner + " is not built");
    System.setProperty("parallax.tune", tuner.toString());
    refuses(1, "", Run.of("tune", "--attach", "4194300"));
  }

  @Test
  void modelsWithErrorsAreTold() throws Exception {
    Path model = Files.writeString(directory.resolve("m.yaml"), """
        name: m
        abuot: x
        measure: [{name: sent, routines: MPI_Send}]
        after: 50 of sent
        when: mean(sent) > nwo
        act: {tunable: work_unit, value: 2}
        verify: {metric: elapsed(), better: lower, after: 50 of sent}
        reason: x
        """);
    refuses(1, """
        parallax: DIR/m.yaml:1:1: the model: the key about is missing
        DIR/m.yaml:2:1: the model: unknown key abuot; did you mean about?
        DIR/m.yaml:5:20: when: there is no name nwo; choose from: sent
        cannot read the model DIR/none.yaml: there is no such file""",
        Run.of("tune", "--model", model, "--model", directory.resolve("none.yaml"), "--", "x"));
  }

  @Test
  void aSessionIsReplayed() throws Exception {
    Path session = directory.resolve("session");
    SessionStart start = new SessionStart(false, 1, 200_000_000, BuiltInModels.all(), List.of("x"));
    try (SessionWriter writer = new SessionWriter(session, start)) {
      Analyzer analyzer = new Analyzer(start.models(), false, 1, start.intervalNs(), writer::out, writer::decision);
      List<Map<String, Object>> lines = new ArrayList<>();
      lines.add(Map.of("type", "host", "event", "added", "host", "h", "arch", "LINUX64"));
      lines.add(Map.of("type", "process", "event", "started", "host", "h", "pid", 1, "program", "/x/is", "task", "t40002",
          "library", "pvm 3.4.6", "time", 0));
      for (long i = 1; i <= 12; i++) {
        lines.add(Map.of("type", "metrics", "host", "h", "pid", 1, "time", 200_000_000 * i, "points", List.of(Map.of("point",
            "sent", "key", "none", "count", 60, "bytes", 6_000_000, "bytes2", 6e11, "ns", 100_000_000))));
      }
      for (Map<String, Object> line : lines) {
        writer.in(new LinkedHashMap<>(line));
        analyzer.take(line);
      }
    }
    Run run = Run.of("tune", "--replay", session);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("    0.60 s  advise   pvm-fragment-size, is task t40002: pvm_setopt(10, 100000): messages of "
        + "100,000 bytes on average (deviation 0) are sent in fragments of 4,096 bytes"), run.out());
    List<String> table = run.out().lines().toList();
    assertEquals(List.of("model              advised", "pvm-route                1", "pvm-fragment-size        1"),
        table.subList(table.size() - 3, table.size()), "not of the models that advised nothing");
    Path file = session.resolve(SessionWriter.FILE);
    Files.writeString(file, Files.readString(file).replace("pvm_setopt(10, 100000)", "pvm_setopt(10, 9)"));
    assertTrue(Run.of("tune", "--replay", session).err().startsWith("parallax: the decisions differ"));
    refuses(1, "parallax: there is no session in DIR/none; record one with: parallax tune -o DIR/none -- COMMAND",
        Run.of("tune", "--replay", directory.resolve("none")));
  }

  @Test
  void nothingToChangeIsOneSentence() throws Exception {
    SessionStart start = new SessionStart(true, 1, 200_000_000, BuiltInModels.all(), List.of("x"));
    new SessionWriter(directory.resolve("session"), start).close();
    assertEquals("no model has found anything to change in the program\n",
        Run.of("tune", "--replay", directory.resolve("session")).out());
  }

  /** Lines of a task that sends messages of 100,000 bytes, over and over. */
  private static final class Talker implements Monitor {
    private long intervals;
    private volatile boolean ends;

    @Override
    public void send(Map<String, Object> line) {
      // It changes nothing.
    }

    @Override
    public String receive(long milliseconds) throws InterruptedException {
      Thread.sleep(2);
      if (intervals++ == 0) {
        return "{\"type\":\"process\",\"event\":\"started\",\"host\":\"h\",\"pid\":1,\"program\":\"/x/is\",\"task\":\"t40002\","
            + "\"library\":\"pvm 3.4.6\",\"time\":0}";
      }
      return "{\"type\":\"metrics\",\"host\":\"h\",\"pid\":1,\"time\":" + 200_000_000 * intervals + ",\"points\":[{\"point\":"
          + "\"sent\",\"key\":\"none\",\"count\":60,\"bytes\":6000000,\"bytes2\":6e11,\"ns\":100000000}]}";
    }

    @Override
    public boolean isEnded() {
      return ends;
    }

    @Override
    public void close() {
      ends = true;
    }
  }

  @Test
  @SuppressWarnings("try") // the server is only to be there
  void aSessionIsControlled() throws Exception {
    SessionStart start = new SessionStart(false, 1, 200_000_000, BuiltInModels.all(), List.of("x"));
    Talker monitor = new Talker();
    LiveSession session = new LiveSession(monitor, start, null, decision -> { });
    Thread runner = new Thread(() -> {
      try {
        session.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    try (ControlServer server = new ControlServer(directory, session)) {
      runner.start();
      long end = System.currentTimeMillis() + 10_000;
      while (session.state().actions().stream().noneMatch(action -> action.change().equals("pvm_setopt(10, 100000)"))
          && System.currentTimeMillis() < end) {
        Thread.sleep(5);
      }
      String status = Run.of("tune", "--control", directory).out();
      assertTrue(status.startsWith("advise, "), status);
      assertTrue(status.contains("pvm_setopt(10, 100000)"), status);
      Run paused = Run.of("tune", "--control", directory, "pause");
      assertEquals(0, paused.status(), paused.err());
      assertTrue(paused.out().startsWith("paused, "), paused.out());
      ByteArrayOutputStream screen = new ByteArrayOutputStream();
      new TuneWatch(directory, new ByteArrayInputStream("r\nu 3\nq\n".getBytes(StandardCharsets.UTF_8)),
          new PrintStream(screen, true, StandardCharsets.UTF_8), false).run();
      String watched = screen.toString(StandardCharsets.UTF_8);
      assertTrue(watched.startsWith("paused, "), watched);
      assertTrue(watched.contains("\nadvise, ") && watched.contains("\nno action is on, so there is nothing to undo\n"), watched);
      refuses(1, "parallax: no action is on, so there is nothing to undo", Run.of("tune", "--control", directory, "undo", "3"));
      refusesUse("parallax: unknown command pase; did you mean pause?", Run.of("tune", "--control", directory, "pase"));
      for (List<Object> other : List.of(List.<Object>of("--act"), List.<Object>of("--only", "pvm-route"),
          List.<Object>of("--model", "m.yaml"), List.<Object>of("--interval", "1s"), List.<Object>of("--models"))) {
        List<Object> words = new ArrayList<>(List.of("tune", "--control", directory));
        words.addAll(other);
        refusesUse("parallax: option --control takes a directory and a command, not " + other.get(0)
            + ": the session has all that it needs", Run.of(words.toArray()));
      }
    } finally {
      monitor.close();
      runner.interrupt();
      runner.join();
    }
    refuses(1, "parallax: there is no session in DIR; begin one with: parallax tune -o DIR -- COMMAND",
        Run.of("tune", "--control", directory, "status"));
  }

  @Test
  void aMissingMonitorIsTold() {
    System.setProperty("parallax.tune", directory.resolve("none").toString());
    Run run = Run.of("tune", "--", "x");
    assertTrue(run.err().startsWith("parallax: cannot start the monitor " + directory.resolve("none") + ": "), run.err());
    assertTrue(run.err().endsWith("; build it with: ./parallax setup\n"), run.err());
    refuses(1, "parallax: cannot write the session to DIR: it exists; remove it, or choose another directory with -o",
        Run.of("tune", "-o", directory, "--", "x"));
  }
}
