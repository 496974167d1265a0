package org.parallax.model.program;

import java.util.List;
import java.util.function.Function;

/** A process of an application. Immutable. */
public final class ProgramProcess {
  private final Application application;
  private final Machine machine;
  private final String name;
  private final int pid;
  private final int worldRank;
  private final int index;
  private final boolean threadsNamed;
  private final List<ProgramThread> threads;

  /** @param threads makes the threads of this process */
  ProgramProcess(Application application, Machine machine, String name, int pid, int worldRank,
      int index, Function<ProgramProcess, List<ProgramThread>> threads) {
    this.application = application;
    this.machine = machine;
    this.name = name;
    this.pid = pid;
    this.worldRank = worldRank;
    this.index = index;
    threadsNamed = false;
    this.threads = List.copyOf(threads.apply(this));
  }

  ProgramProcess(Application application, ProgramProcess other, NewNames names) {
    this.application = application;
    machine = names.machine(other.machine);
    name = names.of(other);
    pid = other.pid;
    worldRank = other.worldRank;
    index = other.index;
    threadsNamed = names.areThreadsNamed(other);
    threads = other.threads.stream().map(thread -> new ProgramThread(this, thread, names)).toList();
  }

  public Application getApplication() {
    return application;
  }

  public Machine getMachine() {
    return machine;
  }

  /** @return the program, with the world rank or the pid in brackets: ring[3]; unique in its application */
  public String getName() {
    return name;
  }

  public int getPid() {
    return pid;
  }

  /** @return the rank in MPI_COMM_WORLD, -1 for a process that never initialized MPI */
  public int getWorldRank() {
    return worldRank;
  }

  /** @return the position among the processes of its trace */
  public int getIndex() {
    return index;
  }

  /**
   * @return whether tables name its thread even if it is the only one: a run that it is compared with
   *     has several
   */
  public boolean isThreadsNamed() {
    return threadsNamed;
  }

  /** @return the threads, without those of runtime libraries; unmodifiable */
  public List<ProgramThread> getThreads() {
    return threads;
  }
}
