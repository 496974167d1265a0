/** Times beside the lines of editors, in a column and in the text, for any text editor of the platform. */
package org.parallax.source;
