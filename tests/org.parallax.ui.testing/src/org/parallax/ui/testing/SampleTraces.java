package org.parallax.ui.testing;

import java.nio.file.Path;
import org.parallax.trace.Collective;
import org.parallax.trace.Kind;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;

/** Invented traces with a critical path that can be read off the code. */
public final class SampleTraces {
  private static final long MS = 1_000_000;

  private SampleTraces() {
  }

  /**
   * Four ranks on two machines that compute and meet at a barrier, {@code steps} times. Rank 0
   * computes four times as long as the others, so the path stays with it.
   */
  public static Path unbalanced(Path directory, int steps) {
    TraceBuilder trace = new TraceBuilder(directory).property("command", "mpirun -n 4 ./ring");
    for (int rank = 0; rank < 4; rank++) {
      TracedProcess process =
          trace.process("node" + (rank / 2 + 1), "/opt/ring").mpi(7, rank, 4);
      TracedThread thread = process.thread(0);
      thread.threadBegin(0, -1);
      long now = 0;
      for (int step = 0; step < steps; step++) {
        long computeMs = rank == 0 ? 40 : 10;
        for (long ms = 1; ms <= computeMs; ms += 3) {
          thread.sample(now + ms * MS, ms % 2 == 0 ? "main/solve/relax" : "main/solve");
        }
        long enter = now + computeMs * MS;
        now += 41 * MS;
        thread.collective(enter, now, "main/solve/MPI_Barrier", 1,
            Collective.BARRIER, Kind.NO_ROOT, 0, 0);
      }
      thread.threadEnd(now);
      process.exit(now, 0);
    }
    return trace.write();
  }

  /** A job of many ranks on one machine that do little. */
  public static Path wide(Path directory, int ranks) {
    TraceBuilder trace = new TraceBuilder(directory).property("command", "mpirun ./wide");
    for (int rank = 0; rank < ranks; rank++) {
      TracedProcess process = trace.process("node1", "/opt/wide").mpi(7, rank, ranks);
      process.thread(0).threadBegin(0, -1).sample(10 * MS, "main/solve").threadEnd(20 * MS);
      process.exit(20 * MS, 0);
    }
    return trace.write();
  }

  /** One process whose two threads work on different procedures. */
  public static Path threads(Path directory) {
    TraceBuilder trace = new TraceBuilder(directory).property("command", "./server");
    TracedProcess process = trace.process("node1", "/opt/server");
    process.thread(0, -1, "main").threadBegin(0, -1).sample(10 * MS, "main/accept")
        .threadEnd(50 * MS);
    process.thread(1, 0, "reader").threadBegin(MS, 0).sample(20 * MS, "serve/read")
        .threadEnd(40 * MS);
    process.exit(50 * MS, 0);
    return trace.write();
  }

  /**
   * Ranks on two machines of which each sends 1,000 bytes times its number to the next one, {@code
   * rounds} times, after 2 ms of work; the next one waits for 1 ms.
   */
  public static Path ring(Path directory, int ranks, int rounds) {
    TraceBuilder trace = new TraceBuilder(directory).property("command", "mpirun ./circle");
    for (int rank = 0; rank < ranks; rank++) {
      trace.process("node" + (rank * 2 / ranks + 1), "/opt/circle").mpi(7, rank, ranks);
    }
    for (int rank = 0; rank < ranks; rank++) {
      TracedThread thread = trace.process(rank).thread(0);
      thread.threadBegin(0, -1);
      long now = 0;
      for (int round = 0; round < rounds; round++) {
        thread.sample(now + MS, "main/compute");
        thread.send(now + 2 * MS, now + 2 * MS + 1000, "main/pass/MPI_Send", 1,
            (rank + 1) % ranks, 5, 1000 * (rank + 1));
        thread.receive(now + 2 * MS + 2000, now + 3 * MS, "main/pass/MPI_Recv", 1,
            (rank + ranks - 1) % ranks, 5, 1000 * ((rank + ranks - 1) % ranks + 1));
        now += 4 * MS;
      }
      thread.threadEnd(now);
      trace.process(rank).exit(now, 0);
    }
    return trace.write();
  }
}
