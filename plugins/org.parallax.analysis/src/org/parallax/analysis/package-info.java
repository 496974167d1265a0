/**
 * The analyses of applications: {@link org.parallax.analysis.ApplicationAnalysis} computes each result
 * once and keeps it. Reports take their results from here; it knows none of them.
 */
package org.parallax.analysis;
