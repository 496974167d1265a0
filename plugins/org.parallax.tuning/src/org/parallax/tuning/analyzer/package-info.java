/** Evaluates tuning models on the lines of a monitor, decides, and verifies each action. */
package org.parallax.tuning.analyzer;
