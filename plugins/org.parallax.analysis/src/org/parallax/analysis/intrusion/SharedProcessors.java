package org.parallax.analysis.intrusion;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.time.CallPathProfile;

/**
 * What the threads of a machine took of its processors. If they wait for a processor, each nanosecond of intrusion
 * delays all of them: the elapsed time grows as the time of the processors does.
 */
public final class SharedProcessors {
  /** The threads have this many times the processors that they could use, or more. */
  private static final double MOST_THREADS = 1.5;

  private double intrusionNs;
  private long cpuNs;
  private long waitedNs;
  private long longestNs;

  /**
   * Adds threads to their machines.
   *
   * @param profiles of the threads, in their order
   * @param machines by name
   */
  public static void add(List<ThreadRecord> threads, Intrusion intrusion, List<CallPathProfile> profiles,
      Map<String, SharedProcessors> machines) {
    for (ThreadRecord record : threads) {
      machines.computeIfAbsent(record.process().host(), host -> new SharedProcessors())
          .add(intrusion.of(record), profiles.get(record.index()));
    }
  }

  /** @return the machines of these threads, by name */
  public static Map<String, SharedProcessors> of(
      List<ThreadRecord> threads, Intrusion intrusion, List<CallPathProfile> profiles) {
    Map<String, SharedProcessors> machines = new HashMap<>();
    add(threads, intrusion, profiles, machines);
    return machines;
  }

  private void add(ThreadIntrusion intrusion, CallPathProfile profile) {
    intrusionNs += intrusion.totalNs();
    cpuNs += Arrays.stream(profile.cpuNs()).sum();
    waitedNs += Arrays.stream(intrusion.waitedNs()).sum();
    longestNs = Math.max(longestNs, Arrays.stream(profile.wallNs()).sum());
  }

  /** @return whether there were so many threads that the processors did nothing else */
  public boolean isOversubscribed() {
    return cpuNs > 0 && cpuNs + waitedNs >= MOST_THREADS * cpuNs;
  }

  /**
   * The share of the intrusion in the time that the processors gave, of the time of the longest thread.
   *
   * @return nanoseconds by which the run is longer; 0 if the processors were not oversubscribed
   */
  public double elapsedNs() {
    return isOversubscribed() ? longestNs * (intrusionNs / cpuNs) : 0;
  }
}
