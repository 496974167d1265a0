package org.parallax.trace;

/**
 * What a process knows of MPI.
 *
 * @param job shared by the processes of one {@code MPI_COMM_WORLD}
 * @param threadLevel as {@code MPI_Query_thread} gives it: 0 single to 3 multiple
 * @param library name and version of the MPI library
 */
public record Mpi(long job, int worldRank, int worldSize, int threadLevel, String library) {
}
