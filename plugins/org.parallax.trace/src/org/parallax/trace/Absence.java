package org.parallax.trace;

/**
 * Events that a trace should have and has not: of a process, of a thread, or of a thread from some time
 * on.
 *
 * @param who such as {@code heat[0] (pid 12 on node1)} or {@code ranks 0 and 3 of 8 (heat)}
 * @param fact what is missing, and how it is known
 * @param nextStep what can be done
 * @param isCertain whether events were recorded and are gone; otherwise they may never have been recorded
 */
public record Absence(String who, String fact, String nextStep, boolean isCertain) {
  /** What it means for all results. */
  public static final String MEANING = "The missing time is in no result, and a wait for a missing "
      + "process or thread has no cause";

  /** @return the absence in a clause */
  public String text() {
    return who + ": " + fact;
  }
}
