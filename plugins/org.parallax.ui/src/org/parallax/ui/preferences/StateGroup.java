package org.parallax.ui.preferences;

import java.awt.Color;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.trace.Collective;

/** Groups of states that share a hue in the timeline. */
public enum StateGroup {
  USER(0x4d9a4a),
  POINT_TO_POINT(0x3a7bd0),
  COLLECTIVE(0xa04fb6),
  LOCK(0xb3921e),
  IO(0x1f9a9a),
  WAIT(0xd9442c),
  OTHER(0x8a8a8a);

  private static final String MPI = "mpi_";
  /** Routines of collective operations that have no operation of their own in traces. */
  private static final Set<String> OTHER_COLLECTIVES = Set.of("comm_dup", "comm_split",
      "comm_accept", "comm_join", "comm_free", "init_thread", "win_allocate", "bcast",
      "cart_create", "graph_create", "dist_graph_create", "intercomm_create", "intercomm_merge");
  private static final Set<String> COLLECTIVES = Arrays.stream(Collective.values())
      .map(operation -> operation.mpiName().toLowerCase(Locale.ROOT)).collect(Collectors.toSet());

  private final Color usual;

  StateGroup(int rgb) {
    usual = new Color(rgb);
  }

  /** The colour whose hue the group has unless a person chooses another. */
  public Color usual() {
    return usual;
  }

  /** The group's name for people. */
  public String label() {
    return switch (this) {
      case USER -> Messages.groupUser;
      case POINT_TO_POINT -> Messages.groupPointToPoint;
      case COLLECTIVE -> Messages.groupCollective;
      case LOCK -> Messages.groupLock;
      case IO -> Messages.groupIo;
      case WAIT -> Messages.groupWait;
      case OTHER -> Messages.groupOther;
    };
  }

  /** The group of a procedure. */
  public static StateGroup of(ProcedureInfo info) {
    return switch (info.kind()) {
      case USER -> USER;
      case MPI -> isFile(info.name()) ? IO : isCollective(info.name()) ? COLLECTIVE : POINT_TO_POINT;
      case PVM -> info.name().equals("pvm_barrier") ? COLLECTIVE : POINT_TO_POINT;
      case PTHREAD, OPENMP -> LOCK;
      case STREAM, FILE, PROCESS -> IO;
      case AGENT, UNRESOLVED -> OTHER;
    };
  }

  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    int begin = lower.indexOf(MPI);
    String rest = begin < 0 ? lower : lower.substring(begin + MPI.length());
    return rest.replaceAll("(_c|_init|_f08.*|_+)$", "");
  }

  private static boolean isFile(String name) {
    return plain(name).startsWith("file_");
  }

  private static boolean isCollective(String name) {
    String plain = plain(name);
    String without = plain.startsWith("i") ? plain.substring(1) : plain;
    return name.toLowerCase(Locale.ROOT).endsWith("mpi_init")
        || COLLECTIVES.contains(plain) || COLLECTIVES.contains(without)
        || OTHER_COLLECTIVES.contains(plain) || OTHER_COLLECTIVES.contains(without);
  }
}
