/** Launches that are tuned while they run, and recorded sessions of tuning. */
package org.parallax.launch.tuning;
