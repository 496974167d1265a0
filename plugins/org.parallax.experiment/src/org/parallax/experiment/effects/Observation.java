package org.parallax.experiment.effects;

/**
 * The response of one trial that went well.
 *
 * @param run of the design, from 0
 * @param replicate of the design, from 0
 * @param block in which it ran: trials of one block ran close together in time, and blocks may
 *     differ by a constant. Replicates that ran one after the other are blocks of their own
 * @param position in time among all trials, rising
 */
public record Observation(int run, int replicate, int block, int position, double value) {}
