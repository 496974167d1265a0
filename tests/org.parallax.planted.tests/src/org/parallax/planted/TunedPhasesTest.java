package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.testing.QuietMachine;
import org.parallax.testing.QuietMachine.WrongTime;
import org.parallax.tuning.analyzer.Decision;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.monitor.ProcessMonitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/** Live tuning of a program of PVM whose message sizes change by phase, with a daemon of its own. */
class TunedPhasesTest {
  private static final Path PVM = Path.of("/usr/lib/pvm3");
  /** Of a phase. The size of fragments must stay before its end. */
  private static final int MESSAGES = 3500;
  /** As in docs/tuning.md: within so many messages of a phase, the size of fragments is the right one for good. */
  private static final int FOLLOWS_WITHIN = 3000;
  private static final double SAME = 0.25;
  private static final long INTERVAL_NS = 10_000_000;
  private static final int LIMIT_SECONDS = 60;

  @TempDir Path directory;
  private Process daemon;
  private final List<Decision> decisions = new ArrayList<>();

  /** What the program wrote of a phase. */
  private record Phase(int first, int last, int changes, int bytes) {
    static Phase of(String line) {
      String[] words = line.split(" ");
      return new Phase(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]),
          Integer.parseInt(words[4]));
    }
  }

  @BeforeEach
  void startDaemon() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(PVM.resolve("lib/pvmd")), "PVM is not installed");
    ProcessBuilder builder = new ProcessBuilder(PVM.resolve("lib/pvmd").toString(), "-n127.0.0.1")
        .redirectErrorStream(true).redirectOutput(directory.resolve("address").toFile());
    builder.environment().putAll(variables());
    daemon = builder.start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (Files.size(directory.resolve("address")) == 0 && System.nanoTime() < end && daemon.isAlive()) {
      Thread.sleep(5);
    }
    assertTrue(daemon.isAlive() && Files.size(directory.resolve("address")) > 0, "PVM's daemon does not start");
  }

  @AfterEach
  void endDaemon() throws InterruptedException {
    if (daemon != null) {
      daemon.destroy();
      if (!daemon.waitFor(20, TimeUnit.SECONDS)) {
        daemon.destroyForcibly();
      }
    }
  }

  private Map<String, String> variables() {
    return Map.of("PVM_ROOT", PVM.toString(), "PVM_ALLOW_ROOT", "1", "PVM_VMID", "parallax-phases", "PVM_TMP",
        directory.toString());
  }

  /** The monitor, with the variables of the daemon. */
  private Path monitor() throws IOException {
    StringBuilder text = new StringBuilder("#!/bin/sh\n");
    variables().forEach((name, value) -> text.append("export ").append(name).append("='").append(value).append("'\n"));
    text.append("exec '").append(Recording.NATIVE.resolve("parallax-tune")).append("' \"$@\"\n");
    Path script = Files.writeString(directory.resolve("monitor"), text);
    assertTrue(script.toFile().setExecutable(true));
    return script;
  }

  private List<Phase> tune(int seed) throws Exception {
    Path file = directory.resolve("phases-" + seed);
    List<String> command = List.of(Recording.program("pvm_phases"), Integer.toString(MESSAGES), file.toString());
    tune(seed, command);
    return phases(file);
  }

  private static List<Phase> phases(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Phase::of).toList();
  }

  private void tune(int seed, List<String> command) throws Exception {
    SessionStart start = new SessionStart(true, seed, INTERVAL_NS,
        BuiltInModels.all().stream().filter(model -> model.name().equals("pvm-fragment-size")).toList(), command);
    decisions.clear();
    try (ProcessMonitor monitor = ProcessMonitor.start(monitor(), List.of(), command)) {
      LiveSession session = new LiveSession(monitor, start, null, decisions::add);
      assertTrue(session.run(), "the monitor has ended");
      assertEquals(0, monitor.waitFor(), this::shown);
    }
  }

  private String shown() {
    StringBuilder text = new StringBuilder();
    decisions.forEach(decision -> text.append(decision.shown()).append('\n'));
    return text.toString();
  }

  private static void expect(boolean isTrue, String what) {
    if (!isTrue) {
      throw new WrongTime(what);
    }
  }

  private static boolean isNear(int bytes, int wanted) {
    return Math.abs(bytes - wanted) <= SAME * wanted;
  }

  /** The size of fragments follows both changes of the message sizes, and stays when these vary more. */
  @Test
  void theFragmentSizeFollowsAndStays() throws Exception {
    QuietMachine.measure(attempt -> {
      List<Phase> phases = tune(attempt);
      String text = phases + "\n" + shown();
      assertEquals(3, phases.size(), text);
      int[] wanted = {30_000, 300_000};
      for (int i = 0; i < wanted.length; i++) {
        Phase phase = phases.get(i);
        expect(isNear(phase.bytes(), wanted[i]), "phase " + i + " has not " + wanted[i] + " bytes in the end: " + text);
        expect(phase.last() <= FOLLOWS_WITHIN, "phase " + i + " is followed late: " + text);
      }
      expect(phases.get(2).changes() == 0, "noise changes it: " + text);
    });
  }

  /** A task that ran before it is tuned gets the size of fragments of its last phases. Its messages are the same. */
  @Test
  void aTaskThatRunsAlreadyIsTuned() throws Exception {
    QuietMachine.measure(attempt -> {
      Path file = directory.resolve("running-" + attempt);
      ProcessBuilder builder = new ProcessBuilder(Recording.program("pvm_phases"), Integer.toString(MESSAGES), file.toString());
      builder.environment().putAll(variables());
      Process program = builder.start();
      try {
        Thread.sleep(300);
        tune(attempt, List.of(Recording.NATIVE.resolve("parallax-record").toString(), "--quiet", "--no-calibration", "-o",
            directory.resolve("trace-" + attempt).toString(), "--attach", Long.toString(program.pid())));
        assertEquals(0, program.waitFor(), this::shown);
        List<Phase> phases = phases(file);
        Phase last = phases.get(phases.size() - 1);
        expect(isNear(last.bytes(), 300_000), "the last phase has not 300000 bytes: " + phases + "\n" + shown());
        expect(decisions.stream().anyMatch(each -> each.kind() == Decision.Kind.KEEP), "nothing was kept: " + shown());
      } finally {
        program.destroyForcibly();
      }
    });
  }
}
