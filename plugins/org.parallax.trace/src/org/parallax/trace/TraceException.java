package org.parallax.trace;

/**
 * A trace cannot be read. The message is made for the person who asked for it: the fact with its
 * values, the likely cause, and what to do next.
 */
public final class TraceException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String nextStep;

  /**
   * @param fact what was found, with its values and the likely cause; ends without a full stop
   * @param nextStep what the person can do; empty when nothing helps
   */
  public TraceException(String fact, String nextStep) {
    this(fact, nextStep, null);
  }

  /** As the other constructor, with the failure underneath. */
  public TraceException(String fact, String nextStep, Throwable cause) {
    super(nextStep.isEmpty() ? fact : fact + ". " + nextStep, cause);
    this.nextStep = nextStep;
  }

  /** What the person can do; empty when nothing helps. Also the end of the message. */
  public String nextStep() {
    return nextStep;
  }
}
