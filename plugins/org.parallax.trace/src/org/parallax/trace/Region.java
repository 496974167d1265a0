package org.parallax.trace;

/** An intercepted routine, or a phase or mark of the program. */
public record Region(int id, Group group, String name) {
  /** The name of what stands for the time in which recording was paused. */
  public static final String NOT_RECORDED = "[not recorded]";

  /** What a routine belongs to. */
  public enum Group {
    USER, MPI, PTHREAD, AGENT, OPENMP, PROCESS, STREAM, FILE, PVM, PHASE;

    private static final Group[] VALUES = values();

    static Group of(int number) {
      return number >= 0 && number < VALUES.length ? VALUES[number] : USER;
    }
  }

  /** Whether it stands for the time in which recording was paused. */
  public boolean isPause() {
    return group == Group.AGENT && name.equals(NOT_RECORDED);
  }
}
