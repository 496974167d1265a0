/** Runs the trials of experiments: order, plans for the agent, responses, what goes wrong. */
package org.parallax.experiment.run;
