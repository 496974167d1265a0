package org.parallax.analysis.reports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.Speedups;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.time.CallPathProfile;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Region;

/**
 * What the efficiency factors of one run are made of; {@code docs/efficiency.md} has the formulas.
 *
 * <p>Cost: the events three times, in a replay, a profile and a replay on an ideal network.
 */
final class Efficiency {
  /** Routines in which a process communicates with others. */
  private static final Set<Region.Group> COMMUNICATION =
      Set.of(Region.Group.MPI, Region.Group.PVM, Region.Group.STREAM);
  /** What takes no time on an ideal network, once who was waited for is there. */
  private static final List<ArcKind> TRANSFERS = List.of(ArcKind.MESSAGE, ArcKind.RENDEZVOUS,
      ArcKind.COLLECTIVE, ArcKind.STREAM, ArcKind.ROOM, ArcKind.WINDOW);

  /** One thread after another for which the run needs one processor. */
  private static final class Place {
    long endNs;
    long usefulNs;
  }

  private final String name;
  private final List<String> warnings;
  private final int processes;
  private int places;
  private final long elapsedNs;
  private long usefulNs;
  private long possibleNs;
  private long mostUsefulNs;
  private long outsideNs;
  private long mostOutsideNs;
  private final long idealNs;

  Efficiency(ApplicationAnalysis analysis, Progress progress) {
    name = analysis.name();
    Replay replay = analysis.replay(progress);
    List<CallPathProfile> profiles = analysis.profiles(progress);
    Map<ProcessTrace, boolean[]> useful = new HashMap<>();
    Map<ProcessTrace, List<Place>> byProcess = new LinkedHashMap<>();
    long beginNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    long pausedNs = Long.MAX_VALUE;
    List<ThreadRecord> byBegin = new ArrayList<>(replay.threads());
    byBegin.sort(Comparator.comparingLong(record -> record.thread().beginNs()));
    for (ThreadRecord record : byBegin) {
      beginNs = Math.min(beginNs, record.thread().beginNs());
      endNs = Math.max(endNs, record.thread().endNs());
      CallPathProfile profile = profiles.get(record.index());
      boolean[] isUseful = useful.computeIfAbsent(record.process(), Efficiency::useful);
      Place place = place(byProcess.computeIfAbsent(record.process(), k -> new ArrayList<>()),
          record);
      for (int path = 0; path < isUseful.length; path++) {
        place.usefulNs += isUseful[path] ? profile.cpuNs()[path] : 0;
        possibleNs += isUseful[path] ? profile.wallNs()[path] : 0;
      }
      if (record.thread().id() == 0) {
        long outside = outside(record.process(), profile);
        outsideNs += outside;
        mostOutsideNs = Math.max(mostOutsideNs, outside);
        pausedNs = Math.min(pausedNs, paused(record.process(), profile));
      }
    }
    for (List<Place> ofProcess : byProcess.values()) {
      places += ofProcess.size();
      for (Place place : ofProcess) {
        usefulNs += place.usefulNs;
        mostUsefulNs = Math.max(mostUsefulNs, place.usefulNs);
      }
    }
    processes = byProcess.size();
    elapsedNs = processes == 0 ? 0
        : analysis.window().overlapNs(beginNs, endNs) - (pausedNs == Long.MAX_VALUE ? 0 : pausedNs);
    Replay ideal = Replay.of(analysis.workload().processes(),
        analysis.setup(Weight.WALL).with(idealNetwork(useful.keySet())), progress);
    long longestNs = ideal.last() == null ? 0 : ideal.last().length();
    idealNs = Math.max(longestNs, mostUsefulNs);
    warnings = new ArrayList<>(replay.warnings());
    if (usefulNs > 0 && availability() < 0.9) {
      warnings.add(String.format(Locale.ROOT, "%s: outside of routines, threads had a processor for only "
          + "%.0f %% of the time: other threads used the processors, or they slept or waited in routines that "
          + "are not intercepted; the rest of this time is not useful", name, 100 * availability()));
    }
  }

  /** The place that has been free for longest, or a new one where all are taken. */
  private static Place place(List<Place> places, ThreadRecord record) {
    Place free = null;
    for (Place place : places) {
      if (place.endNs <= record.thread().beginNs() && (free == null || place.endNs < free.endNs)) {
        free = place;
      }
    }
    if (free == null) {
      free = new Place();
      places.add(free);
    }
    free.endNs = record.thread().endNs();
    return free;
  }

  /** @return for each call path whether its own time is outside of what coordinates threads */
  private static boolean[] useful(ProcessTrace process) {
    boolean[] useful = new boolean[process.callPaths().count()];
    for (int path = 0; path < useful.length; path++) {
      Region.Group group = group(process, path);
      useful[path] = !process.isPause(path) && (group == null || group == Region.Group.FILE || group == Region.Group.PHASE
          || group == Region.Group.AGENT);
    }
    return useful;
  }

  /** @return the group of the routine that is the leaf of a call path, null if it is none */
  private static Region.Group group(ProcessTrace process, int path) {
    CallPaths paths = process.callPaths();
    Region region = path > 0 && paths.kind(path) == CallPaths.REGION
        ? process.region((int) paths.value(path)) : null;
    return region == null ? null : region.group();
  }

  /** The time in which nothing was recorded. */
  private static long paused(ProcessTrace process, CallPathProfile profile) {
    long ns = 0;
    for (int path = 0; path < process.callPaths().definedCount(); path++) {
      ns += process.isPause(path) ? profile.wallNs()[path] : 0;
    }
    return ns;
  }

  private static long outside(ProcessTrace process, CallPathProfile profile) {
    long ns = 0;
    for (int path = 0; path < profile.wallNs().length; path++) {
      if (profile.wallNs()[path] > 0 && !process.isPause(path)
          && !COMMUNICATION.contains(groupOrUser(process, path))) {
        ns += profile.wallNs()[path];
      }
    }
    return ns;
  }

  private static Region.Group groupOrUser(ProcessTrace process, int path) {
    Region.Group group = group(process, path);
    return group == null ? Region.Group.USER : group;
  }

  /** What transfers take on an ideal network: nothing. */
  static Speedups idealNetwork(Set<ProcessTrace> processes) {
    Map<ProcessTrace, double[]> shares = new HashMap<>();
    for (ProcessTrace process : processes) {
      double[] own = new double[process.callPaths().count()];
      Arrays.setAll(own, path ->
          COMMUNICATION.contains(groupOrUser(process, path)) || process.isPause(path) ? 0 : 1);
      shares.put(process, own);
    }
    Map<ArcKind, Double> arcs = new HashMap<>();
    TRANSFERS.forEach(kind -> arcs.put(kind, 0.0));
    return new Speedups(shares, arcs);
  }

  private static double ratio(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }

  String name() {
    return name;
  }

  List<String> warnings() {
    return warnings;
  }

  long processes() {
    return processes;
  }

  /** @return for how many threads at a time processors are needed */
  long places() {
    return places;
  }

  boolean hasThreads() {
    return places > processes;
  }

  long elapsedNs() {
    return elapsedNs;
  }

  long usefulNs() {
    return usefulNs;
  }

  long mostUsefulNs() {
    return mostUsefulNs;
  }

  /** @return the time outside of what coordinates threads, with and without a processor */
  long possibleNs() {
    return possibleNs;
  }

  long idealNs() {
    return idealNs;
  }

  double parallel() {
    return ratio(usefulNs, (double) places * elapsedNs);
  }

  double loadBalance() {
    return ratio(usefulNs, (double) places * mostUsefulNs);
  }

  double communication() {
    return ratio(mostUsefulNs, elapsedNs);
  }

  double serialization() {
    return ratio(mostUsefulNs, idealNs);
  }

  double transfer() {
    return ratio(idealNs, elapsedNs);
  }

  double processParallel() {
    return ratio(outsideNs, (double) processes * elapsedNs);
  }

  double processLoadBalance() {
    return ratio(outsideNs, (double) processes * mostOutsideNs);
  }

  double processCommunication() {
    return ratio(mostOutsideNs, elapsedNs);
  }

  double threadParallel() {
    return ratio(parallel(), processParallel());
  }

  double threadLoadBalance() {
    return ratio(loadBalance(), processLoadBalance());
  }

  double threadCommunication() {
    return ratio(communication(), processCommunication());
  }

  /** @return the part of the time outside of what coordinates threads in which they had a processor */
  double availability() {
    return ratio(usefulNs, possibleNs);
  }

  /**
   * @param reference the run to which this one is compared
   * @param weak true if the problem grows with the number of places
   */
  double computationScaling(Efficiency reference, boolean weak) {
    return weak ? ratio((double) reference.usefulNs / reference.places,
        (double) usefulNs / places) : ratio(reference.usefulNs, usefulNs);
  }
}
