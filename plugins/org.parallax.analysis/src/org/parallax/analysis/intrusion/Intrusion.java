package org.parallax.analysis.intrusion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.parallax.analysis.replay.Speedups;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.model.program.Workload;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/** The intrusion of all threads of a workload. Immutable. */
public final class Intrusion {
  private final List<ThreadRecord> threads;
  private final List<ThreadIntrusion> ofThreads;
  private final Set<String> warnings = new LinkedHashSet<>();

  private Intrusion(List<ThreadRecord> threads, List<ThreadIntrusion> ofThreads) {
    this.threads = threads;
    this.ofThreads = ofThreads;
  }

  /**
   * Reads the events of all threads once.
   *
   * @param threads of the workload
   */
  public static Intrusion of(
      Workload workload, List<ThreadRecord> threads, Window window, Progress progress) {
    progress.begin("Measuring intrusion",
        threads.stream().mapToLong(record -> record.thread().slotCount()).sum());
    Map<ProcessTrace, MeasuringCosts> costs = new HashMap<>();
    for (int i = 0; i < workload.processes().size(); i++) {
      costs.put(workload.processes().get(i),
          MeasuringCosts.of(workload.application(i).getTrace().manifest()));
    }
    Set<ProcessTrace> begun = new HashSet<>();
    List<ThreadIntrusion> ofThreads = new ArrayList<>();
    for (ThreadRecord record : threads) {
      ofThreads.add(ThreadIntrusion.of(record.process(), record.thread(), begun.add(record.process()),
          costs.get(record.process()), window, progress));
    }
    Intrusion intrusion = new Intrusion(List.copyOf(threads), List.copyOf(ofThreads));
    for (Trace trace : workload.traces()) {
      intrusion.warn(trace);
    }
    return intrusion;
  }

  private void warn(Trace trace) {
    if (!MeasuringCosts.of(trace.manifest()).isCalibrated()) {
      warnings.add(trace + ": the costs of measuring were not calibrated in this run, so typical costs are used; "
          + "record again for the costs of your machine");
    }
    if (trace.processes().stream().map(ProcessTrace::host).distinct().count() > 1) {
      warnings.add(trace + ": the costs of measuring are those of " + trace.manifest().host()
          + "; other machines can have other costs");
    }
  }

  /** @return the intrusion of a thread by its index in the replay */
  public ThreadIntrusion of(ThreadRecord record) {
    return ofThreads.get(record.index());
  }

  /** @return what a person must know of the costs */
  public Set<String> warnings() {
    return warnings;
  }

  /**
   * The remaining share of the time of each call path without its intrusion.
   *
   * @param profiles of the threads, in their order
   * @param times which times the paths have: by the clock that weighs work
   */
  public Speedups removed(
      List<CallPathProfile> profiles, Function<CallPathProfile, long[]> times) {
    Map<ProcessTrace, double[]> within = new HashMap<>();
    Map<ProcessTrace, double[]> shares = new HashMap<>();
    for (int i = 0; i < profiles.size(); i++) {
      ProcessTrace process = threads.get(i).process();
      double[] sums = within.computeIfAbsent(process, p -> new double[p.callPaths().count()]);
      double[] time = shares.computeIfAbsent(process, p -> new double[p.callPaths().count()]);
      long[] ofThread = times.apply(profiles.get(i));
      for (int path = 0; path < sums.length; path++) {
        sums[path] += ofThreads.get(i).withinNs()[path];
        time[path] += ofThread[path];
      }
    }
    shares.forEach((process, time) -> {
      double[] sums = within.get(process);
      for (int path = 0; path < time.length; path++) {
        time[path] = time[path] <= 0 ? 1 : Math.max(0, 1 - sums[path] / time[path]);
      }
    });
    return new Speedups(shares, Map.of());
  }
}
