/**
 * Reads traces of format 1 by memory mapping: definitions are loaded, events are read in place.
 *
 * <p>{@link org.parallax.trace.Trace#open} is the entry. All times are nanoseconds since the start
 * of the trace's earliest process, as {@code long}. Objects of a trace can be used by any number of
 * threads; an {@link org.parallax.trace.EventCursor} belongs to one user. The layout that is read
 * here is specified in {@code native/format/FORMAT.md}.
 */
package org.parallax.trace;
