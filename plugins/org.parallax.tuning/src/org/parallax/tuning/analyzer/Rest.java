package org.parallax.tuning.analyzer;

/**
 * When a subject rests: after judgements in which nothing was to be changed, or without any, for longer each time.
 */
final class Rest {
  /** Ends of rests that others have begun. */
  interface Others {
    /** @return the end of a rest that is not before the first and not after the last of these times, or -1 */
    long end(long firstNs, long lastNs);
  }

  private static final int QUIET = 20;
  /** How many judgements it looks after a rest. */
  private static final int LOOK = 4;
  private static final long LEAST_NS = 5_000_000_000L;
  private static final long MOST_NS = 60_000_000_000L;
  /** So long, but for {@link #QUIET} intervals at least, it waits for a visit; and while it looks, for {@link #LOOK} of them. */
  private static final long LEAST_PATIENCE_NS = 1_000_000_000L;
  private static final long LEAST_LOOK_NS = 500_000_000L;
  /** So long, but for as many intervals at least, it judges where calls are so rare that judgements take long. */
  private static final long LONG_NS = 10_000_000_000L;
  private static final long LONG_LOOK_NS = 2_000_000_000L;

  private int quiet;
  /** Judgements since the last change or rest. */
  private int judged;
  private long lengthNs = LEAST_NS;
  private long untilNs = -1;
  /** When something has changed last, or the last rest has ended. */
  private long sinceNs;

  Rest(long nowNs) {
    sinceNs = nowNs;
  }

  boolean isResting() {
    return untilNs >= 0;
  }

  boolean isOver(long nowNs) {
    return isResting() && nowNs >= untilNs;
  }

  /** @return when it ends, or -1 */
  long untilNs() {
    return untilNs;
  }

  /** @return how long it lasts yet */
  long leftNs(long nowNs) {
    return Math.max(0, untilNs - nowNs);
  }

  /** Counts a judgement without a change. @return whether it is time to rest */
  boolean isDue(long nowNs, long intervalNs) {
    judged++;
    return ++quiet >= QUIET || isLong(nowNs, intervalNs);
  }

  /** @return whether it judges for so long that one more judgement without something new is enough */
  boolean isLong(long nowNs, long intervalNs) {
    return nowNs - sinceNs >= (isLooking() ? Math.max(LONG_LOOK_NS, LOOK * intervalNs) : Math.max(LONG_NS, QUIET * intervalNs));
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

  /** @return how long it waits for a visit of its measure point until it rests without a judgement */
  long patienceNs(long intervalNs) {
    return isLooking() ? Math.max(LEAST_LOOK_NS, LOOK * intervalNs) : Math.max(LEAST_PATIENCE_NS, QUIET * intervalNs);
  }

  /** Begins a rest. @return why and how long, in words */
  String begin(long nowNs, Others others) {
    return begin(nowNs, others, "nothing to change in " + (judged == 1 ? "1 judgement" : judged + " judgements"));
  }

  /**
   * Begins a rest. It is up to a half shorter if it ends together with another one then: in a rest of all, no point is on.
   *
   * @return why and how long, in words
   */
  String begin(long nowNs, Others others, String why) {
    long together = others.end(nowNs + lengthNs / 2, nowNs + lengthNs);
    untilNs = together < 0 ? nowNs + lengthNs : together;
    lengthNs = Math.min(MOST_NS, 2 * lengthNs);
    return why + "; its measure points are removed for " + Math.round((untilNs - nowNs) / 1e9) + " s";
  }

  /** Ends a rest. @return whether there was one */
  boolean wake(long nowNs) {
    boolean wasResting = isResting();
    if (wasResting) {
      untilNs = -1;
      sinceNs = nowNs;
      quiet = QUIET - LOOK;
      judged = 0;
    }
    return wasResting;
  }

  /** Something was tried or undone. @param helped whether rests are short again */
  void reset(boolean helped, long nowNs) {
    sinceNs = nowNs;
    quiet = 0;
    judged = 0;
    lengthNs = helped ? LEAST_NS : lengthNs;
  }
}
