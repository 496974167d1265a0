package org.parallax.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A launch where nobody looks at a workbench: what it lacks, and what came of it, is told as text. */
public final class HeadlessLaunch {
  /** Is told sentences without an end. */
  public interface Teller {
    void error(String text);

    void warn(String text);

    void note(String text);
  }

  private static final double NS_PER_S = 1e9;

  private HeadlessLaunch() {}

  /** Tells what a launch lacks. @return whether it can run */
  public static boolean check(LaunchPlan plan, Agent agent, Teller teller) {
    List<Problem> problems = LaunchCheck.of(plan, agent);
    for (Problem each : problems) {
      if (each.isError()) {
        teller.error(each.text());
      } else {
        teller.warn(each.text());
      }
    }
    return problems.stream().noneMatch(Problem::isError);
  }

  /**
   * Runs all of it; output is that of this program.
   *
   * @return 0, or the status of the first application that failed
   * @throws RecordException when something cannot be started
   */
  public static int run(LaunchPlan plan, Agent agent, Teller teller)
      throws RecordException, InterruptedException {
    LaunchRun run = new LaunchRun(plan, agent);
    try {
      int status = run.run(Recording.Output.INHERIT, new LaunchRun.Listener() {
        @Override
        public void ended(Recording recording, int ended) {
          if (ended != 0) {
            teller.warn(recording.application().name() + " exited with status " + ended);
          }
        }
      });
      teller.note("parallax: " + next(run));
      return status;
    } finally {
      run.deleteIfEmpty();
    }
  }

  /** What to do with the result: of runs without an event, their times are all there is. */
  private static String next(LaunchRun run) {
    List<Map<String, String>> manifests = run.traces().stream().map(HeadlessLaunch::manifest).toList();
    if (manifests.isEmpty()
        || !manifests.stream().allMatch(each -> "discard".equals(each.get("transport")))) {
      return "next: parallax report critical-path " + run.result();
    }
    String times = manifests.stream().map(each -> each.getOrDefault("elapsed-ns", ""))
        .filter(text -> text.matches("\\d{1,18}"))
        .map(text -> String.format(Locale.ROOT, "%.3f s", Long.parseLong(text) / NS_PER_S))
        .collect(Collectors.joining(", "));
    return "no event was kept (--transport discard); elapsed: " + times
        + "; compare with the time of the program alone";
  }

  /** The lines of a manifest; none if there is no trace. */
  private static Map<String, String> manifest(Path trace) {
    try {
      return Files.readAllLines(trace.resolve("manifest")).stream().map(line -> line.split(" = ", 2))
          .filter(words -> words.length == 2)
          .collect(Collectors.toMap(words -> words[0], words -> words[1], (first, second) -> first));
    } catch (IOException e) {
      return Map.of();
    }
  }
}
