package org.parallax.record;

import java.util.List;

/** A launch where nobody looks at a workbench: what it lacks, and what came of it, is told as text. */
public final class HeadlessLaunch {
  /** Is told sentences without an end. */
  public interface Teller {
    void error(String text);

    void warn(String text);

    void note(String text);
  }

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
      teller.note("parallax: next: parallax report critical-path " + run.result());
      return status;
    } finally {
      run.deleteIfEmpty();
    }
  }
}
