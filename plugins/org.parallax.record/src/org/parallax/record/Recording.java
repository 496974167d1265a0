package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.parallax.record.LaunchPlan.PlannedApplication;

/**
 * An application that runs under the recorder. It ends when the recorder does, unless it ran before: then it goes on
 * without being recorded.
 */
public final class Recording implements AutoCloseable {
  /** Where its output goes. */
  public enum Output {
    /** Into that of this program. */
    INHERIT,
    /** Into the streams of {@link #process}. */
    PIPE
  }

  private final PlannedApplication application;
  private final Path trace;
  private final ProcessTree tree;
  private volatile boolean isStopped;

  private Recording(PlannedApplication application, Path trace, ProcessTree tree) {
    this.application = application;
    this.trace = trace;
    this.tree = tree;
  }

  /** Changes how an application is started. */
  @FunctionalInterface
  public interface Preparation {
    /**
     * @param recorder about to be started; a program that starts it in turn, with the same input and output, may come before it
     * @throws RecordException when it cannot be started
     */
    void prepare(ProcessBuilder recorder) throws RecordException;
  }

  /** Starts an application as it is; see {@link #start(Agent, List, PlannedApplication, Path, Output, Preparation)}. */
  public static Recording start(Agent agent, List<String> options, PlannedApplication application,
      Path trace, Output output) throws RecordException {
    return start(agent, options, application, trace, output, recorder -> { });
  }

  /**
   * Starts an application.
   *
   * @param options of the recorder
   * @param trace a directory that is not there, or empty
   * @throws RecordException when there is no recorder
   */
  public static Recording start(Agent agent, List<String> options, PlannedApplication application,
      Path trace, Output output, Preparation preparation) throws RecordException {
    Path recorder = Agent.executable(agent.recorder());
    if (recorder == null) {
      throw new RecordException(LaunchCheck.noRecorder(agent));
    }
    List<String> line = new ArrayList<>(List.of(recorder.toAbsolutePath().toString()));
    line.addAll(options);
    if (application.isAttached()) {
      // What it says is all that a person sees of it: the program's output goes elsewhere.
      line.addAll(List.of("-o", trace.toString(), "--attach", application.attached().stream()
          .map(String::valueOf).collect(Collectors.joining(","))));
    } else {
      line.addAll(List.of("--quiet", "-o", trace.toString(), "--"));
      line.addAll(application.command());
    }
    ProcessBuilder builder =
        new ProcessBuilder(line).directory(application.directory().toFile());
    builder.environment().putAll(application.environment());
    if (output == Output.INHERIT) {
      builder.inheritIO();
    }
    preparation.prepare(builder);
    try {
      Path parent = trace.toAbsolutePath().getParent();
      Files.createDirectories(parent);
      String variable = application.isAttached() ? null
          : "PARALLAX_TRACE=" + parent.toRealPath().resolve(trace.getFileName());
      return new Recording(application, trace, new ProcessTree(builder, variable, true));
    } catch (IOException e) {
      throw new RecordException("the recorder cannot be started: " + e.getMessage(), e);
    }
  }

  public PlannedApplication application() {
    return application;
  }

  public Path trace() {
    return trace;
  }

  /** The recorder, whose output, input and status are the application's. */
  public Process process() {
    return tree.root();
  }

  /** @return whether it was ended by {@link #stop} */
  public boolean isStopped() {
    return isStopped;
  }

  /** Ends the program, or lets go of one that ran before; its trace is complete until then. Takes some seconds if it resists. */
  public void stop() {
    isStopped = true;
    tree.endProgram();
  }

  /** Ends the recorder, too, though the trace may lack names then. */
  public void kill() {
    isStopped = true;
    tree.end();
  }

  /** Waits for its end. @return its status */
  int await() throws InterruptedException {
    int status = process().waitFor();
    close();
    return status;
  }

  @Override
  public void close() {
    tree.close();
  }
}
