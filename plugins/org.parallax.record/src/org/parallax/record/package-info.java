/**
 * Finds and drives the native agent: what a launch runs, what a machine lacks for it, the processes
 * while they run. Plain Java; never reads results.
 */
package org.parallax.record;
