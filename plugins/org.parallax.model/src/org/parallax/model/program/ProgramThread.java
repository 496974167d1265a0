package org.parallax.model.program;

import java.util.List;
import java.util.function.Supplier;

/** A recorded thread of a process. Immutable, but for its procedures, which are found when needed. */
public final class ProgramThread {
  private final ProgramProcess process;
  private final String name;
  private final int id;
  private final int index;
  private final long beginNs;
  private final long endNs;
  private List<Procedure> procedures;

  ProgramThread(
      ProgramProcess process, String name, int id, int index, long beginNs, long endNs) {
    this.process = process;
    this.name = name;
    this.id = id;
    this.index = index;
    this.beginNs = beginNs;
    this.endNs = endNs;
  }

  ProgramThread(ProgramProcess process, ProgramThread other, NewNames names) {
    this(process, names.of(other), other.id, other.index, other.beginNs, other.endNs);
  }

  public ProgramProcess getProcess() {
    return process;
  }

  /** @return the name; unique in its process */
  public String getName() {
    return name;
  }

  /** @return the number that the process gave it, 0 for the main thread */
  public int getId() {
    return id;
  }

  /** @return the position among the recorded threads of its process */
  public int getIndex() {
    return index;
  }

  /** @return in nanoseconds since the trace's first process started */
  public long getBeginNs() {
    return beginNs;
  }

  /** @return in nanoseconds since the trace's first process started */
  public long getEndNs() {
    return endNs;
  }

  /** The procedures of {@link ThreadProcedures}, which are found by the first call. */
  synchronized List<Procedure> procedures(Supplier<List<Procedure>> finder) {
    if (procedures == null) {
      procedures = List.copyOf(finder.get());
    }
    return procedures;
  }
}
