/** Starts the plug-in, and lays out its perspective. No other package refers to this one. */
package org.parallax.ui;
