package org.parallax.trace;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.Finding.Severity;

/** Counts the messages of each channel on both sides: sends and receives must be as many. */
final class MessageCheck {
  /**
   * A channel as both sides know it.
   *
   * @param job 0 when the ranks are not world ranks
   * @param source rank of the sender: in the world where members are known, else in its group
   */
  private record Channel(long job, long communicator, int source, int destination, int tag) {
  }

  /** A channel as one process knows it. */
  private record End(int communicator, int peer, int tag, boolean send) {
  }

  private static final class Count {
    private long sends;
    private long receives;
  }

  private record Rank(long job, int rank) {
  }

  private final Map<Integer, Map<End, long[]>> counts = new HashMap<>();
  private final Map<Integer, CheckedProcess> processes = new HashMap<>();
  private final BitSet partial = new BitSet();
  private End lastEnd;
  private long[] lastCount;
  private int lastProcess = -1;

  /** Counts messages. */
  void add(CheckedProcess process, Communicator communicator, int peer, int tag, boolean send, long count) {
    End last = lastEnd;
    if (last == null || lastProcess != process.index() || last.communicator() != communicator.id()
        || last.peer() != peer || last.tag() != tag || last.send() != send) {
      lastEnd = new End(communicator.id(), peer, tag, send);
      lastProcess = process.index();
      processes.put(lastProcess, process);
      lastCount = counts.computeIfAbsent(lastProcess, missing -> new HashMap<>())
          .computeIfAbsent(lastEnd, missing -> new long[1]);
    }
    lastCount[0] += count;
  }

  /** Not all events of the process are there, or not all have a partner. */
  void partial(CheckedProcess process) {
    partial.set(process.index());
  }

  void report(FindingList findings) {
    Map<Channel, Count> channels = new HashMap<>();
    Set<Rank> whole = new HashSet<>();
    counts.forEach((index, ends) -> {
      CheckedProcess process = processes.get(index);
      Mpi mpi = process.definitions().mpi;
      ends.forEach((end, count) -> {
        Channel channel = channel(process, end);
        Count total = channels.computeIfAbsent(channel, missing -> new Count());
        if (end.send()) {
          total.sends += count[0];
        } else {
          total.receives += count[0];
        }
      });
      if (mpi != null && !partial.get(index) && !process.isIncomplete()) {
        whole.add(new Rank(mpi.job(), mpi.worldRank()));
      }
    });
    channels.forEach((channel, count) -> {
      if (count.sends != count.receives) {
        boolean expected = !whole.contains(new Rank(channel.job(), channel.source()))
            || !whole.contains(new Rank(channel.job(), channel.destination()));
        report(findings, channel, count, expected);
      }
    });
  }

  private static Channel channel(CheckedProcess process, End end) {
    Communicator communicator = process.communicator(end.communicator());
    Mpi mpi = process.definitions().mpi;
    long job = mpi == null ? 0 : mpi.job();
    int own = mpi == null ? -1 : mpi.worldRank();
    int peer = communicator.peerWorldRank(end.peer());
    if (!communicator.areMembersKnown() || peer == Communicator.UNKNOWN) {
      job = 0;
      own = numberBetweenJobs(communicator, communicator.ownRank(), communicator.isSecondGroup());
      peer = numberBetweenJobs(communicator, end.peer(),
          communicator.isInter() != communicator.isSecondGroup());
    }
    return end.send() ? new Channel(job, communicator.globalId(), own, peer, end.tag())
        : new Channel(job, communicator.globalId(), peer, own, end.tag());
  }

  /** Tells the ranks of the two groups of an intercommunicator apart. */
  private static int numberBetweenJobs(Communicator communicator, int rank, boolean second) {
    return communicator.isInter() && communicator.isBetweenJobs() && second ? ~rank : rank;
  }

  private static String rank(int number) {
    return number >= 0 ? "rank " + number : "rank " + ~number + " of the second group";
  }

  private static void report(FindingList findings, Channel channel, Count count,
      boolean expected) {
    String fact = "from " + rank(channel.source()) + " to " + rank(channel.destination()) + " with "
        + "tag " + channel.tag() + " on communicator " + Long.toHexString(channel.communicator())
        + " " + count.sends + " messages were sent and " + count.receives + " received";
    if (expected) {
      findings.add(Severity.INFO, null, "messages", fact,
          "One side is incomplete in the trace, or cancelled requests", "");
    } else {
      findings.add(Severity.WARNING, null, "messages", fact,
          "Waiting times and critical paths ignore messages without a partner",
          count.sends > count.receives ? "Check whether the program receives all its messages"
              : "");
    }
  }
}
