/** The trace browser: events in words, and the other end of each. */
package org.parallax.analysis.events;
