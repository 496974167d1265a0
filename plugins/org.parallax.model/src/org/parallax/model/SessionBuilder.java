package org.parallax.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/**
 * Makes a session from traces. The processes of an MPI job are one application, those of a virtual
 * machine of PVM are one, and of all other processes of a run those of one executable.
 */
public final class SessionBuilder {
  /**
   * What tells the applications of a run apart.
   *
   * @param number of the MPI job or virtual machine
   * @param executable of the processes outside of these
   */
  private record ApplicationKey(boolean mpi, boolean pvm, long number, String executable) {
    static ApplicationKey of(ProcessTrace process) {
      if (process.mpi() != null) {
        return new ApplicationKey(true, false, process.mpi().job(), "");
      }
      return process.pvm() != null ? new ApplicationKey(false, true, process.pvm().machine(), "")
          : new ApplicationKey(false, false, 0, process.executable());
    }
  }

  private final Session session;
  private final Map<String, Machine> machines = new HashMap<>();
  private final Set<String> applicationNames = new HashSet<>();
  private RunMode mode = RunMode.REPLAY;

  /** Starts an empty session. */
  public SessionBuilder() {
    this(ModelFactory.eINSTANCE.createSession());
  }

  /** Continues a session: what it has already stays as it is. */
  public SessionBuilder(Session session) {
    this.session = session;
    session.getMachines().forEach(machine -> machines.put(machine.getHost(), machine));
    session.getApplications().forEach(each -> applicationNames.add(each.getName()));
  }

  /**
   * Opens traces, and those of the runs that {@link RunResolver} finds, as one session. {@link #close}
   * closes them again.
   *
   * @param paths of traces, session files, launches or directories of traces
   * @throws TraceException when one of them cannot be read; none is left open then
   * @throws java.util.concurrent.CancellationException when cancelled; none is left open then
   */
  public static Session open(List<Path> paths, Progress progress) throws TraceException {
    SessionBuilder builder = new SessionBuilder();
    boolean done = false;
    try {
      for (Path each : paths) {
        builder.open(each, progress);
      }
      done = true;
      return builder.build();
    } finally {
      if (!done) {
        close(builder.session);
      }
    }
  }

  private void open(Path path, Progress progress) throws TraceException {
    for (ResolvedRuns.Entry each : RunResolver.resolve(path).orThrow().runs()) {
      if (each.run() != null) {
        session.getRuns().add(each.run());
        mode = each.run().getMode();
      }
      for (Path trace : each.traces()) {
        add(Trace.open(trace, progress), progress);
      }
      mode = RunMode.REPLAY;
    }
  }

  /** Makes a session of traces that are open already. */
  public static Session of(Trace... traces) {
    SessionBuilder builder = new SessionBuilder();
    for (Trace trace : traces) {
      builder.add(trace, Progress.NONE);
    }
    return builder.build();
  }

  /** The traces of the session's applications, each once. */
  public static List<Trace> traces(Session session) {
    Set<Trace> traces = new LinkedHashSet<>();
    for (Application application : session.getApplications()) {
      if (application.getTrace() != null) {
        traces.add(application.getTrace());
      }
    }
    return List.copyOf(traces);
  }

  /** Closes the traces of the session. Nothing that reads them may be under way. */
  public static void close(Session session) {
    traces(session).forEach(Trace::close);
  }

  /** Takes the applications of a trace out of a session; the trace stays open. */
  public static void remove(Session session, Trace trace) {
    List<Application> leaving = session.getApplications().stream()
        .filter(application -> application.getTrace() == trace).toList();
    session.getApplications().removeAll(leaving);
    session.getExternals().removeIf(data -> data.getTrace() == trace);
    for (Machine machine : List.copyOf(session.getMachines())) {
      machine.getProcesses().removeIf(process -> leaving.contains(process.getApplication()));
      if (machine.getProcesses().isEmpty()) {
        session.getMachines().remove(machine);
        session.getExternals().stream().filter(data -> data.getMachine() == machine)
            .forEach(data -> data.setMachine(null));
      }
    }
  }

  /** Adds the applications of an open trace. */
  public SessionBuilder add(Trace trace, Progress progress) {
    Map<ApplicationKey, List<ProcessTrace>> groups = new LinkedHashMap<>();
    for (ProcessTrace process : trace.processes()) {
      groups.computeIfAbsent(ApplicationKey.of(process), unused -> new ArrayList<>())
          .add(process);
    }
    Procedures procedures = Procedures.of(trace);
    List<Application> applications = new ArrayList<>();
    List<String> programs = new ArrayList<>();
    groups.forEach((key, processes) -> {
      progress.check();
      applications.add(addApplication(trace, key, processes, procedures));
      programs.add(programs(processes));
    });
    Externals.add(session, trace, applications, programs);
    return this;
  }

  /** The session with all traces added so far. */
  public Session build() {
    return session;
  }

  private Application addApplication(Trace trace, ApplicationKey key, List<ProcessTrace> processes,
      Procedures procedures) {
    if (key.mpi) {
      processes.sort(Comparator.comparingInt(process -> process.mpi().worldRank()));
    }
    Application application = ModelFactory.eINSTANCE.createApplication();
    application.setName(name(programs(processes), trace));
    application.setCommand(trace.manifest().command());
    application.setTracePath(trace.directory().toString());
    application.setTrace(trace);
    application.setMode(mode);
    application.setJob(key.mpi ? key.number : 0);
    Set<Integer> ids = new TreeSet<>();
    Names names = new Names();
    processes.forEach(process -> names.count(process.name()));
    long startNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    for (ProcessTrace process : processes) {
      String name = names.unique(process.name(), " (pid " + process.pid() + ")");
      application.getProcesses().add(process(process, name, key.mpi));
      startNs = Math.min(startNs, process.startNs());
      endNs = Math.max(endNs, process.endNs());
      procedures.collect(process.index(), ids);
    }
    application.setStartNs(startNs);
    application.setEndNs(endNs);
    for (int id : ids) {
      application.getProcedures().add(procedure(id, procedures.get(id)));
    }
    session.getApplications().add(application);
    return application;
  }

  private Process process(ProcessTrace trace, String name, boolean mpi) {
    Process process = ModelFactory.eINSTANCE.createProcess();
    process.setName(name);
    process.setPid(trace.pid());
    process.setWorldRank(mpi ? trace.mpi().worldRank() : -1);
    process.setIndex(trace.index());
    process.setMachine(machines.computeIfAbsent(trace.host(), this::machine));
    Names names = new Names();
    for (ThreadTrace thread : trace.threads()) {
      names.count(thread.name());
    }
    for (int index = 0; index < trace.threads().size(); index++) {
      ThreadTrace source = trace.threads().get(index);
      if (source.isRuntimeThread()) {
        continue;
      }
      Thread thread = ModelFactory.eINSTANCE.createThread();
      thread.setName(names.unique(source.name(), " #" + source.id()));
      thread.setId(source.id());
      thread.setIndex(index);
      thread.setBeginNs(source.beginNs());
      thread.setEndNs(source.endNs());
      process.getThreads().add(thread);
    }
    return process;
  }

  private Machine machine(String host) {
    Machine machine = ModelFactory.eINSTANCE.createMachine();
    machine.setHost(host);
    session.getMachines().add(machine);
    return machine;
  }

  private static Procedure procedure(int id, ProcedureInfo info) {
    Procedure procedure = ModelFactory.eINSTANCE.createProcedure();
    procedure.setId(id);
    procedure.setName(info.name());
    procedure.setFile(info.file());
    procedure.setLine(info.line());
    procedure.setModule(info.module());
    procedure.setKind(info.kind());
    procedure.setReason(info.reason());
    return procedure;
  }

  /** The program, or the programs of a job that has several, in the order of ranks. */
  private static String programs(List<ProcessTrace> processes) {
    Set<String> programs = new LinkedHashSet<>();
    for (ProcessTrace process : processes) {
      programs.add(process.program());
    }
    List<String> few = programs.stream().limit(3).toList();
    return String.join(", ", few) + (programs.size() > few.size() ? ", ..." : "");
  }

  /** Of a run beside another one of the same program, the trace's name tells which it is. */
  private String name(String program, Trace trace) {
    boolean isOtherRun = session.getApplications().stream()
        .anyMatch(each -> each.getName().equals(program) && each.getTrace() != trace);
    String name =
        isOtherRun ? program + "@" + trace.directory().getFileName() : program;
    return unique(name, applicationNames, 2);
  }

  private static String unique(String name, Set<String> taken, int firstNumber) {
    String candidate = name;
    for (int number = firstNumber; !taken.add(candidate); number++) {
      candidate = name + " (" + number + ")";
    }
    return candidate;
  }

  /** Makes names of siblings unique: only those that occur several times get a suffix. */
  private static final class Names {
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    void count(String name) {
      counts.merge(name, 1, Integer::sum);
    }

    String unique(String name, String suffix) {
      return SessionBuilder.unique(counts.get(name) > 1 ? name + suffix : name, taken, 2);
    }
  }
}
