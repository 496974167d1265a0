package org.parallax.analysis;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.parallax.analysis.internal.SharedResult;
import org.parallax.analysis.intrusion.Intrusion;
import org.parallax.analysis.path.CriticalPath;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.analysis.time.NormalizedTimes;
import org.parallax.analysis.time.TimeIndex;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.analysis.waits.DelayCosts;
import org.parallax.analysis.waits.Traffic;
import org.parallax.analysis.waits.WaitStates;
import org.parallax.model.program.Application;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.Workload;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * The analyses of one application, or of several together, in all of their time or in one phase,
 * each computed once when it is first needed. Tables of any level and node are made from them
 * without reading the traces again. A result is kept while there is memory for it, else it is
 * computed again.
 *
 * <p>All methods can be called from any thread. Those that take a {@link Progress} may read the
 * whole trace. Each result is computed apart from the others, once for all callers that ask for it at the same
 * time, in a thread of its own, from which their progress is called. A cancelled caller gets a
 * {@link java.util.concurrent.CancellationException} and can ask again; the computation ends when all callers
 * are cancelled.
 */
public final class ApplicationAnalysis {
  /** Whose critical path is looked for (Irvin and Miller 1993, section 4.3). */
  public enum PathScope {
    /** That of one application, as if it were alone. */
    INTRA,
    /** That of one application, with what others do on its behalf. */
    INTER,
    /** That of all applications together. */
    GLOBAL
  }

  private final Workload workload;
  private final Procedures procedures;
  private final PathScope pathScope;
  private final Set<ProcessTrace> active = new HashSet<>();
  private final Application interest;
  private final Phase phase;
  private final Map<Weight, SharedResult<CriticalPath>> paths;
  private final Map<Weight, SharedResult<NormalizedTimes>> normalized;
  private final SharedResult<List<CallPathProfile>> profiles;
  private final SharedResult<WaitStates> waitStates;
  private final SharedResult<DelayCosts> delayCosts;
  private final SharedResult<Traffic> traffic;
  private final SharedResult<Intrusion> intrusion;
  private final boolean hasIntrusion;
  /** Of the whole: from when on the events of all threads are kept. */
  private Window kept;
  private List<ThreadRecord> threads;
  /** That of which this is a phase, or this. It has what phases share. */
  private final ApplicationAnalysis whole;
  private final TimeIndex timeIndex;
  private SoftReference<ProgramTimeline> timeline = new SoftReference<>(null);

  /** Of one application in isolation. Reads nothing yet; its trace must stay open. */
  public ApplicationAnalysis(Application application) {
    this(new Workload(List.of(application)), PathScope.INTRA, application, null, null);
  }

  /**
   * Of one application in isolation, with the times that it has beside others.
   *
   * @param others whose time base is meant, with it; empty for its own
   */
  public static ApplicationAnalysis within(Application application, List<Application> others) {
    return others.isEmpty() ? new ApplicationAnalysis(application)
        : new ApplicationAnalysis(new Workload(List.of(application), others, false),
            PathScope.INTRA, application, null, null);
  }

  private ApplicationAnalysis(
      Workload workload, PathScope pathScope, Application interest, Phase phase,
      ApplicationAnalysis ofAllTime) {
    this.workload = workload;
    procedures = workload.procedures();
    this.pathScope = pathScope;
    this.interest = interest;
    this.phase = phase;
    for (int i = 0; i < workload.processes().size(); i++) {
      if (workload.application(i) == interest) {
        active.add(workload.processes().get(i));
      }
    }
    hasIntrusion = true;
    whole = ofAllTime == null ? this : ofAllTime;
    timeIndex = ofAllTime == null ? new TimeIndex(together()) : ofAllTime.timeIndex;
    List<ProcessTrace> processes = workload.processes();
    paths = byWeight(weight -> new SharedResult<>(
        progress -> CriticalPath.of(Replay.of(processes, setup(weight), progress))));
    normalized = byWeight(weight -> new SharedResult<>(
        progress -> NormalizedTimes.of(processes, weight, window(), progress)));
    profiles = new SharedResult<>(this::profile);
    waitStates = new SharedResult<>(progress -> WaitStates.of(processes, window(), progress));
    delayCosts = new SharedResult<>(
        progress -> DelayCosts.of(processes, procedures, window(), progress));
    traffic = new SharedResult<>(progress -> Traffic.of(processes, window(), progress));
    intrusion = new SharedResult<>(
        progress -> Intrusion.of(workload, threads(), window(), progress));
  }

  private static <T> Map<Weight, T> byWeight(Function<Weight, T> made) {
    return Arrays.stream(Weight.values()).collect(Collectors.toMap(weight -> weight, made));
  }

  /** The processes that can wait for each other. */
  private List<List<ProcessTrace>> together() {
    if (pathScope != PathScope.INTRA) {
      return List.of(workload.processes());
    }
    Map<Application, List<ProcessTrace>> processes = new LinkedHashMap<>();
    for (int i = 0; i < workload.processes().size(); i++) {
      processes.computeIfAbsent(workload.application(i), each -> new ArrayList<>())
          .add(workload.processes().get(i));
    }
    return List.copyOf(processes.values());
  }

  /** Of several applications together, as one program: what they send each other counts. */
  public static ApplicationAnalysis global(List<Application> applications) {
    return applications.size() == 1 ? new ApplicationAnalysis(applications.get(0))
        : new ApplicationAnalysis(new Workload(applications), PathScope.GLOBAL, null, null, null);
  }

  /**
   * Of several applications beside each other, each as if it were alone.
   *
   * @param aligned whether all are shown as if they had begun at the same moment (Irvin and Miller
   *     1993, section 4.2); else each is shown when it ran
   */
  public static ApplicationAnalysis beside(List<Application> applications, boolean aligned) {
    return new ApplicationAnalysis(new Workload(applications, aligned), PathScope.INTRA,
        applications.size() == 1 ? applications.get(0) : null, null, null);
  }

  /**
   * Of one application and all that others do on its behalf.
   *
   * @param applications all that may, with the one of interest
   */
  public static ApplicationAnalysis inter(Application interest, List<Application> applications) {
    return new ApplicationAnalysis(new Workload(applications), PathScope.INTER, interest, null,
        null);
  }

  /** The same analyses of a part of the time; of all of it for null. */
  public ApplicationAnalysis during(Phase part) {
    return new ApplicationAnalysis(workload, pathScope, interest, part, whole);
  }

  /** The same analyses, with the same results but these, of other procedures of the workload. */
  private ApplicationAnalysis(ApplicationAnalysis other, Procedures procedures,
      Map<Weight, SharedResult<CriticalPath>> paths, SharedResult<List<CallPathProfile>> profiles,
      boolean hasIntrusion) {
    this.procedures = procedures;
    this.paths = paths;
    this.profiles = profiles;
    this.hasIntrusion = hasIntrusion;
    workload = other.workload;
    pathScope = other.pathScope;
    active.addAll(other.active);
    interest = other.interest;
    phase = other.phase;
    normalized = other.normalized;
    waitStates = other.waitStates;
    delayCosts = other.delayCosts;
    traffic = other.traffic;
    intrusion = other.intrusion;
    threads = other.threads();
    whole = other.whole;
    timeIndex = other.timeIndex;
  }

  /** The same results, told as if nothing were inlined; see {@link Procedures#folded}. */
  public ApplicationAnalysis folded() {
    return new ApplicationAnalysis(this, procedures.folded(), paths, profiles, hasIntrusion);
  }

  /**
   * The same analyses with other critical paths and profiles: work on each call path is shorter by the
   * measuring in it. Waits on the graph end when the shorter work before them ends, so that a wait becomes
   * shorter by the difference of the intrusion of both sides. A profile knows no graph: in it, the time of
   * a call becomes shorter by its own intrusion only.
   */
  public ApplicationAnalysis withoutIntrusion() {
    Map<Weight, SharedResult<CriticalPath>> changed = byWeight(weight -> new SharedResult<>(progress -> {
      ReplaySetup without = setup(weight).with(intrusion(progress).removed(profiles(progress),
          weight == Weight.CPU ? CallPathProfile::cpuNs : CallPathProfile::wallNs));
      return CriticalPath.of(Replay.of(workload.processes(), without, progress));
    }));
    return new ApplicationAnalysis(this, procedures, changed, new SharedResult<>(progress -> {
      Intrusion all = intrusion(progress);
      List<CallPathProfile> left = new ArrayList<>();
      List<CallPathProfile> measured = profiles(progress);
      for (int i = 0; i < measured.size(); i++) {
        left.add(measured.get(i).without(all.of(threads().get(i)).withinNs()));
      }
      return left;
    }), false);
  }

  /** @return what the measurement of the threads cost */
  public Intrusion intrusion(Progress progress) {
    return intrusion.get(progress);
  }

  /** @return the application, the first where there are several */
  public Application application() {
    return interest != null ? interest : workload.applications().get(0);
  }

  /** @return the application, or all of them */
  public List<Application> applications() {
    return workload.applications();
  }

  /** @return the applications with their processes on one time base */
  public Workload workload() {
    return workload;
  }

  /** @return the name of the application whose path is looked for, or those of all */
  public String name() {
    return interest != null ? interest.getName() : workload.name();
  }

  public PathScope pathScope() {
    return pathScope;
  }

  /** @return the part of the time that the analyses are about; all of it, as far as the events of all threads are kept */
  public Window window() {
    return phase == null ? whole.kept() : phase.window();
  }

  private synchronized Window kept() {
    if (kept == null) {
      List<ProcessTrace> processes = workload.processes();
      long fromNs = processes.stream().mapToLong(ProcessTrace::keptFromNs).max().orElse(Long.MIN_VALUE);
      kept = fromNs == Long.MIN_VALUE ? Window.ALL
          : new Window(fromNs, processes.stream().mapToLong(ProcessTrace::endNs).reduce(fromNs, Math::max));
    }
    return kept;
  }

  /** @return the directories of the traces, for people */
  public String traceNames() {
    return workload.traceNames();
  }

  /** @return what tables tell of what they were made for; others may be added */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("application", name());
    if (pathScope != PathScope.INTRA) {
      parameters.put("scope", pathScope.name().toLowerCase(Locale.ROOT));
    }
    if (phase != null) {
      parameters.put("phase", phase.name());
    }
    if (!hasIntrusion) {
      parameters.put("intrusion", "removed");
    }
    return parameters;
  }

  /** @return what the call paths of the processes mean */
  public Procedures procedures() {
    return procedures;
  }

  /** @return the model's procedure, or null for work of which no sample tells */
  public Procedure procedure(int id) {
    return workload.procedure(id);
  }

  /** @return the model's thread */
  public ProgramThread thread(ThreadRecord record) {
    return workload.thread(record.process(), record.thread().id());
  }

  /** @return the replay of the applications' threads, with the metrics of each */
  public Replay replay(Progress progress) {
    return criticalPath(Weight.CPU, progress).replay();
  }

  /** @return the critical path in the scope of these analyses */
  public CriticalPath criticalPath(Weight weight, Progress progress) {
    return paths.get(weight).get(progress);
  }

  /** @return how the critical path of these analyses is replayed */
  public ReplaySetup setup(Weight weight) {
    return new ReplaySetup(weight, window(), pathScope == PathScope.INTER ? active : null);
  }

  /**
   * @return the threads of {@link #replay}, in its order, without what a replay finds out: reads no
   *     events
   */
  public synchronized List<ThreadRecord> threads() {
    if (threads == null) {
      threads = Replay.threadsOf(workload.processes());
    }
    return threads;
  }

  /** @return the profile of each of {@link #threads}, in their order */
  public List<CallPathProfile> profiles(Progress progress) {
    return profiles.get(progress);
  }

  private List<CallPathProfile> profile(Progress progress) {
    List<ThreadRecord> records = threads();
    progress.begin("Profiling",
        records.stream().mapToLong(record -> record.thread().slotCount()).sum());
    return records.stream().map(record ->
        CallPathProfile.of(record.process(), record.thread(), window(), progress)).toList();
  }

  /** @return the times of the applications' threads, normalized by how many execute at a time */
  public NormalizedTimes normalizedTimes(Weight weight, Progress progress) {
    return normalized.get(weight).get(progress);
  }

  /** @return the time that threads lost to each other */
  public WaitStates waitStates(Progress progress) {
    return waitStates.get(progress);
  }

  /** @return what the work cost by which threads came late */
  public DelayCosts delayCosts(Progress progress) {
    return delayCosts.get(progress);
  }

  /** @return what the applications' threads send each other */
  public Traffic traffic(Progress progress) {
    return traffic.get(progress);
  }

  /**
   * Gives back the memory of results; what is needed again is computed again. Tables that were made
   * stay as they are.
   */
  public void forget() {
    paths.values().forEach(SharedResult::forget);
    normalized.values().forEach(SharedResult::forget);
    profiles.forget();
    waitStates.forget();
    delayCosts.forget();
    traffic.forget();
    intrusion.forget();
    timeIndex.forget();
    synchronized (whole) {
      ProgramTimeline made = whole.timeline.get();
      if (made != null) {
        made.forget();
      }
    }
  }

  /** @return what threads do when in all of the time, of which nothing is read yet at first */
  public ProgramTimeline timeline() {
    synchronized (whole) {
      ProgramTimeline made = whole.timeline.get();
      if (made == null) {
        made = new ProgramTimeline(whole.name(), workload, whole.threads(),
            progress -> whole.criticalPath(Weight.CPU, progress).replay(), pathName());
        whole.timeline = new SoftReference<>(made);
      }
      return made;
    }
  }

  /** What the critical path depends on beside the events. */
  private String pathName() {
    return pathScope + " " + (interest == null ? -1 : workload.applications().indexOf(interest)) + " "
        + IntStream.range(0, workload.processes().size())
            .mapToObj(process -> String.valueOf(workload.applications().indexOf(workload.application(process))))
            .collect(Collectors.joining(","));
  }

  /** @return the metrics of threads over time, of which nothing is read yet at first */
  public TimeIndex timeIndex() {
    return timeIndex;
  }

  /** @return what a person must know of the traces before trusting results */
  public Set<String> traceWarnings() {
    Set<String> warnings = new LinkedHashSet<>();
    workload.traces().forEach(trace -> warnings.addAll(trace.warnings()));
    workload.externals().forEach(placed -> warnings.addAll(placed.data().warnings()));
    return warnings;
  }
}
