package org.parallax.trace;

/**
 * What a process knows of MPI.
 *
 * @param job shared by the processes of one {@code MPI_COMM_WORLD}, or process set {@code mpi://WORLD} of sessions
 * @param threadLevel 0 single, 1 funneled, 2 serialized, 3 multiple, in all libraries
 * @param library name and version of the MPI library
 */
public record Mpi(long job, int worldRank, int worldSize, int threadLevel, String library) {
}
