/** Reads the profiles of other tools, and writes them as traces without a time line. */
package org.parallax.record.profiles;
