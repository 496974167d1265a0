package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.record.LaunchPlan.PlannedApplication;

/** Runs the active runs of a session file again, all at the same time, each into a new trace. */
public final class SessionRunner {
  private SessionRunner() {}

  /**
   * Runs them; their output is that of this program. The file names the new traces before the first
   * one has ended.
   *
   * @param options of the recorder, for each of them
   * @return the status of each run
   * @throws RecordException when there is none, or one cannot be started; the others are ended
   */
  public static Map<Run, Integer> run(
      Session session, Path file, Agent agent, List<String> options)
      throws RecordException, InterruptedException {
    Map<Run, Recording> started = new LinkedHashMap<>();
    Map<Run, Integer> ended = new LinkedHashMap<>();
    try {
      for (Run run : session.getRuns()) {
        if (run.getMode() == RunMode.ACTIVE) {
          run.setTrace(freeName(file, run));
          PlannedApplication application = new PlannedApplication(run.getName(), run.getMode(),
              List.of("sh", "-c", run.getCommand()), SessionFile.directory(file), Map.of(), 0,
              List.of(), null);
          started.put(run, Recording.start(agent, options, application,
              SessionFile.trace(file.toAbsolutePath(), run), Recording.Output.INHERIT));
        }
      }
      if (started.isEmpty()) {
        throw new RecordException(
            "the session has no active run; add one with --active COMMAND");
      }
      SessionFile.write(session, file);
      for (Map.Entry<Run, Recording> each : started.entrySet()) {
        ended.put(each.getKey(), each.getValue().await());
      }
      return ended;
    } catch (IOException e) {
      throw new RecordException("the session file " + file + " cannot be written: "
          + e.getMessage(), e);
    } finally {
      for (Recording each : new ArrayList<>(started.values())) {
        if (each.process().isAlive()) {
          each.stop();
        }
        each.close();
      }
    }
  }

  /** Older traces stay. */
  private static String freeName(Path file, Run run) {
    String first = run.getName() + ".trace";
    String name = first;
    for (int number = 2; Files.exists(SessionFile.directory(file).resolve(name)); number++) {
      name = first + "-" + number;
    }
    return name;
  }
}
