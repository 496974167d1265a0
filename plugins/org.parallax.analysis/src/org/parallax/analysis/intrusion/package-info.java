/** What measuring costs the program: costs of a machine, and their sums over the events of threads. */
package org.parallax.analysis.intrusion;
