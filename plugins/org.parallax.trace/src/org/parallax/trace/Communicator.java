package org.parallax.trace;

/**
 * A communicator of a process. Members are kept as runs of world ranks (first, stride, count), so
 * that communicators of a hundred thousand members cost little.
 */
public final class Communicator {
  /** Returned for members that are not known. */
  public static final int UNKNOWN = -1;

  private static final int INTER = 1;
  private static final int MEMBERS_UNKNOWN = 2;
  private static final int PVM_TASKS = 4;
  private static final int WINDOW = 8;
  static final int SECOND_GROUP = 16;
  static final int PARENT = 32;

  private final int id;
  private final long globalId;
  private final int size;
  private final int ownRank;
  private final int flags;
  private final Group local;
  private final Group remote;
  private final String name;

  Communicator(int id, long globalId, int size, int ownRank, int flags, Group local,
      Group remote, String name) {
    this.id = id;
    this.globalId = globalId;
    this.size = size;
    this.ownRank = ownRank;
    this.flags = flags;
    this.local = local;
    this.remote = remote;
    this.name = name;
  }

  /**
   * The number that events of this process use; 1 is {@code MPI_COMM_WORLD}, which a program with sessions can do
   * without.
   */
  public int id() {
    return id;
  }

  /** The number that all members share. */
  public long globalId() {
    return globalId;
  }

  /** The number of members; of an intercommunicator, those of the local group. */
  public int size() {
    return size;
  }

  /** The rank of this process. */
  public int ownRank() {
    return ownRank;
  }

  /** Whether messages go to the members of another, remote group. */
  public boolean isInter() {
    return (flags & INTER) != 0;
  }

  /** Whether the world ranks of the members are known. */
  public boolean areMembersKnown() {
    return (flags & (MEMBERS_UNKNOWN | PVM_TASKS)) == 0;
  }

  /**
   * Whether its members belong to several MPI jobs. Ranks are then those in the communicator, and other processes with
   * the same global id are its other members.
   */
  public boolean isBetweenJobs() {
    return (flags & (MEMBERS_UNKNOWN | PVM_TASKS)) == MEMBERS_UNKNOWN;
  }

  /** Whether this process is in the group that comes second, of an intercommunicator between jobs. */
  public boolean isSecondGroup() {
    return (flags & SECOND_GROUP) != 0;
  }

  /** Whether its other group spawned this process. */
  public boolean isParent() {
    return (flags & PARENT) != 0;
  }

  /** Whether ranks, own and of peers, are task ids of a virtual machine of PVM. */
  public boolean isPvm() {
    return (flags & PVM_TASKS) != 0;
  }

  /** Whether these are the processes of a window of one-sided communication. */
  public boolean isWindow() {
    return (flags & WINDOW) != 0;
  }

  /** The size of the remote group, 0 where there is none or it is unknown. */
  public int remoteSize() {
    return remote.size();
  }

  /** The name that the program gave it, or a standard one; may be empty. */
  public String name() {
    return name;
  }

  /**
   * The world rank of a member of the local group.
   *
   * @return {@link #UNKNOWN} for a rank out of range or when the members are not known
   */
  public int worldRank(int rank) {
    return areMembersKnown() ? local.worldRank(rank) : UNKNOWN;
  }

  /**
   * The world rank of a member of the remote group.
   *
   * @return {@link #UNKNOWN} where there is no such member, or it is not known
   */
  public int remoteWorldRank(int rank) {
    return areMembersKnown() ? remote.worldRank(rank) : UNKNOWN;
  }

  /** The world rank of the peer of a message: of the remote group where there is one. */
  public int peerWorldRank(int rank) {
    return isInter() ? remoteWorldRank(rank) : worldRank(rank);
  }

  /** World ranks as runs; {@code end[i]} is the number of members up to and including run i. */
  static final class Group {
    private final int[] first;
    private final int[] stride;
    private final int[] end;

    Group(int[] first, int[] stride, int[] end) {
      this.first = first;
      this.stride = stride;
      this.end = end;
    }

    int size() {
      return end.length == 0 ? 0 : end[end.length - 1];
    }

    int worldRank(int rank) {
      if (rank < 0 || rank >= size()) {
        return UNKNOWN;
      }
      int low = 0;
      int high = end.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (rank < end[middle]) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      int before = low == 0 ? 0 : end[low - 1];
      return first[low] + (rank - before) * stride[low];
    }
  }
}
