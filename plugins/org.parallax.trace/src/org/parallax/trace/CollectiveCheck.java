package org.parallax.trace;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.trace.Finding.Severity;

/**
 * Compares the collectives of a communicator's members: the same ones, in the same order. Each
 * member is reduced to a count and a sum of hashes, so that memory does not grow with the trace.
 */
final class CollectiveCheck {
  private record Group(long job, long communicator) {
  }

  private static final class Member {
    private long count;
    private long highest = -1;
    private long hash;
    private String name = "";
  }

  private static final long ROOT_MASK = (1L << 31) - 1;

  private final Map<Group, Map<Integer, Member>> groups = new HashMap<>();
  private final BitSet partial = new BitSet();

  /** Counts a completed collective. */
  void add(CheckedProcess process, Communicator communicator, long opAndRoot, long sequence) {
    Mpi mpi = process.definitions().mpi;
    long job = mpi == null || communicator.isBetweenJobs() ? 0 : mpi.job();
    Group group = new Group(job, communicator.globalId());
    Member member = groups.computeIfAbsent(group, missing -> new TreeMap<>())
        .computeIfAbsent(process.index(), missing -> new Member());
    member.count++;
    member.highest = Math.max(member.highest, sequence);
    // Roots of intercommunicators differ between the groups by design.
    long op = comparable(communicator.isInter() ? opAndRoot >>> 31 : opAndRoot);
    member.hash += mix(mix(sequence) + op);
    member.name = "rank " + (mpi == null ? "?" : Integer.toString(mpi.worldRank()));
    if (process.isIncomplete()) {
      partial(process);
    }
  }

  /** MPI_Init and MPI_Finalize have another number where a process has a session, which others may not have. */
  private static long comparable(long op) {
    Collective told = Collective.of((int) (op >>> 31));
    Collective same = told == Collective.SESSION_INIT ? Collective.INIT
        : told == Collective.SESSION_FINALIZE ? Collective.FINALIZE : told;
    return same == told ? op : (long) same.op() << 31 | op & ROOT_MASK;
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 32) * 0xD6E8FEB86659FD93L;
    return mixed ^ mixed >>> 32;
  }

  /** Not all events of the process are there. */
  void partial(CheckedProcess process) {
    partial.set(process.index());
  }

  void report(FindingList findings) {
    groups.forEach((group, members) -> {
      String on = " on communicator " + Long.toHexString(group.communicator());
      Member first = null;
      for (Map.Entry<Integer, Member> entry : members.entrySet()) {
        Member member = entry.getValue();
        if (partial.get(entry.getKey())) {
          continue;
        }
        if (member.highest != member.count - 1) {
          findings.add(Severity.WARNING, null, "collectives", member.name + " completed "
              + member.count + " collectives" + on + ", but the highest sequence number is "
              + member.highest,
              "Some collectives were never completed, or their sequence number is wrong", "");
        } else if (first == null) {
          first = member;
        } else if (first.count != member.count || first.hash != member.hash) {
          findings.add(Severity.WARNING, null, "collectives", first.name + " and " + member.name
              + " did not call the same collectives" + on + " (" + first.count + " and "
              + member.count + ")", "They cannot all be matched with their partners", "");
        }
      }
    });
  }
}
