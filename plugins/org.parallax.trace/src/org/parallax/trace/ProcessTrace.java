package org.parallax.trace;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A process of a trace: its definitions and threads. */
public final class ProcessTrace {
  private final int index;
  private final Definitions definitions;
  private final MachineClock clock;
  private final boolean runHasEnded;
  private final CallPaths callPaths;
  private final long startNs;
  private List<ThreadTrace> threads = List.of();
  private List<Module> modules = List.of();
  private volatile long endNs = Long.MIN_VALUE;

  ProcessTrace(int index, Definitions definitions, MachineClock clock, boolean runHasEnded) {
    this.index = index;
    this.definitions = definitions;
    this.clock = clock;
    this.runHasEnded = runHasEnded;
    this.callPaths = definitions.callPaths();
    this.startNs = clock.timeNs(definitions.process.startTicks());
  }

  void setThreads(List<ThreadTrace> threads) {
    this.threads = List.copyOf(threads);
  }

  void setModules(List<Module> modules) {
    this.modules = List.copyOf(modules);
  }

  /** The same process under another index, and with times by another clock of its machine. */
  ProcessTrace placed(int newIndex, MachineClock newClock) {
    ProcessTrace copy = new ProcessTrace(newIndex, definitions, newClock, runHasEnded);
    copy.setThreads(threads.stream().map(thread -> thread.placed(copy)).toList());
    long deltaNs = copy.startNs - startNs;
    copy.setModules(modules.stream().map(module -> module.movedBy(deltaNs)).toList());
    return copy;
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
    String program = program();
    return mpi() == null ? program : program + "[" + mpi().worldRank() + "]";
  }

  /** The executable's name without its directory. */
  public String program() {
    String path = executable();
    String program = path.substring(path.lastIndexOf('/') + 1);
    return program.isEmpty() ? "pid " + pid() : program;
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
  public enum CpuClock { NONE, THREAD_CLOCK, PERF_PAGE, SWITCH_MARK }

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
    if (definitions.end == null) {
      return runHasEnded ? EndReason.KILLED : EndReason.RUNNING;
    }
    return switch (definitions.end.reason()) {
      case 1 -> EndReason.EXEC;
      case 2 -> EndReason.SANDBOX;
      default -> EndReason.EXIT;
    };
  }

  /** The exit status; 0 unless {@link #endReason} is {@link EndReason#EXIT}. */
  public int exitStatus() {
    return definitions.end == null ? 0 : definitions.end.status();
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

  /** What the agent wants a person to be told. */
  public List<String> notes() {
    return List.copyOf(definitions.notes);
  }

  @Override
  public String toString() {
    return name() + " (pid " + pid() + " on " + host() + ")";
  }
}
