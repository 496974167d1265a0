/** Who calls whom and how long: call trees, gprof tables, and the places of the frames of flame graphs. */
package org.parallax.analysis.calls;
