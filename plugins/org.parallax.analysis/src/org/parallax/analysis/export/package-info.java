/**
 * What files for other tools are made of: slices of calls, the arcs between threads, and collapsed
 * stacks.
 */
package org.parallax.analysis.export;
