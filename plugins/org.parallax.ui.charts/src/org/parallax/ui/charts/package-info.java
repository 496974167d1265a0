/** Charts of what analyses tell, drawn by JFreeChart. Nothing is computed here. */
package org.parallax.ui.charts;
