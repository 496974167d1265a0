/** The phases of a run: those that the program names, and those that its behaviour suggests. */
package org.parallax.analysis.phases;
