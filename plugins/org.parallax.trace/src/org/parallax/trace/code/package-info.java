/** Machine code of programs and libraries, which is read from their files. */
package org.parallax.trace.code;
