package org.parallax.analysis;

import org.parallax.analysis.replay.Window;

/**
 * A time period of a run to which any analysis can be constrained (Irvin and Miller 1993, section 3).
 *
 * @param name for people
 * @param window on the time base of what is analysed
 */
public record Phase(String name, Window window) {}
