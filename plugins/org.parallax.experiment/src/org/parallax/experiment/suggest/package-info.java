/** Factors proposed from traces, and effects that the graph predicts of them. */
package org.parallax.experiment.suggest;
