/** Commands for a session of tuning from other processes, over a socket in its directory. */
package org.parallax.tuning.control;
