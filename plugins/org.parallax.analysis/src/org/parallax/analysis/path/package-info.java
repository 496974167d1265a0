/**
 * The critical path and the graph that it goes through: the path as sums and as segments, slack, and
 * the paths that come next. Needs only the replay.
 */
package org.parallax.analysis.path;
