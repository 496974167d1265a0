/** Finds the source of a procedure or a line, and opens it in an editor. */
package org.parallax.ui.source;
