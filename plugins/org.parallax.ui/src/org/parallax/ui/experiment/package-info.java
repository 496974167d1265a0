/** Experiments in the workbench: their editor, their runs, what they tell. */
package org.parallax.ui.experiment;
