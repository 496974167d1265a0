package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.record.LaunchPlan.PlannedApplication;

/**
 * A launch while it runs: its active applications at the same time, as often as it says. One
 * application that runs once makes a trace; all others a session file with the traces beside it.
 */
public final class LaunchRun {
  /** Is told what happens, on the thread that runs the launch. */
  public interface Listener {
    /**
     * An application is about to be started.
     *
     * @param recorder starts it
     * @throws RecordException when it cannot be started
     */
    default void starting(PlannedApplication application, int repetition, ProcessBuilder recorder) throws RecordException {}

    /** @param repetition from 1 */
    default void started(Recording recording, int repetition) {}

    default void ended(Recording recording, int status) {}
  }

  private final LaunchPlan plan;
  private final Agent agent;
  private final Path directory;
  private final List<Recording> running = new CopyOnWriteArrayList<>();
  private final List<Path> traces = new CopyOnWriteArrayList<>();
  private volatile int repetition;
  private volatile boolean isStopped;

  /** @throws RecordException when no directory can be made for it */
  public LaunchRun(LaunchPlan plan, Agent agent) throws RecordException {
    this.plan = plan;
    this.agent = agent;
    this.directory = plan.makeDirectory();
  }

  public LaunchPlan plan() {
    return plan;
  }

  /** Made for this launch: what it records is in it. */
  public Path directory() {
    return directory;
  }

  /** What runs now. */
  public List<Recording> running() {
    return List.copyOf(running);
  }

  /** Which repetition runs, from 1; 0 before the first. */
  public int repetition() {
    return repetition;
  }

  public boolean isStopped() {
    return isStopped;
  }

  /** @return the traces that there are by now, also those that replay or are compared with */
  public List<Path> traces() {
    List<Path> all = new ArrayList<>(traces);
    plan.applications().stream().filter(each -> !each.isActive())
        .map(PlannedApplication::trace).forEach(all::add);
    return all;
  }

  /** @return what is opened to see it: the trace, or the session file */
  public Path result() {
    return isSingle() ? directory : directory.resolve(plan.name() + SessionFile.SUFFIX);
  }

  private boolean isSingle() {
    return plan.applications().size() == 1 && plan.repetitions() == 1
        && plan.applications().get(0).isActive();
  }

  /** Ends all that runs; nothing more is started. */
  public void stop() {
    isStopped = true;
    running.forEach(Recording::stop);
  }

  /** Nothing more is started; what runs goes on. */
  public void startNoMore() {
    isStopped = true;
  }

  /**
   * Runs it and waits for its end.
   *
   * @return 0, or the status of the first application that failed
   * @throws RecordException when one cannot be started; the others are ended
   */
  public int run(Recording.Output output, Listener listener)
      throws RecordException, InterruptedException {
    int status = 0;
    writeSession(plan.repetitions());
    int made = 0;
    try {
      while (made < plan.repetitions() && !isStopped && !plan.active().isEmpty()) {
        repetition = ++made;
        int ended = runOnce(output, listener);
        status = status != 0 ? status : ended;
      }
    } finally {
      running.forEach(Recording::stop);
      writeSession(made);
    }
    return status;
  }

  private int runOnce(Recording.Output output, Listener listener)
      throws RecordException, InterruptedException {
    List<Recording> started = new ArrayList<>();
    try {
      for (PlannedApplication each : plan.active()) {
        Recording recording =
            Recording.start(agent, plan.options(), each, trace(each, repetition), output,
                recorder -> listener.starting(each, repetition, recorder));
        started.add(recording);
        running.add(recording);
        traces.add(recording.trace());
        listener.started(recording, repetition);
      }
      if (isStopped) {
        started.forEach(Recording::stop);
      }
      int status = 0;
      for (Recording each : started) {
        int ended = each.await();
        status = status != 0 ? status : ended;
        listener.ended(each, ended);
      }
      return status;
    } finally {
      started.forEach(each -> {
        if (each.process().isAlive()) {
          each.stop();
        }
        each.close();
      });
      running.removeAll(started);
    }
  }

  private Path trace(PlannedApplication application, int number) {
    if (isSingle()) {
      return directory;
    }
    boolean repeats = plan.repetitions() > 1;
    return directory.resolve(application.name() + (repeats ? "-" + number : "") + ".trace");
  }

  /** Writes which runs there are, the first of which have been made. */
  private void writeSession(int made) throws RecordException {
    if (isSingle()) {
      return;
    }
    Session session = ModelFactory.eINSTANCE.createSession();
    Path file = result();
    boolean repeats = plan.repetitions() > 1;
    List<PlannedApplication> active = plan.active();
    for (int number = 1; number <= made && !active.isEmpty(); number++) {
      if (repeats && active.size() > 1) {
        Path parts = directory.resolve("run-" + number + SessionFile.SUFFIX);
        Session part = ModelFactory.eINSTANCE.createSession();
        for (PlannedApplication each : active) {
          add(part, parts, each.name(), each, trace(each, number));
        }
        write(part, parts);
        Run run = add(session, file, "run-" + number, null, parts);
        run.setGroup(plan.name());
      } else {
        for (PlannedApplication each : active) {
          Run run = add(session, file, each.name() + (repeats ? "-" + number : ""), each,
              trace(each, number));
          run.setGroup(repeats ? plan.name() : null);
        }
      }
    }
    for (PlannedApplication each : plan.applications()) {
      if (!each.isActive()) {
        add(session, file, each.name(), each, each.trace());
      }
    }
    write(session, file);
  }

  private static Run add(Session session, Path file, String name, PlannedApplication application,
      Path trace) {
    Run run = ModelFactory.eINSTANCE.createRun();
    run.setName(name);
    run.setMode(application == null ? RunMode.REPLAY : application.mode());
    run.setTrace(SessionFile.named(file, trace));
    if (application != null && application.isActive()) {
      run.setCommand(shellCommand(application));
    }
    session.getRuns().add(run);
    return run;
  }

  /** The line that does the same in any directory. */
  static String shellCommand(PlannedApplication application) {
    List<String> words = new ArrayList<>();
    Map<String, String> environment = new TreeMap<>(application.environment());
    if (!environment.isEmpty()) {
      words.add("env");
      environment.forEach((name, value) -> words.add(name + "=" + value));
    }
    words.addAll(application.command());
    return "cd " + CommandLine.forShell(List.of(application.directory().toString())) + " && "
        + CommandLine.forShell(words);
  }

  private static void write(Session session, Path file) throws RecordException {
    try {
      SessionFile.write(session, file);
    } catch (IOException e) {
      throw new RecordException("the session file " + file + " cannot be written: "
          + LaunchPlan.reason(e), e);
    }
  }

  /** Deletes the directory again when nothing is in it. */
  public void deleteIfEmpty() {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // Something is in it: it stays.
    }
  }
}
