package org.parallax.analysis.phases;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Phase;
import org.parallax.analysis.Scope;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.time.ActivityBins;
import org.parallax.analysis.time.TimeBins;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.Procedures;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Phases that the data suggest: parts of the time in which threads share their time among procedures
 * (intercepted routines, in which they wait, among them) in one way, where the part before and the
 * part after do it in another.
 *
 * <p>Of each of up to {@value #MOST_BINS} bins, none shorter than {@value #SAMPLES_IN_A_BIN} samples
 * of a thread are apart, the shares of the {@value #PROCEDURES} procedures with the most time are
 * taken, and that of the others together. {@link ChangePoints} divides their square roots, whose noise
 * does not depend on the share: at least what so many samples must have. The result is the same for
 * the same trace.
 */
public final class ProposedPhases {
  private static final int MOST_BINS = 240;
  private static final int SAMPLES_IN_A_BIN = 5;
  private static final int PROCEDURES = 12;
  /** Of the square root of a share. A change of less is none that is worth a phase. */
  private static final double LEAST_NOISE = 0.02;
  /** The part of the run that a phase has at least. */
  private static final double LEAST_PART = 0.02;
  private static final int LEAST_BINS = 3;

  private ProposedPhases() {}

  /**
   * Proposes phases; reads all events.
   *
   * @param node to whose threads they apply; null for all
   * @return in the order of time, without gaps; the names say what takes the most time, as
   *     {@code solve 62 %}
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static List<Phase> of(ApplicationAnalysis analysis, TreeNode node, Progress progress) {
    Scope scope = new Scope(analysis, node);
    List<ThreadTrace> threads = new ArrayList<>();
    for (ProcessTrace process : analysis.workload().processes()) {
      process.threads().stream().filter(thread -> thread.slotCount() > 0
          && !thread.isRuntimeThread()
          && scope.has(analysis.workload().thread(process, thread.id()))).forEach(threads::add);
    }
    if (threads.isEmpty()) {
      return List.of();
    }
    long beginNs = threads.stream().mapToLong(ThreadTrace::beginNs).min().orElse(0);
    long endNs = threads.stream().mapToLong(ThreadTrace::endNs).max().orElse(0);
    int hz = threads.stream().mapToInt(thread -> thread.process().sampleHz()).max().orElse(0);
    long fitting = hz == 0 ? MOST_BINS
        : (long) ((endNs - beginNs) / 1e9 * hz / SAMPLES_IN_A_BIN);
    TimeBins bins = new TimeBins(Window.ALL, beginNs, endNs,
        (int) Math.max(LEAST_BINS, Math.min(MOST_BINS, fitting)));
    ActivityBins activity = new ActivityBins(bins);
    progress.begin("Comparing times", threads.stream().mapToLong(ThreadTrace::slotCount).sum());
    Procedures procedures = analysis.procedures();
    for (ThreadTrace thread : threads) {
      int process = thread.process().index();
      activity.add(thread, path -> procedures.leaf(process, path), progress);
    }
    return phases(analysis, bins, activity.procedures(), hz);
  }

  private static long sum(long[] times, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += times[i];
    }
    return sum;
  }

  private static List<Phase> phases(ApplicationAnalysis analysis, TimeBins bins,
      Map<Integer, long[]> activity, int hz) {
    List<long[]> most = activity.entrySet().stream().sorted(
        Map.Entry.<Integer, long[]>comparingByValue(
            (a, b) -> Long.compare(sum(b, 0, b.length), sum(a, 0, a.length)))
            .thenComparing(Map.Entry.comparingByKey()))
        .limit(PROCEDURES).map(Map.Entry::getValue).toList();
    double[][] vectors = new double[bins.count()][most.size() + 1];
    for (int bin = 0; bin < bins.count(); bin++) {
      int at = bin;
      long all = activity.values().stream().mapToLong(times -> times[at]).sum();
      long rest = all;
      for (int i = 0; i < most.size() && all > 0; i++) {
        vectors[bin][i] = Math.sqrt((double) most.get(i)[bin] / all);
        rest -= most.get(i)[bin];
      }
      vectors[bin][most.size()] = all == 0 ? 0 : Math.sqrt((double) rest / all);
    }
    List<Integer> begins = ChangePoints.of(vectors, noise(bins, activity, hz),
        Math.max(LEAST_BINS, (int) Math.ceil(LEAST_PART * bins.count())));
    List<Phase> phases = new ArrayList<>();
    for (int i = 0; i < begins.size(); i++) {
      int from = begins.get(i);
      int to = i + 1 < begins.size() ? begins.get(i + 1) : bins.count();
      phases.add(new Phase(name(analysis, activity, from, to),
          new Window(bins.border(from), bins.border(to))));
    }
    return phases;
  }

  /** A share that n samples tell has a square root with a variance of at most 1 / 4n. */
  private static double noise(TimeBins bins, Map<Integer, long[]> activity, int hz) {
    double all = activity.values().stream().mapToLong(times -> sum(times, 0, times.length)).sum();
    double samples = all / 1e9 * hz / bins.count();
    return samples == 0 ? LEAST_NOISE : Math.max(LEAST_NOISE, Math.sqrt(1 / (4 * samples)));
  }

  private static String name(ApplicationAnalysis analysis, Map<Integer, long[]> activity, int from,
      int to) {
    int dominant = Procedures.NOT_SAMPLED;
    long most = -1;
    long all = 0;
    for (Map.Entry<Integer, long[]> procedure : activity.entrySet()) {
      long time = sum(procedure.getValue(), from, to);
      all += time;
      if (time > most || time == most && procedure.getKey() < dominant) {
        most = time;
        dominant = procedure.getKey();
      }
    }
    Procedure procedure = analysis.procedure(dominant);
    return String.format(Locale.ROOT, "%s %.0f %%",
        procedure == null ? "(not sampled)" : procedure.getName(),
        all == 0 ? 0 : 100.0 * most / all);
  }
}
