package org.parallax.model.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.parallax.trace.Trace;
import org.parallax.trace.series.ExternalSeries;

/** Finds what the external data of a trace are about. */
final class Externals {
  private Externals() {}

  /**
   * The external data that came with a trace.
   *
   * @param programs the names of the trace's applications, as their processes give them
   * @param machines those of the session, by host
   * @param loaded the traces before this one
   */
  static List<ExternalData> of(Trace trace, List<Application> applications, List<String> programs,
      Map<String, Machine> machines, List<LoadedTrace> loaded) {
    List<ExternalData> found = new ArrayList<>();
    for (ExternalSeries series : trace.externalSeries()) {
      ExternalSeries.Subject subject = series.subject();
      Machine machine = null;
      ProgramProcess process = null;
      Application application = null;
      switch (subject.kind()) {
        case MACHINE -> machine = machines.get(subject.name());
        case PROCESS -> process = process(applications, subject);
        case APPLICATION -> {
          for (int i = 0; i < applications.size() && application == null; i++) {
            if (applications.get(i).getName().equals(subject.name())
                || programs.get(i).equals(subject.name())) {
              application = applications.get(i);
            }
          }
        }
      }
      found.add(new ExternalData(name(series.name(), trace, loaded), machine, process, application,
          trace, series));
    }
    return found;
  }

  /** Of several processes with this number, which follow each other by exec, the longest. */
  private static ProgramProcess process(
      List<Application> applications, ExternalSeries.Subject subject) {
    return applications.stream().flatMap(application -> application.getProcesses().stream())
        .filter(process -> process.getPid() == subject.pid()
            && process.getMachine().getHost().equals(subject.name()))
        .max(Comparator.comparingLong(Externals::lifeNs)).orElse(null);
  }

  private static long lifeNs(ProgramProcess process) {
    return process.getThreads().stream()
        .mapToLong(thread -> thread.getEndNs() - thread.getBeginNs()).max().orElse(0);
  }

  /** Where those of another trace have the name already, the trace's is behind it. */
  private static String name(String name, Trace trace, List<LoadedTrace> loaded) {
    for (int number = 1;; number++) {
      String candidate = number == 1 ? name
          : name + "@" + trace.directory().getFileName()
              + (number == 2 ? "" : " (" + (number - 1) + ")");
      if (loaded.stream().flatMap(each -> each.externals().stream())
          .noneMatch(other -> other.getName().equals(candidate) && other.getTrace() != trace)) {
        return candidate;
      }
    }
  }
}
