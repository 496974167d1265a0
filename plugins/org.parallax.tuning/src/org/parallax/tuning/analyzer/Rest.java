package org.parallax.tuning.analyzer;

/** When a subject rests: after judgements in which nothing was to be changed, for longer each time. */
final class Rest {
  private static final int QUIET = 20;
  /** How many judgements it looks after a rest. */
  private static final int LOOK = 4;
  private static final long LEAST_NS = 5_000_000_000L;
  private static final long MOST_NS = 60_000_000_000L;

  private int quiet;
  /** Judgements since the last change or rest. */
  private int judged;
  private long lengthNs = LEAST_NS;
  private long untilNs = -1;

  boolean isResting() {
    return untilNs >= 0;
  }

  boolean isOver(long nowNs) {
    return isResting() && nowNs >= untilNs;
  }

  /** @return how long it lasts yet */
  long leftNs(long nowNs) {
    return Math.max(0, untilNs - nowNs);
  }

  /** Counts a judgement without a change. @return whether it is time to rest */
  boolean isDue() {
    judged++;
    return ++quiet >= QUIET;
  }

  /** @return whether it looks again after a rest: then one judgement is enough to see that nothing is new */
  boolean isLooking() {
    return !isResting() && lengthNs > LEAST_NS;
  }

  /** Only a known change would be proposed. @param judgements how many have led to it */
  void nothingNew(int judgements) {
    judged += judgements - 1;
    quiet = isLooking() ? QUIET : quiet + judgements - 1;
  }

  /** Begins a rest. @return why and how long, in words */
  String begin(long nowNs) {
    untilNs = nowNs + lengthNs;
    String text = "nothing to change in " + (judged == 1 ? "1 judgement" : judged + " judgements") + "; its measure points are removed for " + lengthNs / 1_000_000_000
        + " s";
    lengthNs = Math.min(MOST_NS, 2 * lengthNs);
    return text;
  }

  /** Ends a rest. @return whether there was one */
  boolean wake() {
    boolean wasResting = isResting();
    if (wasResting) {
      untilNs = -1;
      quiet = QUIET - LOOK;
      judged = 0;
    }
    return wasResting;
  }

  /** Something was tried or undone. @param helped whether rests are short again */
  void reset(boolean helped) {
    quiet = 0;
    judged = 0;
    lengthNs = helped ? LEAST_NS : lengthNs;
  }
}
