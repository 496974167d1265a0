package org.parallax.trace;

/** The operations of Collective and CollectivePost events, and who waits for whom in them. */
public enum Collective {
  BARRIER(Dependency.EACH_FOR_EACH, "Barrier"),
  BCAST(Dependency.EACH_FOR_ROOT, "Bcast"),
  GATHER(Dependency.ROOT_FOR_EACH, "Gather"),
  GATHERV(Dependency.ROOT_FOR_EACH, "Gatherv"),
  SCATTER(Dependency.EACH_FOR_ROOT, "Scatter"),
  SCATTERV(Dependency.EACH_FOR_ROOT, "Scatterv"),
  ALLGATHER(Dependency.EACH_FOR_EACH, "Allgather"),
  ALLGATHERV(Dependency.EACH_FOR_EACH, "Allgatherv"),
  ALLTOALL(Dependency.EACH_FOR_EACH, "Alltoall"),
  ALLTOALLV(Dependency.EACH_FOR_EACH, "Alltoallv"),
  ALLTOALLW(Dependency.EACH_FOR_EACH, "Alltoallw"),
  REDUCE(Dependency.ROOT_FOR_EACH, "Reduce"),
  ALLREDUCE(Dependency.EACH_FOR_EACH, "Allreduce"),
  REDUCE_SCATTER(Dependency.EACH_FOR_EACH, "Reduce_scatter"),
  REDUCE_SCATTER_BLOCK(Dependency.EACH_FOR_EACH, "Reduce_scatter_block"),
  SCAN(Dependency.EACH_FOR_LOWER, "Scan"),
  EXSCAN(Dependency.EACH_FOR_LOWER, "Exscan"),
  NEIGHBOR_ALLGATHER(Dependency.EACH_FOR_NEIGHBOURS, "Neighbor_allgather"),
  NEIGHBOR_ALLGATHERV(Dependency.EACH_FOR_NEIGHBOURS, "Neighbor_allgatherv"),
  NEIGHBOR_ALLTOALL(Dependency.EACH_FOR_NEIGHBOURS, "Neighbor_alltoall"),
  NEIGHBOR_ALLTOALLV(Dependency.EACH_FOR_NEIGHBOURS, "Neighbor_alltoallv"),
  NEIGHBOR_ALLTOALLW(Dependency.EACH_FOR_NEIGHBOURS, "Neighbor_alltoallw"),
  COMM_CREATE(Dependency.SYNCHRONIZED, "Comm_create"),
  INIT(Dependency.SYNCHRONIZED, "Init"),
  FINALIZE(Dependency.SYNCHRONIZED, "Finalize"),
  WIN_CREATE(Dependency.SYNCHRONIZED, "Win_create"),
  WIN_FREE(Dependency.SYNCHRONIZED, "Win_free"),
  WIN_FENCE(Dependency.SYNCHRONIZED, "Win_fence"),
  /** A fence that ends no epoch. */
  WIN_FENCE_OPEN(Dependency.PERHAPS_EACH_FOR_EACH, "Win_fence_open"),
  /** Also the part of the spawned processes in it, which is in their MPI_Init. */
  COMM_SPAWN(Dependency.SYNCHRONIZED, "Comm_spawn"),
  /** MPI_Comm_connect, MPI_Comm_accept and MPI_Comm_join. */
  COMM_CONNECT(Dependency.SYNCHRONIZED, "Comm_connect"),
  COMM_DISCONNECT(Dependency.PERHAPS_EACH_FOR_EACH, "Comm_disconnect"),
  FILE_OPEN(Dependency.PERHAPS_EACH_FOR_EACH, "File_open"),
  FILE_CLOSE(Dependency.PERHAPS_EACH_FOR_EACH, "File_close"),
  FILE_SET_SIZE(Dependency.PERHAPS_EACH_FOR_EACH, "File_set_size"),
  FILE_SET_VIEW(Dependency.PERHAPS_EACH_FOR_EACH, "File_set_view"),
  FILE_SYNC(Dependency.PERHAPS_EACH_FOR_EACH, "File_sync"),
  FILE_SEEK(Dependency.PERHAPS_EACH_FOR_EACH, "File_seek_shared"),
  FILE_READ(Dependency.PERHAPS_EACH_FOR_EACH, "File_read"),
  FILE_WRITE(Dependency.PERHAPS_EACH_FOR_EACH, "File_write"),
  /** The first session, with which the library starts. */
  SESSION_INIT(Dependency.PERHAPS_EACH_FOR_EACH, "Session_init"),
  /** The last session, with which it ends. */
  SESSION_FINALIZE(Dependency.PERHAPS_EACH_FOR_EACH, "Session_finalize");

  /** Whose data each participant receives, and so waits for whom. */
  public enum Dependency {
    /** Every participant waits for every other, whatever is sent. */
    SYNCHRONIZED,
    /** Every participant waits for every other. */
    EACH_FOR_EACH,
    /** Every participant waits for its neighbours. */
    EACH_FOR_NEIGHBOURS,
    /** Every participant waits for the root. */
    EACH_FOR_ROOT,
    /** The root waits for every participant. */
    ROOT_FOR_EACH,
    /** Every participant waits for those of lower rank. */
    EACH_FOR_LOWER,
    /** Every participant may wait for every other, or leave before they come. */
    PERHAPS_EACH_FOR_EACH
  }

  private static final Collective[] VALUES = values();

  private final Dependency dependency;
  private final String mpiName;

  Collective(Dependency dependency, String mpiName) {
    this.dependency = dependency;
    this.mpiName = mpiName;
  }

  /** Who waits for whom in this operation. */
  public Dependency dependency() {
    return dependency;
  }

  /** The name after {@code MPI_}. */
  public String mpiName() {
    return mpiName;
  }

  /** The number of this operation in events. */
  public int op() {
    return ordinal() + 1;
  }

  /**
   * The operation with this number, see {@link Kind#op}.
   *
   * @return null for a number that this reader does not know
   */
  public static Collective of(int op) {
    return op >= 1 && op <= VALUES.length ? VALUES[op - 1] : null;
  }
}
