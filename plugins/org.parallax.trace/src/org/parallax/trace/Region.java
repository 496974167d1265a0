package org.parallax.trace;

/** An intercepted routine, or a phase or mark of the program. */
public record Region(int id, Group group, String name) {
  /** What a routine belongs to. */
  public enum Group {
    USER, MPI, PTHREAD, AGENT, OPENMP, PROCESS, STREAM, FILE, PVM, PHASE;

    private static final Group[] VALUES = values();

    static Group of(int number) {
      return number >= 0 && number < VALUES.length ? VALUES[number] : USER;
    }
  }
}
