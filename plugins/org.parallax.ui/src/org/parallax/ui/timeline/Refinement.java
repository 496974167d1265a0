package org.parallax.ui.timeline;

import org.parallax.analysis.timeline.StateColumns;

/**
 * Decides how much care pictures take: where full ones take long, a person who goes around sees quick ones, and the
 * full one at rest; that one becomes exact after some more time.
 */
final class Refinement {
  /** Pictures of steps are quick where full ones take longer. */
  static final long LONG_NS = 12_000_000;
  private static final int FULL_AFTER_MS = 120;
  private static final int EXACT_AFTER_MS = 200;

  private long longNs = LONG_NS;
  /** How long the last full picture took. */
  private long fullNs;

  /** Of the picture of a step. */
  Detail ofStep() {
    return fullNs > longNs ? Detail.QUICK : Detail.FULL;
  }

  void drawn(TimelineDrawing drawing) {
    if (drawing.scene().detail() == Detail.FULL) {
      fullNs = drawing.tookNs();
    }
  }

  /** Of the picture that replaces one at rest; null if it stays. */
  static Detail after(TimelineDrawing drawing) {
    return drawing.scene().detail() == Detail.QUICK ? Detail.FULL
        : drawing.states().quality() == StateColumns.Quality.SHARES ? Detail.EXACT : null;
  }

  static int afterMs(Detail next) {
    return next == Detail.FULL ? FULL_AFTER_MS : EXACT_AFTER_MS;
  }

  /** For tests: another {@link #LONG_NS}. */
  void setLongNs(long ns) {
    longNs = ns;
  }
}
