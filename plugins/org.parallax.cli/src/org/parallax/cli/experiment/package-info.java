/** The commands of experiments: suggest, design, run, analyse. */
package org.parallax.cli.experiment;
