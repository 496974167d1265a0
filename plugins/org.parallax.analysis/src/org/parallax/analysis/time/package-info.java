/**
 * Where the time of threads goes: profiles of call paths, times in bins, metrics as they grow,
 * intervals between samples. Needs only the trace and the replay's records.
 */
package org.parallax.analysis.time;
