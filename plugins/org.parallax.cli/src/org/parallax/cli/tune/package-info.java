/** Tuning of programs while they run. */
package org.parallax.cli.tune;
