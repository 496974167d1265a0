package org.parallax.launch.tuning;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.eclipse.osgi.util.NLS;
import org.parallax.record.LaunchPlan.PlannedApplication;
import org.parallax.record.RecordException;
import org.parallax.record.Recording;
import org.parallax.tuning.monitor.MonitorException;
import org.parallax.tuning.monitor.MonitorSocket;
import org.parallax.tuning.monitor.ProcessMonitor;
import org.parallax.tuning.session.LiveSession;
import org.parallax.tuning.session.SessionWriter;
import org.parallax.tuning.session.SessionWriter.SessionStart;
import org.parallax.ui.platform.Background;
import org.parallax.ui.platform.UiLog;

/**
 * Tunes the applications of a launch while they run and are recorded: the monitor starts the recorder, and each
 * application has a session, which is recorded in a directory beside the traces.
 */
public final class LaunchTuning implements AutoCloseable {
  /** What the names of directories of sessions end with. */
  public static final String SUFFIX = ".tuning";
  private static final long INTERVAL_NS = 200_000_000;
  private static final byte[] PVM = "pvm_mytid".getBytes(StandardCharsets.US_ASCII);
  /** Larger programs are not searched for calls of PVM. */
  private static final long MOST_BYTES = 64L << 20;

  private final TuningSettings settings;
  private final Path tuner;
  private final Path directory;
  /** Of the application that is being started; null while there is none. */
  private MonitorSocket socket;

  /**
   * @param tuner the native monitor
   * @param directory in which sessions are recorded, each in one of its own
   * @throws RecordException when the monitor is not there
   */
  public LaunchTuning(TuningSettings settings, Path tuner, Path directory) throws RecordException {
    check(tuner);
    // The part for PVM is only there where PVM was when it was built; an installation keeps no file modes.
    File pvm = tuner.resolveSibling(tuner.getFileName() + "-pvm").toFile();
    if (pvm.isFile() && !pvm.canExecute()) {
      pvm.setExecutable(true);
    }
    this.settings = settings;
    this.tuner = tuner;
    this.directory = directory;
  }

  /** @throws RecordException when the monitor is not there */
  public static void check(Path tuner) throws RecordException {
    if (!Files.isExecutable(tuner)) {
      throw new RecordException(NLS.bind(Messages.noTuner, tuner));
    }
  }

  /** Puts the monitor before a recorder that is about to be started. */
  public void starting(PlannedApplication application, ProcessBuilder recorder) throws RecordException {
    close();
    try {
      socket = MonitorSocket.open();
    } catch (MonitorException e) {
      throw new RecordException(e.getMessage(), e);
    }
    List<String> line = new ArrayList<>(socket.words(tuner, usesPvm(application) ? List.of("--pvm") : List.of()));
    line.addAll(recorder.command());
    recorder.command(line);
    recorder.environment().putAll(socket.environment());
  }

  /** The monitor sees the recorder only, so it cannot find out by itself. */
  private static boolean usesPvm(PlannedApplication application) {
    for (String word : application.command()) {
      Path file = application.directory().resolve(word);
      try {
        if (word.contains("/") && Files.isRegularFile(file) && Files.isExecutable(file) && Files.size(file) < MOST_BYTES
            && contains(Files.readAllBytes(file), PVM)) {
          return true;
        }
      } catch (IOException e) {
        // It is told when it is started.
      }
    }
    return false;
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int i = 0; i + part.length <= bytes.length; i++) {
      int equal = 0;
      while (equal < part.length && bytes[i + equal] == part[equal]) {
        equal++;
      }
      if (equal == part.length) {
        return true;
      }
    }
    return false;
  }

  /** Tunes what was started, in the background, until it has ended. */
  public void started(Recording recording) {
    MonitorSocket connection = socket;
    socket = null;
    PlannedApplication application = recording.application();
    TuningSession session = new TuningSession(String.valueOf(recording.trace().getFileName()), directoryOf(recording),
        application.command(), settings.isActing());
    TuningSessions.get().add(session);
    Background.run("tuning of " + application.name(), () -> tune(recording, connection, session));
  }

  /** Listens no more for an application that could not be started. Those that were started are still tuned. */
  @Override
  public void close() {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }

  private Path directoryOf(Recording recording) {
    String name = String.valueOf(recording.trace().getFileName()).replaceAll("\\.trace$", "");
    return directory.getFileName().toString().equals(name + SUFFIX) ? directory : directory.resolve(name);
  }

  private void tune(Recording recording, MonitorSocket connection, TuningSession session) {
    SessionStart start = new SessionStart(settings.isActing(), new Random().nextInt(Integer.MAX_VALUE), INTERVAL_NS,
        settings.models(), recording.application().command());
    try (ProcessMonitor monitor = connection.connect(recording.process());
        SessionWriter writer = new SessionWriter(session.directory(), start)) {
      LiveSession live = new LiveSession(monitor, start, writer, decision -> { });
      session.begin(live);
      TuningSessions.get().changed();
      if (!live.run() && recording.process().isAlive()) {
        session.tell(Messages.monitorEnded);
      } else if (writer.failure() != null) {
        session.tell(NLS.bind(Messages.sessionIncomplete, session.directory(), writer.failure()));
      }
    } catch (MonitorException e) {
      session.tell(e.getMessage());
    } catch (IOException e) {
      session.tell(NLS.bind(Messages.sessionIncomplete, session.directory(), e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      String message = NLS.bind(Messages.fault, e);
      session.tell(message);
      UiLog.log(message, e);
    } finally {
      session.end();
      TuningSessions.get().changed();
    }
  }
}
