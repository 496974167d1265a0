/** JSON lines, between the analyzer and the monitor and in recorded sessions. */
package org.parallax.tuning.json;
