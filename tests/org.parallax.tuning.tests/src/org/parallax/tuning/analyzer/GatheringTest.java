package org.parallax.tuning.analyzer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Windows over the lines of three processes, each of which makes ten visits in an interval of 100. */
class GatheringTest {
  private static final long INTERVAL = 100;
  private final List<TunedProcess> processes = List.of(process(1), process(2), process(3));
  private final List<String> windows = new ArrayList<>();
  private final Gathering gathering = new Gathering("sent", 20, true, INTERVAL, processes, false,
      (window, nowNs) -> windows.add((int) window.visits("sent") + " in " + window.lengthNs() + " at " + nowNs));

  private static TunedProcess process(long pid) {
    return new TunedProcess("here", pid, 0);
  }

  private void line(int process, long fromNs, long toNs) {
    gathering.measured(processes.get(process - 1), List.of(Map.of("point", "sent", "key", "", "count", 10)), fromNs, toNs);
  }

  private void round(long toNs) {
    for (int process = 1; process <= 3; process++) {
      line(process, toNs - INTERVAL, toNs);
    }
  }

  @Test
  void aWindowEndsWhenAllHaveToldOfTheSameTime() {
    gathering.restart(0);
    round(100);
    round(200);
    assertEquals(List.of("30 in 100 at 100", "30 in 100 at 200"), windows);
  }

  /** The second has no visits, so that nothing is heard of it. */
  @Test
  void aWindowEndsWithoutProcessesThatAreSilent() {
    gathering.restart(0);
    line(1, 0, 100);
    line(3, 0, 100);
    line(1, 100, 200);
    assertEquals(List.of("20 in 100 at 200"), windows);
  }

  /** The setting was switched after the lines of two of them had begun, and before that of the third. */
  @Test
  void aWindowBeginsWithAllProcesses() {
    gathering.restart(3);
    line(1, 1, 101);
    line(2, 2, 102);
    line(3, 3, 103);
    line(1, 101, 201);
    line(2, 102, 202);
    line(3, 103, 203);
    assertEquals(List.of("30 in 102 at 203"), windows);
  }

  /** A process without visits for long has a line that began before all others. */
  @Test
  void aLongLineDoesNotDelayTheOthers() {
    gathering.restart(1000);
    line(1, 1000, 1100);
    line(2, 300, 1100);
    line(3, 1000, 1100);
    line(1, 1100, 1200);
    assertEquals(List.of("20 in 100 at 1200"), windows);
  }

  /** Two lines are enough for a window; that of the third process, which began too early, makes it begin anew. */
  @Test
  void aWindowThatBeginsAnewIsNotFull() {
    gathering.restart(3);
    line(1, 3, 103);
    line(2, 3, 103);
    line(3, 1, 104);
    line(1, 103, 203);
    line(2, 103, 203);
    line(3, 104, 204);
    assertEquals(List.of("30 in 101 at 204"), windows);
  }
}
