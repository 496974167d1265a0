/**
 * What ran, as immutable values: applications, machines, processes, threads and procedures, the trees
 * that are made of them, and the numbering of procedures that analyses add up by. {@link
 * org.parallax.model.program.SessionBuilder} is the entry.
 */
package org.parallax.model.program;
