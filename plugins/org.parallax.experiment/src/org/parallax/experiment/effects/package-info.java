/**
 * What the trials of an experiment tell: effects with their standard errors, rankings of settings,
 * warnings, and what to try next. {@code docs/experiments-effects.md} has the statistics.
 */
package org.parallax.experiment.effects;
