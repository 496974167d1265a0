package org.parallax.model.program;

import java.util.List;
import java.util.function.Function;
import org.parallax.trace.Trace;

/** What an open trace has brought into a session. Immutable. */
final class LoadedTrace {
  private final Trace trace;
  private final List<Application> applications;
  private final List<ExternalData> externals;

  /**
   * @param applications makes the applications of this trace
   * @param externals makes the external data, given the applications
   */
  LoadedTrace(Trace trace, Function<LoadedTrace, List<Application>> applications,
      Function<List<Application>, List<ExternalData>> externals) {
    this.trace = trace;
    this.applications = List.copyOf(applications.apply(this));
    this.externals = List.copyOf(externals.apply(this.applications));
  }

  Trace trace() {
    return trace;
  }

  List<Application> applications() {
    return applications;
  }

  List<ExternalData> externals() {
    return externals;
  }

  /** The same with parts that have other names. */
  LoadedTrace renamed(NewNames names) {
    return new LoadedTrace(trace,
        self -> applications.stream().map(each -> new Application(self, each, names)).toList(),
        copies -> externals.stream().map(each -> renamed(each, copies, names)).toList());
  }

  private ExternalData renamed(ExternalData data, List<Application> copies, NewNames names) {
    Application owner = data.getProcess() != null ? data.getProcess().getApplication()
        : data.getApplication();
    Application copy = owner == null ? null : copies.get(applications.indexOf(owner));
    ProgramProcess process = data.getProcess() == null ? null
        : copy.getProcesses().get(owner.getProcesses().indexOf(data.getProcess()));
    return new ExternalData(data.getName(), names.machine(data.getMachine()), process,
        data.getApplication() == null ? null : copy, trace, data.getSeries());
  }
}
