package org.parallax.analysis.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.analysis.replay.CallNesting;
import org.parallax.analysis.replay.RandomProgram;
import org.parallax.analysis.replay.Reference;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadMetrics;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;

/**
 * Wait states of random programs: the time lost against the simulation that wrote the trace, the
 * metrics of the threads and the causes against an obvious slow search, which asks of each moment of
 * each wait anew what was done then.
 */
class RandomWaitsTest {
  private static final int PROGRAMS = 60;
  /** Outside of calls, whatever the next sample says. */
  private static final int OUTSIDE = 0;

  @TempDir Path directory;

  /** What a thread does from a time on. */
  private record Activity(long fromNs, int path) {}

  @Test
  void lossesAndCausesAreThoseOfTheSimulation() throws Exception {
    Map<WaitState, Long> all = new EnumMap<>(WaitState.class);
    long indirect = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      RandomProgram program = new RandomProgram(
          seed, directory.resolve("trace" + seed), 2 + (int) seed % 4, 60 + (int) seed * 4);
      String message = "seed " + seed;
      try (Trace trace = Trace.open(program.write())) {
        WaitStates states = WaitStates.of(trace.processes(), Window.ALL, Progress.NONE);
        Map<WaitState, Long> lost = lost(states);
        lost.forEach((state, ns) -> all.merge(state, ns, Long::sum));
        checkLosses(program, lost, message);
        checkMetrics(states, message);
        indirect += checkCauses(trace.processes(), states, message);
        checkWindows(trace, states, message);
      }
    }
    for (WaitState state : WaitState.values()) {
      boolean absent = switch (state) {
        case WAIT_AT_CONNECTION, WAIT_AT_FILE, EVENTFD_WAIT, QUEUE_WAIT, QUEUE_FULL, FILE_LOCK_CONTENTION, TIMER_WAIT,
            UNKNOWN_WAKER, LATE_PARTITION -> true;
        case INIT_FINALIZE, CONDITION_WAIT, FUTEX_WAIT, THREAD_BARRIER, JOIN_WAIT, TASK_WAIT, LATE_TASK, IDLE_THREAD,
            IDLE_AT_END, IO_WAIT, POLLING -> true;
        default -> false;
      };
      assertTrue(absent || all.containsKey(state), state + " is in none of the programs");
    }
    assertTrue(indirect > 0, "who is waited for waits too");
  }

  private static Map<WaitState, Long> lost(WaitStates states) {
    Map<WaitState, Long> lost = new EnumMap<>(WaitState.class);
    states.losses().forEach((place, loss) -> {
      assertTrue(loss.ns() > 0 && loss.count() > 0);
      lost.merge(place.state(), loss.ns(), Long::sum);
    });
    return lost;
  }

  private static void checkLosses(
      RandomProgram program, Map<WaitState, Long> found, String message) {
    Map<WaitState, Long> lost = new EnumMap<>(WaitState.class);
    found.forEach((state, ns) -> {
      if (state.isMetric()) {
        lost.merge(state == WaitState.LATE_SENDER_WRONG_ORDER ? WaitState.LATE_SENDER : state, ns,
            Long::sum);
      }
    });
    assertEquals(program.lost(), lost, message);
  }

  /** The wait states of a thread add up to its metrics, kind by kind. */
  private static void checkMetrics(WaitStates states, String message) {
    for (ThreadRecord record : states.replay().threads()) {
      ThreadMetrics sums = new ThreadMetrics();
      states.losses().forEach((place, loss) -> {
        if (place.thread() == record.index()) {
          switch (place.state()) {
            case LATE_SENDER, LATE_SENDER_WRONG_ORDER, LATE_PARTITION, LATE_RECEIVER ->
                sums.messageWaitNs += loss.ns();
            case EARLY_REDUCE, EARLY_SCAN, LATE_BROADCAST, WAIT_AT_BARRIER, WAIT_AT_NXN,
                INIT_FINALIZE -> sums.collectiveWaitNs += loss.ns();
            case WAIT_AT_FENCE -> sums.collectiveWaitNs += loss.ns();
            case LATE_POST, EARLY_WAIT, LATE_COMPLETE, WINDOW_LOCK_CONTENTION, WAIT_FOR_PROGRESS ->
                sums.windowWaitNs += loss.ns();
            case LOCK_CONTENTION, FILE_LOCK_CONTENTION -> sums.lockWaitNs += loss.ns();
            case CONDITION_WAIT -> sums.conditionWaitNs += loss.ns();
            case SEMAPHORE_WAIT -> sums.semaphoreWaitNs += loss.ns();
            case FUTEX_WAIT -> sums.futexWaitNs += loss.ns();
            case SIGNAL_WAIT -> sums.signalWaitNs += loss.ns();
            case EVENTFD_WAIT -> sums.eventWaitNs += loss.ns();
            case QUEUE_WAIT, QUEUE_FULL -> sums.queueWaitNs += loss.ns();
            case THREAD_BARRIER -> sums.barrierWaitNs += loss.ns();
            case JOIN_WAIT -> sums.joinWaitNs += loss.ns();
            case TASK_WAIT, LATE_TASK -> sums.taskWaitNs += loss.ns();
            case STREAM_WAIT, STREAM_FULL -> sums.streamWaitNs += loss.ns();
            case PROCESS_WAIT -> sums.processWaitNs += loss.ns();
            case IDLE_THREAD -> sums.taskWaitNs += loss.ns();
            case BARRIER_COMPLETION, NXN_COMPLETION, IDLE_AT_END, TIMER_WAIT, UNKNOWN_WAKER, IO_WAIT, POLLING -> { }
          }
        }
      });
      ThreadMetrics metrics = record.metrics();
      assertEquals(List.of(metrics.messageWaitNs, metrics.collectiveWaitNs, metrics.lockWaitNs,
          metrics.conditionWaitNs, metrics.semaphoreWaitNs, metrics.futexWaitNs, metrics.signalWaitNs,
          metrics.barrierWaitNs, metrics.joinWaitNs, metrics.taskWaitNs, metrics.streamWaitNs, metrics.processWaitNs,
          metrics.windowWaitNs),
          List.of(sums.messageWaitNs, sums.collectiveWaitNs, sums.lockWaitNs, sums.conditionWaitNs,
              sums.semaphoreWaitNs, sums.futexWaitNs, sums.signalWaitNs, sums.barrierWaitNs, sums.joinWaitNs,
              sums.taskWaitNs, sums.streamWaitNs, sums.processWaitNs, sums.windowWaitNs), message + ", thread " + record.index());
    }
  }

  // ----------------------------------------------------------------- the slow search

  /** @return nanoseconds with indirect causes */
  private static long checkCauses(
      List<ProcessTrace> processes, WaitStates states, String message) {
    WaitCollector waits = new WaitCollector((state, thread, path, beginNs, endNs) -> { });
    List<ThreadRecord> threads = Replay.of(
        processes, ReplaySetup.of(Weight.WALL), Progress.NONE, waits).threads();
    TreeSet<Long> moments = new TreeSet<>();
    List<List<Activity>> activities = new ArrayList<>();
    for (ThreadRecord record : threads) {
      List<Activity> own = activities(record);
      activities.add(own);
      own.forEach(activity -> moments.add(activity.fromNs));
      ThreadWaits ownWaits = waits.of(record.index());
      for (int wait = 0; wait < ownWaits.count(); wait++) {
        moments.add(ownWaits.beginNs(wait));
        moments.add(ownWaits.untilNs(wait));
      }
    }
    Map<WaitStates.Place, Map<WaitStates.Cause, Long>> expected = new HashMap<>();
    for (ThreadRecord record : threads) {
      ThreadWaits own = waits.of(record.index());
      for (int wait = 0; wait < own.count(); wait++) {
        if (own.isLoss(wait)) {
          Map<WaitStates.Cause, Long> causes = expected.computeIfAbsent(
              new WaitStates.Place(own.state(wait), record.index(), own.path(wait),
                  own.detail(wait)), k -> new HashMap<>());
          for (long at = own.beginNs(wait); at < own.untilNs(wait);) {
            long next = Math.min(own.untilNs(wait), moments.higher(at));
            causes.merge(cause(Reference.thread(own.cause(wait)), at, waits, activities),
                next - at, Long::sum);
            at = next;
          }
        }
      }
    }
    long indirect = 0;
    for (Map.Entry<WaitStates.Place, WaitStates.Loss> loss : states.losses().entrySet()) {
      if (loss.getKey().state().isMetric()) {
        Map<WaitStates.Cause, Long> found = new HashMap<>();
        loss.getValue().causes().forEach((cause, ns) -> found.merge(
            withoutSample(cause, threads), ns, Long::sum));
        assertEquals(expected.remove(loss.getKey()), found, message + ", " + loss.getKey());
        assertEquals(loss.getValue().ns(), sum(loss.getValue()), message);
        indirect += found.entrySet().stream().filter(cause -> cause.getKey().indirect())
            .mapToLong(Map.Entry::getValue).sum();
      }
    }
    assertEquals(Map.of(), expected, message);
    return indirect;
  }

  private static long sum(WaitStates.Loss loss) {
    return loss.causes().values().stream().mapToLong(ns -> ns).sum();
  }

  private static WaitStates.Cause cause(
      int thread, long at, WaitCollector waits, List<List<Activity>> activities) {
    int last = thread;
    boolean indirect = false;
    for (int next = waitsFor(last, at, waits); next >= 0; next = waitsFor(last, at, waits)) {
      last = next;
      indirect = true;
    }
    int path = WaitStates.NOT_BEGUN;
    for (Activity activity : activities.get(last)) {
      path = activity.fromNs <= at ? activity.path : path;
    }
    return new WaitStates.Cause(last, path, indirect);
  }

  /** @return the thread that a thread waits for at a time, or -1 */
  private static int waitsFor(int thread, long at, WaitCollector waits) {
    ThreadWaits own = waits.of(thread);
    for (int wait = 0; wait < own.count(); wait++) {
      if (own.beginNs(wait) <= at && at < own.untilNs(wait)) {
        return Reference.thread(own.cause(wait));
      }
    }
    return -1;
  }

  private static List<Activity> activities(ThreadRecord record) {
    int[] enclosing = CallNesting.enclosing(record.process());
    List<Activity> activities = new ArrayList<>();
    EventCursor cursor = record.thread().cursor();
    while (cursor.next()) {
      if (cursor.kind() == Kind.ENTER) {
        activities.add(new Activity(cursor.timeNs(), cursor.operand()));
      } else if (cursor.kind() == Kind.LEAVE) {
        activities.add(new Activity(cursor.timeNs(), enclosing[cursor.operand()]));
      } else if (activities.isEmpty()) {
        activities.add(new Activity(cursor.timeNs(), OUTSIDE));
      }
    }
    return activities;
  }

  /** Samples stand outside of calls; which one it is is tested with drawn cases. */
  private static WaitStates.Cause withoutSample(
      WaitStates.Cause cause, List<ThreadRecord> threads) {
    if (cause.path() <= 0) {
      return cause;
    }
    EventCursor cursor = threads.get(cause.thread()).thread().cursor();
    while (cursor.next()) {
      if (cursor.kind() == Kind.ENTER && cursor.operand() == cause.path()) {
        return cause;
      }
    }
    return new WaitStates.Cause(cause.thread(), OUTSIDE, cause.indirect());
  }

  /** What is lost in the parts of a run is what is lost in all of it. */
  private static void checkWindows(Trace trace, WaitStates whole, String message) {
    long middle = trace.durationNs() / 2;
    WaitStates first = WaitStates.of(
        trace.processes(), new Window(Long.MIN_VALUE, middle), Progress.NONE);
    WaitStates second = WaitStates.of(
        trace.processes(), new Window(middle, middle + middle / 3), Progress.NONE);
    WaitStates third = WaitStates.of(
        trace.processes(), new Window(middle + middle / 3, Long.MAX_VALUE), Progress.NONE);
    WaitStates around = WaitStates.of(trace.processes(), Window.union(new long[][] {
        {Long.MIN_VALUE, middle}, {middle + middle / 3, Long.MAX_VALUE}}), Progress.NONE);
    assertAddUp(whole, List.of(first, second, third), message);
    assertAddUp(whole, List.of(around, second), message);
  }

  private static void assertAddUp(WaitStates whole, List<WaitStates> parts, String message) {
    whole.losses().forEach((place, loss) -> {
      long ns = 0;
      Map<WaitStates.Cause, Long> causes = new HashMap<>();
      for (WaitStates part : parts) {
        WaitStates.Loss lost = part.losses().get(place);
        if (lost != null) {
          ns += lost.ns();
          lost.causes().forEach((cause, causedNs) -> causes.merge(cause, causedNs, Long::sum));
        }
      }
      assertEquals(loss.ns(), ns, message + ", " + place);
      assertEquals(loss.causes(), causes, message + ", " + place);
    });
  }
}
