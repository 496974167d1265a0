package org.parallax.experiment.effects;

import org.parallax.analysis.table.Unit;

/** What an effect tells. */
public enum Verdict {
  /** The treatment makes the response larger; this survives the correction for many tests. */
  SLOWER("slower", "larger"),
  /** The treatment makes the response smaller; this survives the correction for many tests. */
  FASTER("faster", "smaller"),
  /** The interval is clear of zero, but among so many tests that may be chance. */
  UNSURE("unsure", "unsure"),
  /** The interval includes zero. */
  NONE("", ""),
  /** There is no standard error. */
  UNKNOWN("not known", "not known");

  private final String ofTimes;
  private final String ofOthers;

  Verdict(String ofTimes, String ofOthers) {
    this.ofTimes = ofTimes;
    this.ofOthers = ofOthers;
  }

  /** @return in words; of what is no time nobody knows whether more of it is better */
  public String text(Unit unit) {
    return unit == Unit.NANOSECONDS ? ofTimes : ofOthers;
  }

  /** @return whether the effect is to be shown in the source */
  public boolean isMarked() {
    return this == SLOWER || this == FASTER;
  }
}
