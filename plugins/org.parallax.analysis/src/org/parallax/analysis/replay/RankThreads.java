package org.parallax.analysis.replay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.trace.Communicator;
import org.parallax.trace.Mpi;

/** Finds the main threads of ranks of MPI among the threads of a replay. */
final class RankThreads {
  /** No such thread is replayed. */
  static final int NONE = -1;

  private record Rank(long job, int worldRank) {}

  private final Map<Rank, Integer> mains = new HashMap<>();

  /** @param records of a replay, in its order */
  RankThreads(List<ThreadRecord> records) {
    for (ThreadRecord record : records) {
      Mpi mpi = record.process().mpi();
      if (mpi != null) {
        mains.putIfAbsent(new Rank(mpi.job(), mpi.worldRank()), record.index());
      }
    }
  }

  /** @return the index of the first thread of a process, which its other threads find too, or {@link #NONE} */
  int own(ThreadRecord record) {
    Mpi mpi = record.process().mpi();
    return mpi == null ? NONE : mains.getOrDefault(new Rank(mpi.job(), mpi.worldRank()), NONE);
  }

  /** @return the same of a member of a communicator of the thread's process */
  int member(ThreadRecord record, Communicator communicator, int rank) {
    Mpi mpi = record.process().mpi();
    return mpi == null || !communicator.areMembersKnown() ? NONE
        : mains.getOrDefault(new Rank(mpi.job(), communicator.worldRank(rank)), NONE);
  }
}
