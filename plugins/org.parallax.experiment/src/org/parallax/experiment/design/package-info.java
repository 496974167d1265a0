/**
 * Designs of experiments (Lyon, Snelick, Kacker 1992, section 2; Box, Hunter, Hunter, Statistics
 * for Experimenters): which treatments each run has, and which effects they cannot tell from each
 * other.
 */
package org.parallax.experiment.design;
