/** How threads wait for each other, who caused it, and what they send each other. */
package org.parallax.analysis.waits;
