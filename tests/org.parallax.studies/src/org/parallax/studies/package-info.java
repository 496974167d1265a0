/**
 * The tables that {@code ./parallax study} and {@code ./parallax bench} print. The scripts record programs
 * and write reports to files; the classes here read these files, compute, and print. They use only the JDK.
 */
package org.parallax.studies;
