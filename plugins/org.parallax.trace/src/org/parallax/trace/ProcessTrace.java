package org.parallax.trace;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A process of a trace: its definitions and threads. */
public final class ProcessTrace {
  /** Login shells begin with a dash, and titles that programs give themselves have spaces. */
  private static final Pattern FILE_NAME = Pattern.compile("[\\w.+@][\\w.+@-]*");

  private final int index;
  private final Definitions definitions;
  private final MachineClock clock;
  private final ProcessEnds.Ending ending;
  private final CallPaths callPaths;
  private final long startNs;
  private List<ThreadTrace> threads = List.of();
  private List<Module> modules = List.of();
  private Supplier<Symbols> symbols;
  private volatile long endNs = Long.MIN_VALUE;

  ProcessTrace(int index, Definitions definitions, MachineClock clock, ProcessEnds.Ending ending) {
    this.index = index;
    this.definitions = definitions;
    this.clock = clock;
    this.ending = ending;
    this.callPaths = definitions.callPaths();
    this.startNs = clock.timeNs(definitions.process.startTicks());
  }

  void setThreads(List<ThreadTrace> threads) {
    this.threads = List.copyOf(threads);
  }

  void setModules(List<Module> modules) {
    this.modules = List.copyOf(modules);
  }

  void setSymbols(Supplier<Symbols> symbols) {
    this.symbols = symbols;
  }

  /**
   * What a call path ends in, for people: the routine and the function that called it. The first call for
   * a trace reads its symbols.
   *
   * @param path of an event; 0 outside of calls
   * @return such as {@code MPI_Recv in exchange}; empty if nothing is known
   */
  public String place(int path) {
    String leaf = nameOf(path);
    int caller = path;
    do {
      caller = callPaths.isDefined(caller) && caller > 0 ? callPaths.parent(caller) : 0;
    } while (caller > 0 && nameOf(caller).isEmpty());
    String in = caller > 0 ? nameOf(caller) : "";
    return leaf.isEmpty() || in.isEmpty() ? leaf + in : leaf + " in " + in;
  }

  private String nameOf(int path) {
    if (path <= 0 || !callPaths.isDefined(path)) {
      return "";
    }
    if (callPaths.kind(path) == CallPaths.REGION) {
      Region region = region((int) callPaths.value(path));
      return region == null ? "" : region.name();
    }
    Symbols.Location location = symbols == null ? null : symbols.get().find(this, path);
    return location == null || !location.isResolved() ? "" : location.frames().get(0).function();
  }

  /** The same process under another index, and with times by another clock of its machine. */
  ProcessTrace placed(int newIndex, MachineClock newClock) {
    ProcessTrace copy = new ProcessTrace(newIndex, definitions, newClock, ending);
    long deltaNs = copy.startNs - startNs;
    copy.setThreads(threads.stream().map(thread -> thread.placed(copy, thread.corrections() == null ? null
        : thread.corrections().movedBy(deltaNs))).toList());
    copy.setSymbols(symbols);
    copy.setModules(modules.stream().map(module -> module.movedBy(deltaNs)).toList());
    return copy;
  }

  /**
   * The same process with other corrections of the times of its threads' events. The times of the process
   * itself, such as its start, stay those of the machine's clock.
   *
   * @param corrections by the number of the thread; threads that are not in it are not corrected
   */
  public ProcessTrace corrected(Map<Integer, TimeMap> corrections) {
    ProcessTrace copy = new ProcessTrace(index, definitions, clock, ending);
    copy.setThreads(threads.stream().map(thread -> thread.placed(copy, corrections.get(thread.id()))).toList());
    copy.setSymbols(symbols);
    copy.setModules(modules);
    return copy;
  }

  /** Whether times of events are corrected. */
  public boolean isCorrected() {
    return threads.stream().anyMatch(thread -> thread.corrections() != null);
  }

  Definitions definitions() {
    return definitions;
  }

  /** The position of this process in {@link Trace#processes}. */
  public int index() {
    return index;
  }

  /** The name for display: the program's, with the MPI rank in brackets where there is one. */
  public String name() {
    return name(definitions);
  }

  static String name(Definitions process) {
    String program = program(process.process);
    return process.mpi == null ? program : program + "[" + process.mpi.worldRank() + "]";
  }

  /**
   * The program's name without its directory: the one by which it was started, as one executable can be several
   * programs, else the executable's.
   */
  public String program() {
    return program(definitions.process);
  }

  static String program(Definitions.ProcessRecord process) {
    String started = process.arguments().isEmpty() ? "" : baseName(process.arguments().get(0));
    if (FILE_NAME.matcher(started).matches()) {
      return started;
    }
    String program = baseName(process.executable());
    return program.isEmpty() ? "pid " + process.pid() : program;
  }

  private static String baseName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The machine's host name. */
  public String host() {
    return definitions.process.host();
  }

  /** The machine's clock. */
  public MachineClock clock() {
    return clock;
  }

  public int pid() {
    return definitions.process.pid();
  }

  public int parentPid() {
    return definitions.process.parentPid();
  }

  /** Absolute path of the executable. */
  public String executable() {
    return definitions.process.executable();
  }

  /** The command line, the program included. */
  public List<String> arguments() {
    return definitions.process.arguments();
  }

  public String workingDirectory() {
    return definitions.process.directory();
  }

  /** What tells the agent how much CPU time a thread has used. */
  public enum CpuClock { NONE, THREAD_CLOCK, PERF_PAGE, SWITCH_MARK, SAMPLES }

  /** Null when the trace names one that this version does not know. */
  public CpuClock cpuClock() {
    int clock = definitions.process.cpuClock();
    return clock < CpuClock.values().length ? CpuClock.values()[clock] : null;
  }

  /** Samples a second of CPU time that were asked for; 0 is none. */
  public int sampleHz() {
    return definitions.process.sampleHz();
  }

  /** When the agent started in this process. */
  public long startNs() {
    return startNs;
  }

  /**
   * When the process ended, or, where no end is recorded, the time of its last event (the first
   * call then reads the last block of each thread). No event is later.
   */
  public long endNs() {
    long end = endNs;
    if (end == Long.MIN_VALUE) {
      end = definitions.end == null ? startNs : clock.timeNs(definitions.end.ticks());
      for (ThreadTrace thread : threads) {
        end = Math.max(end, thread.endNs());
      }
      endNs = end;
    }
    return end;
  }

  /** How the process ended. */
  public EndReason endReason() {
    return ending.reason();
  }

  /** The exit status; 0 unless {@link #endReason} is {@link EndReason#EXIT}. */
  public int exitStatus() {
    return ending.reason() == EndReason.EXIT ? ending.status() : 0;
  }

  /** The name of the signal that ended it; empty unless {@link EndReason#KILLED}. */
  public String signal() {
    return ending.reason() == EndReason.KILLED ? ProcessEnds.signalName(ending.status()) : "";
  }

  /** CPU time of the whole process at its end, -1 when no end is recorded. */
  public long cpuNs() {
    return definitions.end == null ? -1 : definitions.end.cpuNs();
  }

  /** What the process knows of MPI, or null. */
  public Mpi mpi() {
    return definitions.mpi;
  }

  /** What the process knows of PVM, or null. */
  public Pvm pvm() {
    return definitions.pvm;
  }

  /** The threads in the order of their numbers, those without events included. */
  public List<ThreadTrace> threads() {
    return threads;
  }

  /** The call paths that events refer to. */
  public CallPaths callPaths() {
    return callPaths;
  }

  /**
   * An intercepted routine.
   *
   * @return null when it is not defined
   */
  public Region region(int id) {
    return definitions.regions.get(id);
  }

  /** Whether a call path of the trace ends in what stands for the time in which recording was paused. */
  public boolean isPause(int path) {
    return isPause(callPaths, path, definitions);
  }

  static boolean isPause(CallPaths paths, int path, Definitions definitions) {
    if (!paths.isRoutine(path)) {
      return false;
    }
    Region region = definitions.regions.get((int) paths.value(path));
    return region != null && region.isPause();
  }

  /** Whether recording was paused in this process for some time. */
  public boolean wasPaused() {
    for (int id = 0; id < regionCount(); id++) {
      if (region(id) != null && region(id).isPause()) {
        return true;
      }
    }
    return false;
  }

  /**
   * From when on all events of its threads are there.
   *
   * @return the least number if they all are; see {@link ThreadTrace#kept}
   */
  public long keptFromNs() {
    long from = Long.MIN_VALUE;
    for (ThreadTrace thread : threads) {
      from = thread.kept() == null ? from : Math.max(from, thread.keptFromNs());
    }
    return from;
  }

  /** Regions are numbered below this. */
  public int regionCount() {
    return definitions.regions.limit();
  }

  /**
   * A communicator by the number that this process's events use.
   *
   * @return null when it is not defined
   */
  public Communicator communicator(int id) {
    return definitions.communicators.get(id);
  }

  /** The communicators whose members belong to several MPI jobs, in the order of their creation. */
  public List<Communicator> communicatorsBetweenJobs() {
    return Collections.unmodifiableList(definitions.betweenJobs);
  }

  /** Communicators are numbered below this. */
  public int communicatorCount() {
    return definitions.communicators.limit();
  }

  /**
   * A lock, condition, barrier, semaphore or team.
   *
   * @return null when it is not defined
   */
  public SyncObject syncObject(int id) {
    return definitions.syncObjects.get(id);
  }

  /** Sync objects are numbered below this. */
  public int syncObjectCount() {
    return definitions.syncObjects.limit();
  }

  /**
   * A metric of the program.
   *
   * @return null when it is not defined
   */
  public Metric metric(int id) {
    return definitions.metrics.get(id);
  }

  /** Metrics are numbered below this. */
  public int metricCount() {
    return definitions.metrics.limit();
  }

  /**
   * One direction of a pipe or of a connection.
   *
   * @return null when it is not defined
   */
  public Stream stream(int id) {
    return definitions.streams.get(id);
  }

  /** Streams are numbered below this. */
  public int streamCount() {
    return definitions.streams.limit();
  }

  /**
   * The path of a file on which there was I/O.
   *
   * @return null when it is not defined
   */
  public String file(int id) {
    return definitions.files.get(id);
  }

  /** Files are numbered below this. */
  public int fileCount() {
    return definitions.files.limit();
  }

  /** How this process was measured, in the order of the trace. */
  public Map<String, String> settings() {
    return Collections.unmodifiableMap(definitions.settings);
  }

  /** The program and the libraries, in the order of loading. */
  public List<Module> modules() {
    return modules;
  }

  /**
   * The module that holds an address: the one that was loaded last where several did.
   *
   * @return null when there is none
   */
  public Module moduleAt(long address) {
    for (int i = modules.size() - 1; i >= 0; i--) {
      if (modules.get(i).contains(address)) {
        return modules.get(i);
      }
    }
    return null;
  }

  /** What could not be recorded, {@link Losses#NONE} where nothing is missing. */
  public Losses losses() {
    return definitions.losses;
  }

  /** When the first loss was; only where there are {@link #losses}. */
  public long firstLossNs() {
    return clock.timeNs(definitions.losses.firstTicks());
  }

  /** When the last loss was; only where there are {@link #losses}. */
  public long lastLossNs() {
    return clock.timeNs(definitions.losses.lastTicks());
  }

  /** What the agent wants a person to be told. */
  public List<String> notes() {
    return List.copyOf(definitions.notes);
  }

  @Override
  public String toString() {
    return name() + " (pid " + pid() + " on " + host() + ")";
  }
}
