package org.parallax.analysis.clocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;
import org.parallax.trace.TimeMap;

/**
 * The controlled logical clock: corrects the times of threads so that no interaction ends before it
 * began. Messages, collectives, locks, and all else that a replay follows count.
 *
 * <p>Forward amortization (Rabenseifner, EuroMicro PDP 1997): where an effect would precede its cause, the
 * clock of its thread is put forward to the cause and the least latency, and then goes slower by 1/{@value
 * LogicalClock#RATE} until it agrees with the thread's own clock again. Backward amortization (Becker,
 * Rabenseifner, Wolf and Linford, Parallel Computing 35(12), 2009): the events before are moved forward, over
 * {@value LogicalClock#RATE} times the jump, by as much as what they caused allows. So the interval between two
 * events of a thread changes by a part in {@value LogicalClock#RATE}, except where that is not possible.
 *
 * <p>Events at the very time of a jump move with it, also those before it. If that leaves a violation, the repair is
 * repeated, at most {@value #MOST_ROUNDS} times in all.
 *
 * <p>Cost: one replay if nothing is to be repaired, else one and three for each repair. Memory: that of a replay, and some 50 to 2,000 bytes
 * for each jump.
 */
public final class ClockRepair {
  private static final int MOST_ROUNDS = 4;

  private final List<ProcessTrace> processes;
  private final ClockCheck before;
  private final ClockCheck after;
  private final long jumps;

  private ClockRepair(
      List<ProcessTrace> processes, ClockCheck before, ClockCheck after, long jumps) {
    this.processes = List.copyOf(processes);
    this.before = before;
    this.after = after;
    this.jumps = jumps;
  }

  /**
   * Repairs the times of some processes, taken for one application. Corrections that they have are taken back first.
   *
   * @param window in which an interaction ends, to count in {@link #before} and {@link #after}
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static ClockRepair of(List<ProcessTrace> processes, Window window, Progress progress) {
    List<ProcessTrace> recorded = processes.stream().map(process -> process.corrected(Map.of())).toList();
    ClockCheck all = ClockCheck.of(recorded, Window.ALL, progress);
    ClockCheck before = window == Window.ALL ? all : ClockCheck.of(recorded, window, progress);
    if (all.violations() == 0) {
      return new ClockRepair(recorded, before, before, 0);
    }
    List<ProcessTrace> repaired = recorded;
    ClockCheck left = all;
    long jumps = 0;
    for (int round = 0; round < MOST_ROUNDS && left.violations() > 0; round++) {
      ForwardPass forward = new ForwardPass(round == 0 ? all : (from, to, kind) -> 0);
      Replay.ordered(repaired, forward, progress);
      List<ThreadRecord> threads = Replay.threadsOf(repaired);
      BackwardPass backward = new BackwardPass(forward);
      Replay.ordered(corrected(repaired, threads, forward, null), backward, progress);
      backward.finish();
      repaired = corrected(repaired, threads, forward, backward);
      jumps += threads.stream().mapToLong(thread -> forward.clock(thread.index()).jumps()).sum();
      left = ClockCheck.of(repaired, Window.ALL, progress);
    }
    return new ClockRepair(repaired, before,
        window == Window.ALL ? left : ClockCheck.of(repaired, window, progress), jumps);
  }

  /**
   * Adds corrections to those that the threads have.
   *
   * @param backward null for the forward correction alone
   */
  private static List<ProcessTrace> corrected(List<ProcessTrace> processes, List<ThreadRecord> threads,
      ForwardPass forward, BackwardPass backward) {
    Map<ProcessTrace, Map<Integer, TimeMap>> corrections = new HashMap<>();
    for (ThreadRecord thread : threads) {
      TimeMap known = thread.thread().corrections();
      TimeMap added = !forward.clock(thread.index()).hasJumped() ? null
          : backward == null ? forward.clock(thread.index()).map() : backward.map(thread.index());
      if (known != null || added != null) {
        corrections.computeIfAbsent(thread.process(), missing -> new HashMap<>())
            .put(thread.thread().id(), known == null ? added : added == null ? known : known.then(added));
      }
    }
    List<ProcessTrace> corrected = new ArrayList<>();
    for (ProcessTrace process : processes) {
      corrected.add(process.corrected(corrections.getOrDefault(process, Map.of())));
    }
    return corrected;
  }

  /** @return the processes with corrected times, in the order in which they were given */
  public List<ProcessTrace> processes() {
    return processes;
  }

  /** @return what contradicted causality in the times as they were recorded */
  public ClockCheck before() {
    return before;
  }

  /** @return what still does */
  public ClockCheck after() {
    return after;
  }

  /** @return how often a clock was put forward */
  public long jumps() {
    return jumps;
  }

  /** @return by how much an event of the processes on this machine was moved at most */
  public long largestMoveNs(String host) {
    return processes.stream().filter(process -> process.host().equals(host))
        .flatMap(process -> process.threads().stream())
        .filter(thread -> thread.corrections() != null)
        .mapToLong(thread -> thread.corrections().largestMoveNs()).max().orElse(0);
  }
}
