/**
 * Makes traces for tests: writes format 1 from a description of what each thread did when.
 *
 * <pre>
 * TraceBuilder trace = new TraceBuilder(directory);
 * for (int rank = 0; rank &lt; 2; rank++) {
 *   trace.process("node1", "/opt/ring").mpi(7, rank, 2);
 * }
 * trace.process(0).thread(0)
 *     .sample(500, "main/compute")
 *     .send(1_000, 1_200, "main/MPI_Send", 1, 1, 42, 4096);
 * trace.process(1).thread(0)
 *     .receive(100, 1_300, "main/MPI_Recv", 1, 0, 42, 4096);
 * trace.write();
 * </pre>
 *
 * <p>Independent of the reader, so that each tests the other.
 */
package org.parallax.trace.testing;
