/** Tables, the results of all reports: columns with units, rows, and the names of parts of an application. */
package org.parallax.analysis.table;
