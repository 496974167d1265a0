/** The formulas of tuning models over what is measured. */
package org.parallax.tuning.formula;
