package org.parallax.ui.timeline;

import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.ui.session.RunAlignment;

/**
 * A run that is shown.
 *
 * @param analysis of all of the time
 * @param lanes the threads that are shown
 * @param name for people
 * @param origin the moment that is shown as time 0
 */
record TimelineRun(ApplicationAnalysis analysis, ProgramTimeline timeline, Lanes lanes, String name,
    RunAlignment.Origin origin) {
}
