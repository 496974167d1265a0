/** What is known of the lines of the source. */
package org.parallax.analysis.source;
