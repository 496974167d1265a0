package org.parallax.analysis.replay;

import java.util.Arrays;
import org.parallax.trace.Communicator;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;

/** The communicators of one process, and the channels of its messages. */
final class Communications {
  private final ProcessTrace process;
  private final Keys keys;
  private Communicator[] communicators = new Communicator[8];
  private int[] shared = new int[8];

  Communications(ProcessTrace process, Keys keys) {
    this.process = process;
    this.keys = keys;
  }

  /** @return the communicator with this number, or null when the trace does not define it well */
  Communicator communicator(int number) {
    if (number >= 0 && number < communicators.length && communicators[number] != null) {
      return communicators[number];
    }
    Communicator communicator = process.communicator(number);
    if (communicator != null && !isPlausible(communicator)) {
      return null;
    }
    if (communicator != null) {
      if (number >= communicators.length) {
        int capacity = Integer.highestOneBit(number) * 2;
        communicators = Arrays.copyOf(communicators, capacity);
        shared = Arrays.copyOf(shared, capacity);
      }
      communicators[number] = communicator;
      shared[number] = keys.communicator(process, communicator);
    }
    return communicator;
  }

  private static boolean isPlausible(Communicator communicator) {
    if (communicator.isPvm()) {
      return true;
    }
    int size = size(communicator);
    int rank = ownRank(communicator);
    return size <= Reference.MAX_THREADS && rank >= 0 && rank < size;
  }

  /** @return the number by which all members know it; {@link #communicator} was called before */
  int shared(int number) {
    return shared[number];
  }

  /** @return the channel of a message to a peer, or -1 when the communicator is not defined */
  int outgoing(int number, long peerAndTag, Exchange exchange) {
    Communicator communicator = communicator(number);
    if (communicator == null) {
      return -1;
    }
    return exchange.channel(
        Keys.message1(shared[number], Kind.tag(peerAndTag)),
        Keys.message2(own(communicator), peer(communicator, Kind.peer(peerAndTag))));
  }

  /** @return the channel of a message from a peer, or -1 when the communicator is not defined */
  int incoming(int number, long peerAndTag, Exchange exchange) {
    Communicator communicator = communicator(number);
    if (communicator == null) {
      return -1;
    }
    return exchange.channel(
        Keys.message1(shared[number], Kind.tag(peerAndTag)),
        Keys.message2(peer(communicator, Kind.peer(peerAndTag)), own(communicator)));
  }

  /**
   * @param sends whether this process is the sender
   * @return the key of a start of a partitioned message, or null when the communicator is not defined
   */
  Partitions.Key partitioned(int number, long peerAndTag, long start, boolean sends) {
    Communicator communicator = communicator(number);
    if (communicator == null) {
      return null;
    }
    int own = own(communicator);
    int peer = peer(communicator, Kind.peer(peerAndTag));
    return new Partitions.Key(Keys.partitioned(shared[number], Kind.tag(peerAndTag)),
        sends ? Keys.message2(own, peer) : Keys.message2(peer, own), start);
  }

  private static int own(Communicator communicator) {
    return communicator.areMembersKnown() ? communicator.worldRank(communicator.ownRank())
        : inGroup(communicator, communicator.ownRank(), communicator.isSecondGroup());
  }

  private static int peer(Communicator communicator, int rank) {
    return communicator.areMembersKnown() ? communicator.peerWorldRank(rank)
        : inGroup(communicator, rank, communicator.isInter() != communicator.isSecondGroup());
  }

  /** Tells the ranks of the two groups of an intercommunicator between jobs apart. */
  private static int inGroup(Communicator communicator, int rank, boolean second) {
    return communicator.isInter() && communicator.isBetweenJobs() && second ? ~rank : rank;
  }

  /** @return the number of processes whose data one receives in a collective */
  static int peers(Communicator communicator) {
    return communicator.isInter() ? communicator.remoteSize() : communicator.size();
  }

  /** @return the number of the first of these among the participants */
  static int firstPeer(Communicator communicator) {
    return communicator.isInter() && ownRank(communicator) == communicator.ownRank() ? communicator.size() : 0;
  }

  /** @return the number of participants of a collective */
  static int size(Communicator communicator) {
    return communicator.size() + (communicator.isInter() ? communicator.remoteSize() : 0);
  }

  /**
   * @return the number of this process among the participants; in an intercommunicator the group
   *     with the lower first world rank comes first; between jobs, the trace says which
   */
  static int ownRank(Communicator communicator) {
    boolean second = communicator.isInter() && (communicator.isBetweenJobs()
        ? communicator.isSecondGroup()
        : communicator.worldRank(0) > communicator.remoteWorldRank(0));
    return communicator.ownRank() + (second ? communicator.remoteSize() : 0);
  }
}
