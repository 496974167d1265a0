/** Tables as texts, CSV and JSON: what the command line prints and the views export. */
package org.parallax.analysis.text;
