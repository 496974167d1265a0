/**
 * Differences between runs, or between sets of repeated runs, with confidence intervals; which rows,
 * procedures and nodes of two runs are the same.
 */
package org.parallax.analysis.compare;
