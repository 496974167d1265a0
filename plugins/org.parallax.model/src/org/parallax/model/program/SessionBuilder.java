package org.parallax.model.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.files.ResolvedRuns;
import org.parallax.model.files.RunResolver;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.TraceException;

/**
 * Makes a session from traces. The processes of an MPI job are one application, with those of the jobs that it spawns
 * or connects to. Those of a virtual machine of PVM are one, and of all other processes of a run those of one
 * executable.
 */
public final class SessionBuilder {
  /**
   * What tells the applications of a run apart.
   *
   * @param number of the MPI job or virtual machine
   * @param executable of the processes outside of these
   * @param program its name, of which an executable can have several
   */
  private record ApplicationKey(boolean mpi, boolean pvm, long number, String executable, String program) {
    static ApplicationKey of(ProcessTrace process, ConnectedJobs jobs) {
      if (process.mpi() != null) {
        return new ApplicationKey(true, false, jobs.first(process.mpi().job()), "", "");
      }
      return process.pvm() != null ? new ApplicationKey(false, true, process.pvm().machine(), "", "")
          : new ApplicationKey(false, false, 0, process.executable(), process.program());
    }
  }

  /** An open trace that enters the session. */
  private record Entry(Trace trace, RunMode mode,
      Map<ApplicationKey, List<ProcessTrace>> applications) {}

  private final LoadedSession before;
  private final List<Entry> entries = new ArrayList<>();
  /** Those of session files. */
  private final List<Run> runs = new ArrayList<>();
  private RunMode mode = RunMode.REPLAY;
  // While it is built:
  private final Map<String, Machine> machines = new HashMap<>();
  private final Set<String> applicationNames = new HashSet<>();
  private final List<LoadedTrace> loaded = new ArrayList<>();

  /** Starts an empty session. */
  public SessionBuilder() {
    this(new LoadedSession(List.of(), false));
  }

  /** Continues a session: the new one shares what it has. */
  public SessionBuilder(LoadedSession session) {
    before = session;
    session.getMachines().forEach(machine -> machines.put(machine.getHost(), machine));
    session.getApplications().forEach(each -> applicationNames.add(each.getName()));
    loaded.addAll(session.loaded());
  }

  /**
   * Opens traces, and those of the runs that {@link RunResolver} finds, as one session. {@link #close}
   * closes them again.
   *
   * @param paths of traces, session files, launches or directories of traces
   * @throws TraceException when one of them cannot be read; none is left open then
   * @throws java.util.concurrent.CancellationException when cancelled; none is left open then
   */
  public static LoadedSession open(List<Path> paths, Progress progress) throws TraceException {
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
        builder.entries.forEach(each -> each.trace.close());
      }
    }
  }

  private void open(Path path, Progress progress) throws TraceException {
    for (ResolvedRuns.Entry each : RunResolver.resolve(path).orThrow().runs()) {
      if (each.run() != null) {
        runs.add(each.run());
        mode = each.run().getMode();
      }
      for (Path trace : each.traces()) {
        add(Trace.open(trace, progress), progress);
      }
      mode = RunMode.REPLAY;
    }
  }

  /** Makes a session of traces that are open already. */
  public static LoadedSession of(Trace... traces) {
    SessionBuilder builder = new SessionBuilder();
    for (Trace trace : traces) {
      builder.add(trace, Progress.NONE);
    }
    return builder.build();
  }

  /** Closes the traces of the session. */
  public static void close(LoadedSession session) {
    session.traces().forEach(Trace::close);
  }

  /** Adds the applications of an open trace; the first time for a trace, its symbols are read. */
  public SessionBuilder add(Trace trace, Progress progress) {
    Map<ApplicationKey, List<ProcessTrace>> groups = new LinkedHashMap<>();
    ConnectedJobs jobs = ConnectedJobs.of(trace.processes());
    for (ProcessTrace process : trace.processes()) {
      groups.computeIfAbsent(ApplicationKey.of(process, jobs), unused -> new ArrayList<>())
          .add(process);
    }
    groups.forEach((key, processes) -> {
      if (key.mpi) {
        processes.sort(jobs.order());
      }
    });
    entries.add(new Entry(trace, mode, groups));
    progress.check();
    Procedures.of(trace);
    return this;
  }

  /** The session with all traces that were added; called once. */
  public LoadedSession build() {
    boolean several = loaded.stream().mapToInt(each -> each.applications().size()).sum()
        + entries.stream().mapToInt(each -> each.applications.size()).sum() > 1;
    for (Entry entry : entries) {
      loaded.add(new LoadedTrace(entry.trace,
          self -> applications(self, entry, several),
          applications -> Externals.of(entry.trace, applications,
              entry.applications.values().stream().map(SessionBuilder::programs).toList(),
              machines, loaded)));
    }
    boolean repeated = before.isRepeated()
        || ResolvedRuns.isComparison(runs) && runs.stream().anyMatch(run -> run.getGroup() != null);
    return new LoadedSession(loaded, repeated);
  }

  private List<Application> applications(LoadedTrace self, Entry entry, boolean several) {
    List<Application> applications = new ArrayList<>();
    entry.applications.forEach((key, processes) ->
        applications.add(application(self, entry, key, processes, several)));
    return applications;
  }

  private Application application(LoadedTrace self, Entry entry, ApplicationKey key,
      List<ProcessTrace> processes, boolean several) {
    Procedures procedures = Procedures.of(entry.trace);
    Set<Integer> ids = new TreeSet<>();
    Names names = new Names();
    long startNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    for (ProcessTrace process : processes) {
      names.count(process.name());
      startNs = Math.min(startNs, process.startNs());
      endNs = Math.max(endNs, process.endNs());
      procedures.collect(process.index(), ids);
    }
    Application.Facts facts = new Application.Facts(name(programs(processes), entry.trace),
        entry.mode, key.mpi ? key.number : 0, several, startNs, endNs);
    return new Application(self, facts,
        application -> processes.stream().map(process -> process(application, process,
            names.unique(process.name(), " (pid " + process.pid() + ")"), key.mpi)).toList(),
        application -> ids.stream()
            .map(id -> new Procedure(application, id, procedures.get(id))).toList());
  }

  private ProgramProcess process(
      Application application, ProcessTrace trace, String name, boolean mpi) {
    return new ProgramProcess(application, machines.computeIfAbsent(trace.host(), Machine::new), name,
        trace.pid(), mpi ? trace.mpi().worldRank() : -1, trace.index(),
        process -> threads(process, trace));
  }

  private static List<ProgramThread> threads(ProgramProcess process, ProcessTrace trace) {
    Names names = new Names();
    for (ThreadTrace thread : trace.threads()) {
      names.count(thread.name());
    }
    List<ProgramThread> threads = new ArrayList<>();
    for (int index = 0; index < trace.threads().size(); index++) {
      ThreadTrace source = trace.threads().get(index);
      if (!source.isRuntimeThread()) {
        threads.add(new ProgramThread(process, names.unique(source.name(), " #" + source.id()),
            source.id(), index, source.beginNs(), source.endNs()));
      }
    }
    return threads;
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
    boolean isOtherRun = loaded.stream().filter(each -> each.trace() != trace)
        .flatMap(each -> each.applications().stream())
        .anyMatch(each -> each.getName().equals(program));
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
