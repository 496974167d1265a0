package org.parallax.record;

import java.util.List;

/**
 * An option of the recorder with which any of its runs can be measured. Launches, the command line and
 * views have these options from {@link #ALL}; a test compares them with those of the recorder. The other
 * options of the recorder are about one run only: where its trace goes, what is printed, and the
 * treatments of an experiment.
 *
 * @param name with its two dashes
 * @param value what stands for the value in a help text; empty for a flag
 * @param usual the value of an option that stands without one; empty where it must have one
 * @param attribute of a saved launch; of a flag {@code true}
 * @param variable that it becomes for the agent, empty if it becomes none
 * @param summary for a line of help
 */
public record RecorderOption(String name, String value, String usual, String attribute,
    String variable, String summary) {
  /** It names a file. */
  public static final String FILTER = "--filter";
  /** It can be given several times; a launch has a line for each. */
  public static final String EXTERNAL = "--external";

  /** All of them, in the order of help texts. */
  public static final List<RecorderOption> ALL = List.of(
      of("--sample-hz", "N", LaunchAttributes.SAMPLE_HZ, "",
          "samples per second in each thread (100)"),
      of("--sample-clock", "C", LaunchAttributes.SAMPLE_CLOCK, "PARALLAX_SAMPLE_CLOCK",
          "clock of samples: cpu or wall (cpu)"),
      of("--adapters", "LIST", LaunchAttributes.ADAPTERS, "PARALLAX_ADAPTERS",
          "record only these adapters, or all except those after a - (all)"),
      of("--count", "LIST", LaunchAttributes.COUNT, "PARALLAX_COUNT",
          "only count the calls of these routines"),
      of("--flat", "LIST", LaunchAttributes.FLAT, "PARALLAX_FLAT",
          "measure these routines without their call paths"),
      of("--full", "LIST", LaunchAttributes.FULL, "PARALLAX_FULL",
          "measure these routines with their call paths"),
      of(FILTER, "FILE", LaunchAttributes.FILTER, "PARALLAX_FILTER",
          "measure only the functions that this file selects"),
      of("--throttle", "off|CALLS:NS", LaunchAttributes.THROTTLE, "PARALLAX_THROTTLE",
          "count functions that are short and called often (100000:10000)"),
      of("--keep-free", "SIZE", LaunchAttributes.KEEP_FREE, "PARALLAX_KEEP_FREE",
          "free disk space at which recording stops (5%, at most 1G)"),
      of("--max-size", "SIZE", LaunchAttributes.MAX_SIZE, "PARALLAX_MAX_SIZE",
          "size of the trace at which recording stops"),
      of("--max-process-size", "SIZE", LaunchAttributes.MAX_PROCESS_SIZE, "PARALLAX_MAX_PROCESS_SIZE",
          "size of a process at which its recording stops"),
      of("--max-rate", "SIZE", LaunchAttributes.MAX_RATE, "PARALLAX_MAX_RATE",
          "bytes a second above which a process pauses"),
      of("--keep-last", "TIME", LaunchAttributes.KEEP_LAST, "PARALLAX_KEEP_LAST",
          "keep only the last events, such as 60s or 5m"),
      new RecorderOption("--control", "HOW", "running", LaunchAttributes.CONTROL, "PARALLAX_CONTROL",
          "let recording be paused; it begins running or paused (running)"),
      of("--transport", "MODE", LaunchAttributes.TRANSPORT, "PARALLAX_TRANSPORT",
          "how events get to the disk: mapped, shared, ... (by the disk)"),
      of("--when-full", "W", LaunchAttributes.WHEN_FULL, "",
          "if the process that writes is behind: wait or drop (wait)"),
      new RecorderOption("--monitor", "HZ", "10", LaunchAttributes.MONITOR_HZ, "",
          "record load, memory, disks and network of the machine (10)"),
      of(EXTERNAL, "CMD", LaunchAttributes.EXTERNALS, "",
          "record the output of this command as a series"),
      of("--clock-offsets", "", LaunchAttributes.CLOCK_OFFSETS, "PARALLAX_CLOCK_OFFSETS",
          "measure how far the clocks of an MPI program's hosts are apart"),
      of("--end-all", "", LaunchAttributes.END_ALL, "", "end all processes that are left behind"));

  private static RecorderOption of(
      String name, String value, String attribute, String variable, String summary) {
    return new RecorderOption(name, value, "", attribute, variable, summary);
  }

  public boolean isFlag() {
    return value.isEmpty();
  }

  /** @return the words of the recorder's command line; for a flag the value is of no account */
  public List<String> words(String given) {
    return isFlag() ? List.of(name) : usual.isEmpty() ? List.of(name, given)
        : List.of(name + "=" + given);
  }
}
