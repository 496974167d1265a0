/** Collections of primitive values, and results that several threads can ask for. Not exported. */
package org.parallax.analysis.internal;
