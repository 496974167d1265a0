/** Metrics of threads, of programs and of monitors: tables of them, and their curves over time. */
package org.parallax.analysis.metrics;
