package org.parallax.ui.timeline;

/**
 * How high lanes are as a person wants it.
 *
 * @param points of a lane; {@link #READABLE} and {@link #FIT} leave it to the room that there is
 */
record LaneHeight(double points) {
  /** High enough for their names; higher if there is room. */
  static final LaneHeight READABLE = new LaneHeight(0);
  /** All of them are in sight, several in a line of pixels if need be. */
  static final LaneHeight FIT = new LaneHeight(-1);

  private static final int MOST_LINES = 3;
  private static final int MOST_ZOOMED = 8;

  /**
   * @param line the height of a line of text
   * @param space for all lanes
   * @param lanes how many there are
   */
  double of(int line, int space, int lanes) {
    double fit = Math.min(MOST_LINES * line, space / (double) Math.max(1, lanes));
    if (this.equals(FIT)) {
      return fit;
    }
    if (this.equals(READABLE)) {
      return Math.max(line + 2, (int) fit);
    }
    return Math.max(fit, Math.min(MOST_ZOOMED * line, points));
  }
}
