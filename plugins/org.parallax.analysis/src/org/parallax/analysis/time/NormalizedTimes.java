package org.parallax.analysis.time;

import java.util.ArrayList;
import java.util.List;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * The normalized time of call paths, threads and whatever is made of them: each nanosecond in which a
 * thread executes, divided by the number of threads that execute at that moment (Anderson and
 * Lazowska, "Quartz: A Tool for Tuning Parallel Program Performance", SIGMETRICS 1990, section 2). All
 * together is the time during which at least one thread executes.
 *
 * <p>A thread executes from its first event to its last, but for when it waits for another one (the
 * waiting proper of {@code ThreadReplay}, whether it spins or sleeps), is idle before it begins a
 * parallel region, and, by CPU time, when it has no processor: what an event tells that was lost since
 * the event before is taken to have been lost right before it.
 *
 * <p>Cost: a replay, then the events once more; O(log T) for each change of a thread between
 * executing and idle, with T threads, and for most events constant. Memory: 8 bytes for each such
 * change, beside what the replay takes.
 */
public final class NormalizedTimes {
  /** Changes of threads between executing and idle that are in memory with the clock's times. */
  private static final int CHANGES = 1 << 16;

  private final Replay replay;
  private final int shift;
  private final long busyNs;
  private final List<long[]> shares = new ArrayList<>();
  private final List<long[]> executingNs = new ArrayList<>();

  private NormalizedTimes(Replay replay, ShareClock clock, List<NormalizedWalk> walks) {
    this.replay = replay;
    shift = clock.shift();
    busyNs = clock.busyNs();
    for (NormalizedWalk walk : walks) {
      shares.add(walk.shares());
      executingNs.add(walk.executingNs());
    }
  }

  /**
   * Of all threads of some processes, each of which counts for the others.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static NormalizedTimes of(
      List<ProcessTrace> processes, Weight weight, Window window, Progress progress) {
    return of(processes, weight, window, CHANGES, progress);
  }

  static NormalizedTimes of(List<ProcessTrace> processes, Weight weight, Window window,
      int changes, Progress progress) {
    List<IdleTimes> idle = new ArrayList<>();
    Replay replay = Replay.idleOf(processes, weight, (thread, fromNs, toNs) -> {
      while (idle.size() <= thread) {
        idle.add(new IdleTimes());
      }
      idle.get(thread).add(fromNs, toNs);
    }, progress);
    List<ThreadRecord> threads = replay.threads();
    while (idle.size() < threads.size()) {
      idle.add(new IdleTimes());
    }
    idle.replaceAll(times -> times.andOutside(window));
    long[] beginNs = new long[threads.size()];
    long[] endNs = new long[threads.size()];
    long total = 0;
    for (int i = 0; i < beginNs.length; i++) {
      beginNs[i] = Math.max(window.beginNs(), threads.get(i).thread().beginNs());
      endNs[i] = Math.min(window.endNs(), threads.get(i).thread().endNs());
      total += threads.get(i).thread().slotCount();
    }
    ShareClock clock = new ShareClock(idle.toArray(IdleTimes[]::new), beginNs, endNs,
        changes);
    progress.begin("Normalizing", total);
    List<NormalizedWalk> walks = new ArrayList<>();
    for (int i = 0; i < beginNs.length; i++) {
      walks.add(new NormalizedWalk(
          threads.get(i), idle.get(i), beginNs[i], endNs[i], progress));
    }
    while (clock.next()) {
      walks.forEach(walk -> walk.follow(clock));
    }
    return new NormalizedTimes(replay, clock, walks);
  }

  /** @return the replayed threads */
  public List<ThreadRecord> threads() {
    return replay.threads();
  }

  /** @return the time during which at least one thread executes */
  public long busyNs() {
    return busyNs;
  }

  /** @return a unit of {@link #shares} is 2^-shift nanoseconds */
  public int shift() {
    return shift;
  }

  /**
   * @param thread index in {@link #threads}
   * @return its normalized times by call path, 0 for what no sample tells of, in units of
   *     2<sup>-{@link #shift}</sup> ns, each off by less than a unit for every time that it begins or
   *     ends; not to be changed
   */
  public long[] shares(int thread) {
    return shares.get(thread);
  }

  /** @return in the same way the nanoseconds in which the thread executed; not to be changed */
  public long[] executingNs(int thread) {
    return executingNs.get(thread);
  }

  /** @return what a person must know of how far waits are known */
  public List<String> warnings() {
    return replay.warnings();
  }
}
