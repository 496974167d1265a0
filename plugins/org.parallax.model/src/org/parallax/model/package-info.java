/**
 * The model of a measurement session: applications, machines, processes, threads and procedures as
 * EMF objects (generated from {@code model/parallax.ecore}), the trees that are made of them, and
 * the numbering of procedures that analyses add up by. {@link org.parallax.model.SessionBuilder} is
 * the entry.
 */
package org.parallax.model;
