package org.parallax.model.program;

/** What a procedure is: the program's own, or a routine that the agent intercepts. In the order of trees. */
public enum ProcedureKind {
  USER, MPI, PTHREAD, AGENT, UNRESOLVED, OPENMP, PROCESS, STREAM, FILE, PVM
}
