/** The views of call paths: the call tree and the flame graph, of one run or of the difference of two. */
package org.parallax.ui.calls;
