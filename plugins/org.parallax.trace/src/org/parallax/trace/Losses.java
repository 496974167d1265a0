package org.parallax.trace;

import java.util.StringJoiner;

/**
 * What a process could not record, and why.
 *
 * @param events that are missing, in all threads together
 * @param definitions that are missing: what events refer to by their numbers has no name
 * @param callPaths whose last caller is missing
 * @param firstTicks when the first loss was, 0 when there was none
 * @param lastTicks when the last one was
 * @param cause of the first one
 */
public record Losses(long events, long definitions, long callPaths, long firstTicks,
    long lastTicks, Cause cause) {

  /** Nothing was lost. */
  public static final Losses NONE = new Losses(0, 0, 0, 0, 0, Cause.NONE);

  /** Why something could not be recorded. */
  public enum Cause {
    NONE("", ""),
    DISK_FULL("the disk was full", "Free space, or choose another disk with record -o"),
    DISK_RESERVED("the remaining free space of the disk is reserved for the program (--keep-free)",
        "Free space, choose another disk with record -o, or reserve less with --keep-free"),
    TRACE_TOO_LARGE("the trace reached its maximum size (--max-size)",
        "Allow a larger trace, or record less with --sample-hz, --adapters or --count"),
    FILE_TOO_LARGE("the limit on the size of files was reached (ulimit -f)",
        "Raise the limit before you start the program"),
    MEMORY("the program had no memory left for the agent (ulimit -v)",
        "Raise the limit before you start the program"),
    DESCRIPTORS("the program had no file descriptor left for the agent (ulimit -n)",
        "Raise the limit before you start the program"),
    OTHER("the trace directory was not writable",
        "Check whether it was removed or made read-only during the run"),
    FORBIDDEN("the program had forbidden system calls that the agent needs (seccomp)",
        "If the program has an option to switch off its sandbox, use it for recording"),
    BEHIND("the writer of the transport was behind (--when-full drop)",
        "Record with --when-full wait, or record less with --sample-hz, --adapters or --count"),
    PROCESS_TOO_LARGE("the process reached its maximum size (--max-process-size)",
        "Allow a larger one, or record less with --sample-hz, --adapters or --count");

    private final String text;
    private final String nextStep;

    Cause(String text, String nextStep) {
      this.text = text;
      this.nextStep = nextStep;
    }

    /** @return the cause as a clause */
    public String text() {
      return text;
    }

    /** @return what a person can do */
    public String nextStep() {
      return nextStep;
    }
  }

  /** @return whether anything was lost */
  public boolean any() {
    return cause != Cause.NONE;
  }

  /** @return what was lost, such as {@code 12 events, 1 definition}; empty for nothing */
  public String text() {
    StringJoiner text = new StringJoiner(", ");
    add(text, events, "event");
    add(text, definitions, "definition");
    add(text, callPaths, "call path");
    return text.toString();
  }

  private static void add(StringJoiner text, long count, String thing) {
    if (count > 0) {
      text.add(String.format("%,d %s%s", count, thing, count == 1 ? "" : "s"));
    }
  }
}
