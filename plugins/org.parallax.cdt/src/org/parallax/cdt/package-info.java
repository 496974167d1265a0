/** The optional bridge to CDT: what its index knows of functions, and the programs of C projects. */
package org.parallax.cdt;
