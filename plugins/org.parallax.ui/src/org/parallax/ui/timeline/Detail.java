package org.parallax.ui.timeline;

/** How much care a picture takes. */
enum Detail {
  /** Of pairs of columns, while a person goes around: for the moment until the person rests. */
  QUICK,
  /** Of each column, but not of each event. */
  FULL,
  /** Of each event. */
  EXACT
}
