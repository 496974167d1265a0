package org.parallax.analysis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.parallax.analysis.graph.CallPathProfile;
import org.parallax.analysis.graph.CriticalPath;
import org.parallax.analysis.graph.Replay;
import org.parallax.analysis.graph.ThreadRecord;
import org.parallax.analysis.graph.Weight;
import org.parallax.model.Application;
import org.parallax.model.Procedure;
import org.parallax.model.Procedures;
import org.parallax.model.Process;
import org.parallax.model.Session;
import org.parallax.model.Thread;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * The analyses of one application, or of all applications of a run together, each computed once when it is first needed. Tables of any level
 * and scope are made from them without reading the trace again.
 *
 * <p>All methods can be called from any thread. Those that take a {@link Progress} may read the
 * whole trace; they throw {@link java.util.concurrent.CancellationException} when it says so, and
 * can be called again then.
 */
public final class ApplicationAnalysis {
  private final List<Application> applications;
  private final Trace trace;
  private final Procedures procedures;
  private final List<ProcessTrace> processes = new ArrayList<>();
  private final Map<Long, Thread> threads = new HashMap<>();
  private final Map<Integer, Procedure> proceduresById = new HashMap<>();
  private final Map<Weight, CriticalPath> paths = new EnumMap<>(Weight.class);
  private List<CallPathProfile> profiles;

  /** Reads nothing yet. The application's trace must stay open. */
  public ApplicationAnalysis(Application application) {
    this(List.of(application), application.getTrace());
  }

  /**
   * The analyses of all applications of a run together, as one program: what they send each other
   * counts.
   */
  public static ApplicationAnalysis ofRun(Session session, Trace trace) {
    return new ApplicationAnalysis(session.getApplications().stream()
        .filter(application -> application.getTrace() == trace).toList(), trace);
  }

  private ApplicationAnalysis(List<Application> applications, Trace trace) {
    this.applications = applications;
    this.trace = trace;
    procedures = Procedures.of(trace);
    for (Application application : applications) {
      for (Process process : application.getProcesses()) {
        processes.add(trace.processes().get(process.getIndex()));
        for (Thread thread : process.getThreads()) {
          threads.put(key(process.getIndex(), thread.getId()), thread);
        }
      }
      for (Procedure procedure : application.getProcedures()) {
        proceduresById.putIfAbsent(procedure.getId(), procedure);
      }
    }
  }

  private static long key(int process, int thread) {
    return (long) process << 32 | thread;
  }

  /** @return the application, the first where there are several */
  public Application application() {
    return applications.get(0);
  }

  /** @return the application, or all of the run */
  public List<Application> applications() {
    return applications;
  }

  /** @return the application's name, or those of all */
  public String name() {
    return applications.stream().map(Application::getName).collect(Collectors.joining(" + "));
  }

  /** @return true if these are several applications */
  public boolean isGlobal() {
    return applications.size() > 1;
  }

  public Trace trace() {
    return trace;
  }

  /** @return what the call paths of the trace mean */
  public Procedures procedures() {
    return procedures;
  }

  /** @return the model's procedure, or null for work of which no sample tells */
  Procedure procedure(int id) {
    return proceduresById.get(id);
  }

  /** @return the model's thread */
  Thread thread(ThreadRecord record) {
    return threads.get(key(record.process().index(), record.thread().id()));
  }

  /** @return the replay of the application's threads, with the metrics of each */
  public Replay replay(Progress progress) {
    return criticalPath(Weight.CPU, progress).replay();
  }

  /** @return the intra-application critical path */
  public synchronized CriticalPath criticalPath(Weight weight, Progress progress) {
    CriticalPath path = paths.get(weight);
    if (path == null) {
      path = CriticalPath.of(Replay.of(processes, weight, progress));
      paths.put(weight, path);
    }
    return path;
  }

  /** @return the profile of each thread of {@link #replay}, in its order */
  public synchronized List<CallPathProfile> profiles(Progress progress) {
    if (profiles == null) {
      List<ThreadRecord> records = replay(progress).threads();
      long total = 0;
      for (ThreadRecord record : records) {
        total += record.thread().slotCount();
      }
      progress.begin("Profiling", total);
      List<CallPathProfile> made = new ArrayList<>();
      for (ThreadRecord record : records) {
        made.add(CallPathProfile.of(record.process(), record.thread(), progress));
      }
      profiles = made;
    }
    return profiles;
  }
}
