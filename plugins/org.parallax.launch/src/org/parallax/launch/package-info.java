/** Launches of parallel programs in the IDE, and what is known of each while it is recorded. */
package org.parallax.launch;
