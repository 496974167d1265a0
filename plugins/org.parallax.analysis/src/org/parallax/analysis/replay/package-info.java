/**
 * Replays the events of all threads and so finds the program activity graph; {@link
 * org.parallax.analysis.replay.Replay} is the entry. Needs the trace alone. {@code
 * docs/activity-graph.md} has the rules.
 */
package org.parallax.analysis.replay;
