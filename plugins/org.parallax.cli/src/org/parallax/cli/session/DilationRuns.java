package org.parallax.cli.session;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.reports.DilationReport;
import org.parallax.analysis.reports.DilationReport.Pair;
import org.parallax.analysis.reports.DilationReport.Times;
import org.parallax.cli.command.CommandFailure;
import org.parallax.model.program.Application;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.SessionBuilder;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Runs of one command with and without the agent, by turns. */
final class DilationRuns {
  private static final long POLL_MS = 50;
  private static final int MOST_WORDS = 200;

  private final Path recorder;
  private final List<String> options;
  private final List<String> command;
  private final Path trace;
  private final Set<String> warnings = new LinkedHashSet<>();
  private Path scratch;

  /**
   * @param options of the recorder for the runs with the agent
   * @param trace directory of the last trace, which does not exist
   */
  DilationRuns(Path recorder, List<String> options, List<String> command, Path trace) {
    this.recorder = recorder;
    this.options = options;
    this.command = command;
    this.trace = trace;
  }

  Path trace() {
    return trace;
  }

  /** @return what a person must know of the traces, each once */
  Set<String> warnings() {
    return warnings;
  }

  /**
   * Makes the runs; the order in a pair alternates.
   *
   * @throws CommandFailure when a run fails; the traces are then removed
   */
  List<Pair> make(int count, Progress progress) throws CommandFailure, TraceException {
    try {
      scratch = Files.createTempDirectory("parallax-dilation");
    } catch (IOException e) {
      throw new CommandFailure("cannot make a temporary directory: " + e.getMessage());
    }
    boolean isDone = false;
    try {
      List<Pair> pairs = new ArrayList<>();
      progress.begin("Running " + command.get(0), 2L * count);
      for (int i = 0; i < count; i++) {
        remove(trace);
        boolean isPlainFirst = i % 2 == 0;
        Times first = run(2 * i + 1, 2 * count, !isPlainFirst, progress);
        Times second = run(2 * i + 2, 2 * count, isPlainFirst, progress);
        pairs.add(new Pair(isPlainFirst ? first : second, isPlainFirst ? second : first, estimate()));
      }
      isDone = true;
      return pairs;
    } catch (IOException e) {
      throw new CommandFailure("cannot run " + recorder + ": " + e.getMessage());
    } finally {
      remove(scratch);
      if (!isDone) {
        remove(trace);
      }
    }
  }

  private Times estimate() throws TraceException {
    LoadedSession session = SessionBuilder.open(List.of(trace), Progress.NONE);
    try {
      List<Application> applications = session.getApplications();
      for (Application application : applications) {
        ApplicationAnalysis analysis = new ApplicationAnalysis(application);
        warnings.addAll(analysis.traceWarnings());
        warnings.addAll(analysis.intrusion(Progress.NONE).warnings());
      }
      return DilationReport.estimate(session.traces().get(0), applications, Progress.NONE);
    } finally {
      SessionBuilder.close(session);
    }
  }

  private Times run(int number, int all, boolean hasAgent, Progress progress)
      throws IOException, CommandFailure {
    Path times = scratch.resolve("times");
    Path errors = scratch.resolve("errors");
    Files.deleteIfExists(times);
    List<String> line = new ArrayList<>(List.of(recorder.toString(), "--quiet", "--times", times.toString()));
    if (hasAgent) {
      line.addAll(List.of("-o", trace.toString()));
      line.addAll(options);
    } else {
      line.add("--no-agent");
    }
    line.add("--");
    line.addAll(command);
    Process process = new ProcessBuilder(line).redirectInput(new File("/dev/null"))
        .redirectOutput(new File("/dev/null")).redirectError(errors.toFile()).start();
    int status = await(process, progress);
    progress.worked(1);
    String how = hasAgent ? "with" : "without";
    if (status != 0 || Files.notExists(times)) {
      throw new CommandFailure("run " + number + " of " + all + ", " + how + " the agent, ended with status "
          + status + lastWords(errors) + "; only runs that succeed can be compared");
    }
    if (hasAgent && !hasProcesses()) {
      throw new CommandFailure("run " + number + " of " + all + " recorded no process" + lastWords(errors));
    }
    String[] measured = Files.readString(times).strip().split("\\s+");
    return new Times(Long.parseLong(measured[0]), Long.parseLong(measured[1]));
  }

  private boolean hasProcesses() throws IOException {
    try (Stream<Path> files = Files.list(trace)) {
      return files.anyMatch(file -> file.toString().endsWith(".def"));
    }
  }

  private static int await(Process process, Progress progress) {
    try {
      while (!process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        if (progress.isCancelled()) {
          process.destroy();
          progress.check();
        }
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  private static String lastWords(Path errors) throws IOException {
    String text = new String(Files.readAllBytes(errors)).strip();
    String last = text.substring(text.lastIndexOf('\n') + 1);
    return last.isEmpty() ? "" : ": " + (last.length() > MOST_WORDS ? last.substring(0, MOST_WORDS) + "..." : last);
  }

  private static void remove(Path directory) {
    if (Files.notExists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Of a temporary directory, or the recorder tells that the trace is there.
    }
  }
}
