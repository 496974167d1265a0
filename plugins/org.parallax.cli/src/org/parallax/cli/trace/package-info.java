/** The commands that describe, check and convert traces. */
package org.parallax.cli.trace;
