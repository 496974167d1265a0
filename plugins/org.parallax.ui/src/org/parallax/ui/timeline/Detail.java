package org.parallax.ui.timeline;

/** How much care a picture takes. */
enum Detail {
  /** Of each column, but not of each event. */
  FULL,
  /** Of each event. */
  EXACT
}
