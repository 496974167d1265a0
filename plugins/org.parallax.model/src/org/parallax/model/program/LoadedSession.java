package org.parallax.model.program;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.parallax.trace.Trace;

/**
 * Everything that is looked at together: the applications of open traces and the machines they ran on.
 * {@link SessionBuilder} makes it. Immutable: a session of other traces is another object, which shares the
 * applications of the traces that stay.
 */
public final class LoadedSession {
  private final List<LoadedTrace> loaded;
  private final boolean repeated;
  private final List<Application> applications;
  private final List<Machine> machines;
  private final List<ExternalData> externals;

  /** @param repeated see {@link #isRepeated} */
  LoadedSession(List<LoadedTrace> loaded, boolean repeated) {
    this.loaded = List.copyOf(loaded);
    this.repeated = repeated;
    applications = loaded.stream().flatMap(each -> each.applications().stream()).toList();
    externals = loaded.stream().flatMap(each -> each.externals().stream()).toList();
    Set<Machine> distinct = new LinkedHashSet<>();
    applications.forEach(application ->
        application.getProcesses().forEach(process -> distinct.add(process.getMachine())));
    machines = List.copyOf(distinct);
  }

  /** @return in the order in which their traces were opened; unmodifiable */
  public List<Application> getApplications() {
    return applications;
  }

  /** @return those on which processes of the applications ran; unmodifiable */
  public List<Machine> getMachines() {
    return machines;
  }

  /** @return the processes of all applications that ran on a machine */
  public List<ProgramProcess> getProcesses(Machine machine) {
    return applications.stream().flatMap(application -> application.getProcesses().stream())
        .filter(process -> process.getMachine() == machine).toList();
  }

  /** @return what monitors measured and came with the traces; unmodifiable */
  public List<ExternalData> getExternals() {
    return externals;
  }

  /** @return whether it is of a comparison with groups of repetitions, which ran one after the other */
  public boolean isRepeated() {
    return repeated;
  }

  /** @return the open traces, each once */
  public List<Trace> traces() {
    return loaded.stream().map(LoadedTrace::trace).distinct().toList();
  }

  List<LoadedTrace> loaded() {
    return loaded;
  }

  /** @return the session without what a trace has brought; the trace stays open */
  public LoadedSession without(Trace trace) {
    return new LoadedSession(loaded.stream().filter(each -> each.trace() != trace).toList(), repeated);
  }

  /** A copy in which parts have other names. */
  LoadedSession renamed(NewNames names) {
    return new LoadedSession(loaded.stream().map(each -> each.renamed(names)).toList(), repeated);
  }
}
