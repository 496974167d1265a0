package org.parallax.analysis.clocks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.KeyMap;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.TimeOrder;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * How many interactions of all kinds seem to end before they began, and what messages tell of the
 * clocks of machines.
 *
 * <p>Cost: a replay, and constant time for each interaction. Memory: 200 bytes for each pair of machines that interact.
 */
public final class ClockCheck implements Latencies {
  /** The run is divided into so many parts, in each of which the shortest message counts. */
  private static final int PARTS = 16;
  /** What the fastest networks need. */
  private static final long MOST_LATENCY_NS = 1_000;
  private static final long NONE = Long.MAX_VALUE;
  private static final double NS_PER_SECOND = 1e9;

  /** What went from one machine to another, or within one. */
  private static final class Direction {
    private long interactions;
    private long violations;
    private long largestNs;
    private long shortestNs = NONE;
    /** Of messages, by part of the run. */
    private final long[] shortestOfNs = new long[PARTS];
    private final long[] atNs = new long[PARTS];

    Direction() {
      Arrays.fill(shortestOfNs, NONE);
    }
  }

  /**
   * How fast one clock gains on another.
   *
   * @param nsPerSecond positive if the second machine's clock is faster
   * @param within the largest error, which follows from the messages' times
   */
  public record Drift(double nsPerSecond, double within) {}

  private final Window window;
  private final Map<String, Integer> machines = new HashMap<>();
  private int[] machineOf = {};
  private final KeyMap numbers = new KeyMap();
  private final List<Direction> directions = new ArrayList<>();
  private long beginNs = Long.MAX_VALUE;
  private long endNs = Long.MIN_VALUE;

  private ClockCheck(Window window) {
    this.window = window;
  }

  /**
   * Checks the times of some processes, taken for one application.
   *
   * @param window in which an interaction ends, to count
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static ClockCheck of(List<ProcessTrace> processes, Window window, Progress progress) {
    ClockCheck check = new ClockCheck(window);
    Replay.ordered(processes, check.new Order(), progress);
    return check;
  }

  private final class Order implements TimeOrder {
    @Override
    public void begin(List<ThreadRecord> threads) {
      machineOf = new int[threads.size()];
      for (ThreadRecord thread : threads) {
        machineOf[thread.index()] = machines.computeIfAbsent(thread.process().host(), missing -> machines.size());
        beginNs = Math.min(beginNs, thread.thread().beginNs());
        endNs = Math.max(endNs, thread.thread().endNs());
      }
    }

    @Override
    public long met(int thread, ArcKind kind, long cause, long causeNs, long callEndNs) {
      if (window.contains(callEndNs)) {
        add(direction(machineOf[Reference.thread(cause)], machineOf[thread]), kind, causeNs, callEndNs);
      }
      return callEndNs;
    }
  }

  private Direction direction(int from, int to) {
    int number = numbers.get(from, to);
    if (number < 0) {
      number = directions.size();
      numbers.add(from, to, number);
      directions.add(new Direction());
    }
    return directions.get(number);
  }

  private void add(Direction direction, ArcKind kind, long causeNs, long callEndNs) {
    long tookNs = callEndNs - causeNs;
    direction.interactions++;
    direction.shortestNs = Math.min(direction.shortestNs, tookNs);
    if (tookNs < 0) {
      direction.violations++;
      direction.largestNs = Math.max(direction.largestNs, -tookNs);
    }
    if (kind == ArcKind.MESSAGE || kind == ArcKind.STREAM) {
      int part = (int) Math.max(0, Math.min(PARTS - 1,
          (double) (callEndNs - beginNs) / (endNs - beginNs + 1) * PARTS));
      if (tookNs < direction.shortestOfNs[part]) {
        direction.shortestOfNs[part] = tookNs;
        direction.atNs[part] = callEndNs;
      }
    }
  }

  // ------------------------------------------------------------------- results

  /** Machines between which there are interactions, or one and the same; the first name is not after the second. */
  public record Pair(String first, String second) {}

  /** @return the pairs of machines, in no order */
  public List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (String first : machines.keySet()) {
      for (String second : machines.keySet()) {
        if (first.compareTo(second) <= 0 && interactions(first, second) > 0) {
          pairs.add(new Pair(first, second));
        }
      }
    }
    return pairs;
  }

  /** @return interactions of both directions between two machines, or within one */
  public long interactions(String first, String second) {
    return sum(first, second, false);
  }

  /** @return how many of them end before they began */
  public long violations(String first, String second) {
    return sum(first, second, true);
  }

  private long sum(String first, String second, boolean violations) {
    long sum = 0;
    for (Direction direction : both(first, second)) {
      sum += violations ? direction.violations : direction.interactions;
    }
    return sum;
  }

  /** @return by how much, at most; 0 if none does */
  public long largestNs(String first, String second) {
    return both(first, second).stream().mapToLong(direction -> direction.largestNs).max().orElse(0);
  }

  /** @return how many interactions of all machines end before they began */
  public long violations() {
    return directions.stream().mapToLong(direction -> direction.violations).sum();
  }

  /** @return how many interactions there are */
  public long interactions() {
    return directions.stream().mapToLong(direction -> direction.interactions).sum();
  }

  /** @return by how much one does, at most */
  public long largestNs() {
    return directions.stream().mapToLong(direction -> direction.largestNs).max().orElse(0);
  }

  private List<Direction> both(String first, String second) {
    List<Direction> found = new ArrayList<>();
    Direction there = known(first, second);
    Direction back = first.equals(second) ? null : known(second, first);
    if (there != null) {
      found.add(there);
    }
    if (back != null) {
      found.add(back);
    }
    return found;
  }

  private Direction known(String from, String to) {
    Integer first = machines.get(from);
    Integer second = machines.get(to);
    int number = first == null || second == null ? -1 : numbers.get(first, second);
    return number < 0 ? null : directions.get(number);
  }

  /**
   * How the clocks of two machines drift: by the shortest messages in the first and in the last
   * sixteenth of the run in which there are messages in both directions.
   *
   * @return null if it is not known
   */
  public Drift drift(String first, String second) {
    Direction there = known(first, second);
    Direction back = known(second, first);
    if (there == null || back == null || there == back) {
      return null;
    }
    int begin = 0;
    int end = PARTS - 1;
    while (begin < end && isUnknown(there, back, begin)) {
      begin++;
    }
    while (end > begin && isUnknown(there, back, end)) {
      end--;
    }
    long passedNs = begin == end ? 0 : atNs(there, back, end) - atNs(there, back, begin);
    if (passedNs <= 0) {
      return null;
    }
    double rate = (aheadNs(there, back, end) - aheadNs(there, back, begin)) / passedNs;
    double error = errorNs(there, back, end, rate) + errorNs(there, back, begin, rate);
    return error < 0 ? null : new Drift(rate * NS_PER_SECOND, error * NS_PER_SECOND / passedNs);
  }

  private static boolean isUnknown(Direction there, Direction back, int part) {
    return there.shortestOfNs[part] == NONE || back.shortestOfNs[part] == NONE;
  }

  /** How far the second clock is ahead midway between the two messages. */
  private static double aheadNs(Direction there, Direction back, int part) {
    return (there.shortestOfNs[part] - back.shortestOfNs[part]) / 2.0;
  }

  /** Half of what the two messages took, without the drift between them. */
  private static double errorNs(Direction there, Direction back, int part, double rate) {
    return (there.shortestOfNs[part] + back.shortestOfNs[part] + rate * (back.atNs[part] - there.atNs[part])) / 2;
  }

  private static long atNs(Direction there, Direction back, int part) {
    return there.atNs[part] / 2 + back.atNs[part] / 2;
  }

  /**
   * Within a machine nothing takes time. Between two, an interaction takes at least a quarter of the
   * shortest one there and the shortest back: half of it each way, and half of that as it
   * can be faster one way. As the shortest ones may have waited for their receivers, a microsecond is enough.
   */
  @Override
  public long leastNs(int from, int to, ArcKind kind) {
    int first = machineOf[from];
    int second = machineOf[to];
    int there = first == second ? -1 : numbers.get(first, second);
    int back = first == second ? -1 : numbers.get(second, first);
    if (there < 0 || back < 0) {
      return 0;
    }
    long thereNs = directions.get(there).shortestNs;
    long backNs = directions.get(back).shortestNs;
    return thereNs == NONE || backNs == NONE ? 0 : Math.max(0, Math.min(MOST_LATENCY_NS, (thereNs + backNs) / 4));
  }
}
