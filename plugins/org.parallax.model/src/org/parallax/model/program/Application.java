package org.parallax.model.program;

import java.util.List;
import java.util.function.Function;
import org.parallax.model.RunMode;
import org.parallax.trace.Trace;

/**
 * The processes of one MPI job, of one virtual machine of PVM, or of one executable. It is the root of a
 * logical tree. Immutable: it stays the same while other traces enter and leave the session.
 */
public final class Application {
  private final LoadedTrace loaded;
  private final String name;
  private final RunMode mode;
  private final long job;
  private final boolean oneOfSeveral;
  private final long startNs;
  private final long endNs;
  private final List<ProgramProcess> processes;
  private final List<Procedure> procedures;

  /** What is known of an application before its parts are made. */
  record Facts(String name, RunMode mode, long job, boolean isOneOfSeveral, long startNs,
      long endNs) {}

  /**
   * @param processes makes the processes of this application
   * @param procedures makes its procedures, by rising ids
   */
  Application(LoadedTrace loaded, Facts facts, Function<Application, List<ProgramProcess>> processes,
      Function<Application, List<Procedure>> procedures) {
    this.loaded = loaded;
    name = facts.name;
    mode = facts.mode;
    job = facts.job;
    oneOfSeveral = facts.isOneOfSeveral;
    startNs = facts.startNs;
    endNs = facts.endNs;
    this.processes = List.copyOf(processes.apply(this));
    this.procedures = List.copyOf(procedures.apply(this));
  }

  Application(LoadedTrace loaded, Application other, NewNames names) {
    this(loaded, new Facts(names.of(other), other.mode, other.job, other.oneOfSeveral,
        other.startNs, other.endNs),
        self -> other.processes.stream()
            .map(process -> new ProgramProcess(self, process, names)).toList(),
        self -> other.procedures.stream().map(each -> new Procedure(self, each)).toList());
  }

  /** @return the name; unique in its session */
  public String getName() {
    return name;
  }

  /** @return the command that was recorded, quoted for a shell */
  public String getCommand() {
    return loaded.trace().manifest().command();
  }

  /** @return the trace directory, absolute; several applications of one run share it */
  public String getTracePath() {
    return loaded.trace().directory().toString();
  }

  /** @return the number of the MPI job; meaningful only if the processes have world ranks */
  public long getJob() {
    return job;
  }

  /** @return when its first thread began, in nanoseconds since the trace's first process started */
  public long getStartNs() {
    return startNs;
  }

  /** @return when its last thread ended, in nanoseconds since the trace's first process started */
  public long getEndNs() {
    return endNs;
  }

  /** @return how its run takes part in the session */
  public RunMode getMode() {
    return mode;
  }

  /** @return whether there were other applications when it was loaded, so that tables name it */
  public boolean isOneOfSeveral() {
    return oneOfSeveral;
  }

  /** @return the open trace, which applications of one run share */
  public Trace getTrace() {
    return loaded.trace();
  }

  /** @return unmodifiable; of an MPI job by rank */
  public List<ProgramProcess> getProcesses() {
    return processes;
  }

  /** @return the procedures on the call paths of its processes, by rising ids; unmodifiable */
  public List<Procedure> getProcedures() {
    return procedures;
  }

  /** @return what monitors measured and came with its trace, of whatever it tells; unmodifiable */
  public List<ExternalData> getExternals() {
    return loaded.externals();
  }
}
