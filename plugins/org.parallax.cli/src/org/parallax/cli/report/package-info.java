/** The commands that print reports and compare runs, and how a command line names a part of a session. */
package org.parallax.cli.report;
