/** Reads the traces of other tools, with the native programs that convert them. */
package org.parallax.record.formats;
