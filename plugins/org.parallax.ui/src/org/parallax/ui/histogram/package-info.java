/** The time histogram: how metrics change over the run. */
package org.parallax.ui.histogram;
