package org.parallax.model.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.parallax.model.RunMode;
import org.parallax.trace.CommonTime;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Trace;
import org.parallax.trace.series.ExternalSeries;

/**
 * Applications that are analysed together, of one run or of several that were recorded by
 * themselves: their processes on one time base and with one numbering of procedures, and the way
 * back to the model.
 *
 * <p>For applications of one trace nothing is copied. Else the cost is linear in the definitions of
 * the traces; events stay where they lie. Immutable.
 */
public final class Workload {
  private final List<Application> applications;
  private final List<Trace> traces;
  /** What came with the traces. */
  private final Set<ExternalData> externals = new LinkedHashSet<>();
  private final Procedures procedures;
  private final List<ProcessTrace> processes = new ArrayList<>();
  private final List<ProgramProcess> models = new ArrayList<>();
  /** By index of the process and number of the thread. */
  private final Map<Long, ProgramThread> threads = new HashMap<>();
  /** Of each trace, where there are several: the ids of its procedures here. */
  private final List<int[]> newIds = new ArrayList<>();
  private final Map<Integer, Procedure> proceduresById = new HashMap<>();
  /** Time 0, of CLOCK_REALTIME. */
  private final long epochNs;

  /** The traces of the applications must stay open. */
  public Workload(List<Application> applications) {
    this(applications, false);
  }

  /**
   * Applications whose traces are there for comparison begin with the others (Irvin and Miller 1993,
   * section 4.2), whose first one then begins at time 0.
   *
   * @param aligned whether all applications begin at time 0, instead of when they did
   */
  public Workload(List<Application> applications, boolean aligned) {
    this(applications, List.of(), aligned);
  }

  /** @param others of which these are a part, and with which they share a time base */
  public Workload(List<Application> applications, List<Application> others, boolean aligned) {
    this.applications = List.copyOf(applications);
    Set<Trace> distinct = new LinkedHashSet<>();
    applications.forEach(application -> distinct.add(application.getTrace()));
    others.forEach(application -> distinct.add(application.getTrace()));
    traces = List.copyOf(distinct);
    // In the order of the session, as names of curves depend on it.
    others.forEach(application -> externals.addAll(application.getExternals()));
    applications.forEach(application -> externals.addAll(application.getExternals()));
    List<ProcessTrace> all;
    if (traces.size() == 1) {
      all = traces.get(0).processes();
      procedures = Procedures.of(traces.get(0));
    } else {
      all = CommonTime.of(traces);
      procedures = Procedures.join(traces.stream().map(Procedures::of).toList(), newIds);
    }
    Map<Trace, Integer> firsts = new HashMap<>();
    int count = 0;
    for (Trace trace : traces) {
      firsts.put(trace, count);
      count += trace.processes().size();
    }
    boolean compares = applications.stream().anyMatch(Workload::isForComparison);
    long originNs = !compares ? 0 : applications.stream()
        .filter(application -> !isForComparison(application))
        .mapToLong(each -> beginNs(each, all, firsts.get(each.getTrace()))).min().orElse(0);
    epochNs = traces.stream().mapToLong(Trace::epochNs).min().orElse(0) + originNs;
    for (Application application : applications) {
      int first = firsts.get(application.getTrace());
      long byNs = aligned || isForComparison(application)
          ? -beginNs(application, all, first) : -originNs;
      for (ProgramProcess process : application.getProcesses()) {
        int index = first + process.getIndex();
        processes.add(byNs == 0 ? all.get(index) : CommonTime.moved(all.get(index), byNs));
        models.add(process);
        process.getThreads().forEach(thread -> threads.put(key(index, thread.getId()), thread));
      }
      application.getProcedures()
          .forEach(procedure -> proceduresById.putIfAbsent(id(procedure), procedure));
    }
  }

  /**
   * What a monitor measured, on the time base of the workload.
   *
   * @param data what it is about, and under which name
   */
  public record PlacedData(ExternalData data, ExternalSeries series) {}

  /**
   * The external data that came with the traces, of these applications, of the machines they ran on, of
   * their processes, and of what is not known. They move with the processes of their machine.
   */
  public List<PlacedData> externals() {
    List<PlacedData> placed = new ArrayList<>();
    for (ExternalData data : externals) {
      if (isAbout(data)) {
        placed.add(new PlacedData(data, data.getSeries().movedBy(movedNs(data))));
      }
    }
    return placed;
  }

  private boolean isAbout(ExternalData data) {
    return data.getProcess() != null ? models.contains(data.getProcess())
        : data.getApplication() != null ? applications.contains(data.getApplication())
        : data.getMachine() == null
            || models.stream().anyMatch(process -> process.getMachine() == data.getMachine());
  }

  /** By how much the start of a process of its trace has moved, if there is one of its machine. */
  private long movedNs(ExternalData data) {
    long ns = data.getTrace().epochNs() - epochNs;
    boolean found = false;
    for (int i = 0; i < processes.size(); i++) {
      ProgramProcess model = models.get(i);
      if (model.getApplication().getTrace() != data.getTrace()) {
        continue;
      }
      boolean same = data.getProcess() != null ? data.getProcess() == model
          : data.getApplication() != null ? data.getApplication() == model.getApplication()
          : data.getMachine() == model.getMachine();
      if (same || !found) {
        ns = processes.get(i).startNs()
            - data.getTrace().processes().get(model.getIndex()).startNs();
        found = true;
      }
      if (same) {
        break;
      }
    }
    return ns;
  }

  /** By how much times of an application are later here than in its own trace; 0 for one that is not here. */
  public long movedNs(Application application) {
    for (int i = 0; i < processes.size(); i++) {
      if (models.get(i).getApplication() == application) {
        return processes.get(i).startNs()
            - application.getTrace().processes().get(models.get(i).getIndex()).startNs();
      }
    }
    return 0;
  }

  private static boolean isForComparison(Application application) {
    return application.getMode() == RunMode.COMPARISON;
  }

  /** @param first the index of the first process of the application's trace */
  private static long beginNs(Application application, List<ProcessTrace> all, int first) {
    return application.getProcesses().stream()
        .mapToLong(process -> all.get(first + process.getIndex()).startNs()).min().orElse(0);
  }

  private static long key(int process, int thread) {
    return (long) process << 32 | thread;
  }

  public List<Application> applications() {
    return applications;
  }

  /** The applications' names. */
  public String name() {
    return applications.stream().map(Application::getName).collect(Collectors.joining(" + "));
  }

  /** The traces of the applications, each once. */
  public List<Trace> traces() {
    return traces;
  }

  /** The directories of the traces, for people. */
  public String traceNames() {
    return traces.stream().map(Trace::toString).collect(Collectors.joining(", "));
  }

  /** The processes of the applications; their indices are not their positions here. */
  public List<ProcessTrace> processes() {
    return processes;
  }

  /** The application of a process, by its position in {@link #processes}. */
  public Application application(int position) {
    return models.get(position).getApplication();
  }

  /** What the call paths of the processes mean, by the index of each. */
  public Procedures procedures() {
    return procedures;
  }

  /** The model's thread, null for one of a runtime library. */
  public ProgramThread thread(ProcessTrace process, int thread) {
    return threads.get(key(process.index(), thread));
  }

  /** The model's procedure, null for work of which no sample tells. */
  public Procedure procedure(int id) {
    return proceduresById.get(id);
  }

  /** The number in {@link #procedures} of a procedure of one of the applications. */
  public int id(Procedure procedure) {
    return newIds.isEmpty() ? procedure.getId()
        : newIds.get(traces.indexOf(procedure.getApplication().getTrace()))[procedure.getId()];
  }
}
