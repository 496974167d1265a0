package org.parallax.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Aligns the clocks of machines by the offsets that processes have measured (ClockOffset records): linearly
 * between two measurements, and by the first or the last one outside. A machine whose offsets lead to one that is
 * aligned itself is aligned through it.
 */
final class MeasuredOffsets {
  /** Of measurements that are closer to each other, the one with the smallest error counts. */
  private static final long SAME_NS = 100_000_000L;

  private MeasuredOffsets() {}

  /**
   * Aligns clocks that give nanoseconds of CLOCK_REALTIME.
   *
   * @param clocks by any key
   * @return those that are aligned, by their key
   */
  static Map<String, MachineClock> align(Map<String, MachineClock> clocks, List<Definitions> processes) {
    Map<String, List<Definitions.ClockOffset>> offsets = new HashMap<>();
    for (Definitions process : processes) {
      for (Definitions.ClockOffset offset : process.clockOffsets) {
        if (!offset.otherHost().equals(process.process.host())) {
          offsets.computeIfAbsent(process.process.host(), missing -> new ArrayList<>()).add(offset);
        }
      }
    }
    Map<String, MachineClock> byHost = new HashMap<>();
    clocks.values().forEach(clock -> {
      if (!offsets.containsKey(clock.host())) {
        byHost.putIfAbsent(clock.host(), clock);
      }
    });
    Map<String, MachineClock> aligned = new LinkedHashMap<>();
    boolean more = true;
    while (more) {
      more = false;
      for (Map.Entry<String, MachineClock> entry : clocks.entrySet()) {
        MachineClock clock = entry.getValue();
        if (aligned.containsKey(entry.getKey()) || !offsets.containsKey(clock.host())) {
          continue;
        }
        TimeMap map = map(clock, offsets.get(clock.host()), byHost);
        if (map != null) {
          MachineClock better = clock.with(map);
          aligned.put(entry.getKey(), better);
          byHost.putIfAbsent(clock.host(), better);
          more = true;
        }
      }
    }
    return aligned;
  }

  private static TimeMap map(MachineClock clock, List<Definitions.ClockOffset> offsets, Map<String, MachineClock> byHost) {
    List<Definitions.ClockOffset> known = offsets.stream().filter(offset -> byHost.containsKey(offset.otherHost()))
        .sorted(Comparator.comparingLong(Definitions.ClockOffset::monotonicNs)).toList();
    long[] from = new long[known.size()];
    long[] to = new long[known.size()];
    long errorNs = 0;
    int count = 0;
    for (Definitions.ClockOffset offset : known) {
      MachineClock other = byHost.get(offset.otherHost());
      long otherNs = other.unalignedNs(offset.otherMonotonicNs());
      long toNs = other.offsets() == null ? otherNs : other.offsets().at(otherNs);
      long fromNs = clock.unalignedNs(offset.monotonicNs());
      boolean same = count > 0 && fromNs - from[count - 1] < SAME_NS;
      if (same && offset.errorNs() >= errorNs) {
        continue;
      }
      int at = same ? count - 1 : count;
      if (at > 0 && (toNs < to[at - 1] || fromNs <= from[at - 1])) {
        continue;  // Times must not go back: one of the two clocks was set.
      }
      from[at] = fromNs;
      to[at] = toNs;
      errorNs = offset.errorNs();
      count = at + 1;
    }
    return count == 0 ? null : TimeMap.of(Arrays.copyOf(from, count), Arrays.copyOf(to, count));
  }
}
