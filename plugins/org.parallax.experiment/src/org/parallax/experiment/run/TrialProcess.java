package org.parallax.experiment.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.parallax.record.ProcessTree;
import org.parallax.trace.Progress;

/** One execution of the command under the agent. */
final class TrialProcess {
  private static final long POLL_MS = 50;
  /** By Ctrl-C, which ends all that the terminal has in its foreground. */
  private static final int INTERRUPTED = 130;

  /**
   * How it ended.
   *
   * @param failure what was wrong, or null
   * @param hung it took too long
   * @param elapsedNs from the start of the command to its end
   * @param cpuNs of the command and all that it waited for
   */
  record Outcome(String failure, boolean hung, long elapsedNs, long cpuNs) {}

  private TrialProcess() {}

  /**
   * Runs a trial and waits for its end. What it prints goes into {@code output} and {@code errors}
   * of its directory.
   *
   * @param options of the recorder, before the command
   * @param timeoutNs after which it is ended
   */
  static Outcome run(Path recorder, List<String> options, List<String> command, Path workingDirectory,
      Path directory, long timeoutNs, Progress progress) throws IOException, ExperimentException {
    Path times = directory.resolve("times");
    Files.deleteIfExists(times);
    List<String> line = new ArrayList<>(List.of(recorder.toString(), "--quiet", "--end-all",
        "--times", times.toString()));
    line.addAll(options);
    line.add("--");
    line.addAll(command);
    ProcessBuilder recording = new ProcessBuilder(line).directory(workingDirectory.toFile())
        .redirectInput(new File("/dev/null"))
        .redirectOutput(directory.resolve("output").toFile())
        .redirectError(directory.resolve("errors").toFile());
    int status;
    try (ProcessTree tree = new ProcessTree(recording,
        "PARALLAX_PERTURB=" + directory.resolve("plan").toRealPath(), false)) {
      if (!await(tree, timeoutNs, progress)) {
        return new Outcome(String.format(Locale.ROOT, "it timed out and was ended after %.1f s",
            timeoutNs / 1e9), true, 0, 0);
      }
      status = tree.root().exitValue();
      if (status == INTERRUPTED || tree.isExiting()) {
        tree.end();
        throw new CancellationException();
      }
    }
    if (status != 0) {
      return new Outcome("it exited with status " + status + lastWords(directory), false, 0, 0);
    }
    String[] measured = Files.readString(times).strip().split("\\s+");
    return new Outcome(null, false, Long.parseLong(measured[0]), Long.parseLong(measured[1]));
  }

  private static String lastWords(Path directory) throws IOException {
    for (String name : List.of("errors", "output")) {
      String text = new String(Files.readAllBytes(directory.resolve(name))).strip();
      if (!text.isEmpty()) {
        String last = text.substring(text.lastIndexOf('\n') + 1);
        return ": " + (last.length() > 200 ? last.substring(0, 200) + "..." : last);
      }
    }
    return "";
  }

  /** @return false when it was ended because it took too long */
  private static boolean await(ProcessTree tree, long timeoutNs, Progress progress)
      throws ExperimentException {
    try {
      long begin = System.nanoTime();
      while (!tree.root().waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        if (progress.isCancelled()) {
          tree.end();
          progress.check();
        }
        if (System.nanoTime() - begin > timeoutNs) {
          tree.end();
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      tree.end();
      Thread.currentThread().interrupt();
      throw new ExperimentException("cancelled");
    }
  }
}
