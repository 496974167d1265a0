/**
 * What threads do when, at the level of detail of a picture; {@link
 * org.parallax.analysis.timeline.ProgramTimeline} is the entry. A picture costs by its pixels, not by
 * the length of the trace.
 */
package org.parallax.analysis.timeline;
