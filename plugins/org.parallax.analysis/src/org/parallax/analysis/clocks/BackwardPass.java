package org.parallax.analysis.clocks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.ArcKind;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.TimeOrder;
import org.parallax.trace.TimeMap;

/**
 * Finds by how much the events before each jump of the logical clocks can be moved forward. It is asked by a
 * replay with the times of the {@link ForwardPass}.
 *
 * <p>Memory: 1 KiB for each jump with limits in its {@link BackwardWindow}, and that of the groups under way.
 */
final class BackwardPass implements TimeOrder {
  private record Group(long key, long number) {}

  private static final class Members {
    /** Threads and times, in turn, of members that may be moved. */
    private final LongList moved = new LongList();
    private long leastEndNs = Long.MAX_VALUE;
    private int left;
  }

  private final ForwardPass forward;
  private final Map<Integer, Map<Integer, BackwardWindow>> windows = new HashMap<>();
  private final Map<Group, Members> groups = new HashMap<>();
  /** All have left it; the last one may have its end told. */
  private Members ended;
  private Group endedGroup;

  BackwardPass(ForwardPass forward) {
    this.forward = forward;
  }

  @Override
  public void begin(List<ThreadRecord> threads) {
    // The forward pass knows them.
  }

  @Override
  public long met(int thread, ArcKind kind, long cause, long causeNs, long endNs) {
    limit(Reference.thread(cause), causeNs, endNs);
    return endNs;
  }

  /** What a thread did at a time must not be moved after another. */
  private void limit(int thread, long ns, long latestNs) {
    int jump = jumpAfter(thread, ns);
    if (jump >= 0) {
      window(thread, jump).limit(ns, latestNs - ns - ForwardPass.MARGIN_NS);
    }
  }

  /** @return the jump in whose window a time is, or -1 */
  private int jumpAfter(int thread, long ns) {
    LogicalClock clock = forward.clock(thread);
    int low = 0;
    int high = clock.jumps();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (clock.beforeNs(middle) < ns) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < clock.jumps() && ns > beginNs(clock, low) ? low : -1;
  }

  private static long beginNs(LogicalClock clock, int jump) {
    long byNs = clock.afterNs(jump) - clock.beforeNs(jump);
    long beginNs = clock.beforeNs(jump) - LogicalClock.amortizedNs(byNs);
    return jump == 0 ? beginNs : Math.max(beginNs, clock.afterNs(jump - 1));
  }

  private BackwardWindow window(int thread, int jump) {
    return windows.computeIfAbsent(thread, missing -> new HashMap<>())
        .computeIfAbsent(jump, missing -> made(forward.clock(thread), jump));
  }

  private static BackwardWindow made(LogicalClock clock, int jump) {
    return new BackwardWindow(beginNs(clock, jump), clock.beforeNs(jump),
        clock.afterNs(jump) - clock.beforeNs(jump));
  }

  // -------------------------------------------------------------------- groups

  @Override
  public void contributed(int thread, long key, long number, int size, long ns) {
    end();
    Members members = groups.computeIfAbsent(new Group(key, number), missing -> new Members());
    if (jumpAfter(thread, ns) >= 0) {
      members.moved.add(thread);
      members.moved.add(ns);
    }
  }

  @Override
  public void metGroup(long key, long number, long endNs) {
    Group group = new Group(key, number);
    Members members = group.equals(endedGroup) ? ended : groups.get(group);
    if (members != null) {
      members.leastEndNs = Math.min(members.leastEndNs, endNs);
    }
  }

  @Override
  public void left(long key, long number, int size) {
    end();
    Group group = new Group(key, number);
    Members members = groups.get(group);
    if (members != null && ++members.left == size) {
      groups.remove(group);
      ended = members;
      endedGroup = group;
    }
  }

  /** No member may be moved after the first end of a call that needed others. */
  private void end() {
    if (ended != null && ended.leastEndNs < Long.MAX_VALUE) {
      for (long i = 0; i < ended.moved.size(); i += 2) {
        limit((int) ended.moved.get(i), ended.moved.get(i + 1), ended.leastEndNs);
      }
    }
    ended = null;
    endedGroup = null;
  }

  // ------------------------------------------------------------------- results

  /** The replay has ended. */
  void finish() {
    end();
    for (Members members : groups.values()) {
      ended = members;
      end();
    }
    groups.clear();
  }

  /** @return both corrections of a thread whose clock has jumped */
  TimeMap map(int thread) {
    LogicalClock clock = forward.clock(thread);
    Map<Integer, BackwardWindow> limited = windows.getOrDefault(thread, Map.of());
    Knots knots = new Knots();
    for (int jump = 0; jump < clock.jumps(); jump++) {
      BackwardWindow window = limited.get(jump);
      if (clock.beforeNs(jump) > beginNs(clock, jump)) {
        (window == null ? made(clock, jump) : window).addTo(knots);
      }
      knots.add(clock.afterNs(jump), clock.afterNs(jump));
    }
    return clock.map().then(knots.map());
  }
}
