package org.parallax.launch.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.RunMode;
import org.parallax.record.LaunchPlan.PlannedApplication;
import org.parallax.tuning.model.BuiltInModels;
import org.parallax.tuning.monitor.Monitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.SessionWriter.SessionStart;

/** Sessions before they begin. */
class TuningSessionTest {
  private static final List<String> COMMAND = List.of("./master", "10");

  @TempDir Path directory;

  /** A monitor whose program has ended at once. */
  private static final class Nothing implements Monitor {
    @Override
    public void send(Map<String, Object> line) {
      // Nobody is there.
    }

    @Override
    public String receive(long milliseconds) {
      return null;
    }

    @Override
    public boolean isEnded() {
      return false;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  /** A person presses Act and Pause while the program is being started. */
  @Test
  void commandsBeforeTheBeginAreCarriedOutThen() throws Exception {
    TuningSession session = new TuningSession("master", directory, COMMAND, false);
    assertTrue(session.isLive());
    long version = session.version();
    session.command("act");
    session.command("pause");
    assertTrue(session.version() > version);
    assertTrue(session.state().isActing() && session.state().isPaused());
    LiveSession live = new LiveSession(new Nothing(),
        new SessionStart(false, 7, 200_000_000, BuiltInModels.all(), COMMAND), null, decision -> { });
    session.begin(live);
    session.command("stop");
    live.leave();
    live.run();
    session.end();
    assertTrue(session.state().isActing() && session.state().isPaused() && session.state().isStopped(), session.state()::toString);
    assertFalse(session.isLive());
  }

  @Test
  void aSessionThatNeverBeganKeepsItsCommand() {
    TuningSession session = new TuningSession("master", directory, COMMAND, true);
    session.end();
    session.command("advise");
    assertEquals(COMMAND, session.state().command());
    assertTrue(session.state().isActing());
  }

  /** The recorder cannot be started after the socket for its monitor was made. */
  @Test
  void anApplicationThatDoesNotStartLeavesNoSocket() throws Exception {
    Path tuner = Files.createFile(directory.resolve("tuner"));
    assertTrue(tuner.toFile().setExecutable(true));
    PlannedApplication application = new PlannedApplication("master", RunMode.ACTIVE, COMMAND, directory, Map.of(), 0, List.of(), null);
    ProcessBuilder first = new ProcessBuilder("parallax-record");
    ProcessBuilder second = new ProcessBuilder("parallax-record");
    try (LaunchTuning tuning = new LaunchTuning(new TuningSettings(false, BuiltInModels.all()), tuner, directory)) {
      tuning.starting(application, first);
      assertTrue(Files.exists(socket(first)));
      tuning.starting(application, second);
      assertFalse(Files.exists(socket(first)));
    }
    assertFalse(Files.exists(socket(second)));
    assertFalse(Files.exists(socket(second).getParent()));
  }

  private static Path socket(ProcessBuilder recorder) {
    return Path.of(recorder.command().get(recorder.command().indexOf("--connect") + 1));
  }
}
