/** What watches the processes of a program and acts on them, seen from the analyzer. */
package org.parallax.tuning.monitor;
