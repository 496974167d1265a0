/**
 * Reports that are one table of one result: critical path, slack, what-if, waits, efficiency, traffic,
 * clocks, sample intervals, profiles.
 */
package org.parallax.analysis.reports;
