package org.parallax.model;

import java.util.Comparator;
import java.util.List;
import org.parallax.trace.ExternalSeries;
import org.parallax.trace.Trace;

/** Finds what the external data of a trace are about. */
final class Externals {
  private Externals() {}

  /**
   * Adds the external data that came with a trace to the session, after its applications.
   *
   * @param programs the names of the trace's applications, as their processes give them
   */
  static void add(Session session, Trace trace, List<Application> applications,
      List<String> programs) {
    for (ExternalSeries series : trace.externalSeries()) {
      ExternalData data = ModelFactory.eINSTANCE.createExternalData();
      data.setTrace(trace);
      data.setSeries(series);
      ExternalSeries.Subject subject = series.subject();
      switch (subject.kind()) {
        case MACHINE -> data.setMachine(machine(session, subject.name()));
        case PROCESS -> data.setProcess(process(applications, subject));
        case APPLICATION -> {
          for (int i = 0; i < applications.size() && data.getApplication() == null; i++) {
            if (applications.get(i).getName().equals(subject.name())
                || programs.get(i).equals(subject.name())) {
              data.setApplication(applications.get(i));
            }
          }
        }
      }
      data.setName(name(session, data));
      session.getExternals().add(data);
    }
  }

  private static Machine machine(Session session, String host) {
    return session.getMachines().stream().filter(machine -> machine.getHost().equals(host))
        .findFirst().orElse(null);
  }

  /** Of several processes with this number, which follow each other by exec, the longest. */
  private static Process process(List<Application> applications, ExternalSeries.Subject subject) {
    return applications.stream().flatMap(application -> application.getProcesses().stream())
        .filter(process -> process.getPid() == subject.pid()
            && process.getMachine().getHost().equals(subject.name()))
        .max(Comparator.comparingLong(Externals::lifeNs)).orElse(null);
  }

  private static long lifeNs(Process process) {
    return process.getThreads().stream()
        .mapToLong(thread -> thread.getEndNs() - thread.getBeginNs()).max().orElse(0);
  }

  /** Where those of another trace have the name already, the trace's is behind it. */
  private static String name(Session session, ExternalData data) {
    String name = data.getSeries().name();
    for (int number = 1;; number++) {
      String candidate = number == 1 ? name
          : name + "@" + data.getTrace().directory().getFileName()
              + (number == 2 ? "" : " (" + (number - 1) + ")");
      if (session.getExternals().stream().noneMatch(other -> other.getName().equals(candidate)
          && other.getTrace() != data.getTrace())) {
        return candidate;
      }
    }
  }

  /** Whether what the data are about is in the session. */
  static boolean isKnown(ExternalData data) {
    return data.getMachine() != null || data.getProcess() != null
        || data.getApplication() != null;
  }
}
