/**
 * Metrics that monitors measured over time, and the files that they come in; {@code
 * native/format/SERIES.md} specifies these.
 */
package org.parallax.trace.series;
