/** How well the clocks of machines agree, and the controlled logical clock that repairs what contradicts causality. */
package org.parallax.analysis.clocks;
