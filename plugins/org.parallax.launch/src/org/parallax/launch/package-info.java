/** Launches of parallel programs in the IDE: they are run by org.parallax.record. */
package org.parallax.launch;
