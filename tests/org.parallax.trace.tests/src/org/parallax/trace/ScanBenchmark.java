package org.parallax.trace;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * How fast a cursor moves: {@code ScanBenchmark TRACE [ROUNDS]} prints millions of slots and events
 * a second of one core's CPU time, for each round. Best seen over rounds, since the first ones also
 * compile and read the disk.
 */
final class ScanBenchmark {
  /** What a round saw. */
  record Round(long slots, long events, long sum, long cpuNs) {
    double slotsPerSecond() {
      return slots * 1e9 / cpuNs;
    }
  }

  private ScanBenchmark() {
  }

  /** Sums the times of all events; the sum keeps the work from being optimised away. */
  static Round scan(Trace trace) {
    long start = cpuNs();
    long slots = 0;
    long events = 0;
    long sum = 0;
    for (ProcessTrace process : trace.processes()) {
      for (ThreadTrace thread : process.threads()) {
        slots += thread.slotCount();
        EventCursor cursor = thread.cursor();
        while (cursor.next()) {
          sum += cursor.timeNs();
          events++;
        }
      }
    }
    return new Round(slots, events, sum, cpuNs() - start);
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      try (Trace trace = Trace.open(Path.of(arguments[0]))) {
        long openNs = System.nanoTime() - start;
        Round first = scan(trace);
        Round second = scan(trace);
        System.out.printf("open %.1f ms; first scan, with checksums: %.0f M slots/s; next: "
            + "%.0f M slots/s, %.0f M events/s (sum of times %d)%n", openNs / 1e6,
            first.slotsPerSecond() / 1e6, second.slotsPerSecond() / 1e6,
            second.events() * 1e3 / second.cpuNs(), second.sum());
      }
    }
  }
}
