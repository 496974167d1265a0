package org.parallax.analysis.waits;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.model.program.Procedures;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * What delays cost: the waits of a program, attributed to the work by which threads came late
 * (Boehme, Geimer, Wolf and Arnold, Identifying the Root Causes of Wait States in Large-Scale Parallel
 * Applications, ICPP 2010; the idea of comparing both sides is of Meira, LeBlanc and Poulos, Waiting
 * Time Analysis and Performance Visualization in Carnival, SPDT 1996).
 *
 * <p>For a wait of length w, both sides are compared from their {@link LastMeeting} to the begin of
 * the wait and to the event that ended it. A call path in which the late side spent more time is a
 * <em>delay</em>, by the excess. The waits of the late side in this time <em>propagate</em>. The wait is
 * divided among delays and propagated waits in proportion to their lengths: the part of a delay is its
 * <em>short-term</em> cost. The part of a propagated wait, and with it all that was passed on to this
 * wait by later ones, is passed on to that wait, where it is divided in the same way: there it is
 * <em>long-term</em> cost. Costs are whole nanoseconds; short-term, long-term and unexplained costs
 * add up to all waits exactly.
 *
 * <p>Differences from Scalasca: each state of {@link WaitState} that has a cause takes part, and
 * threads and processes as well as ranks; a meeting needs a wait; work outside of calls is known by
 * samples; for a thread, the time before its creation is that of its creator.
 *
 * <p>Cost: a replay and one more reading of the events; then for each wait the waits of both sides
 * since they met, and the pieces of work since then or, where these are more, the number of the
 * thread's call paths. 44 bytes are held for each wait and up to 24 for each piece of work.
 */
public final class DelayCosts {
  /**
   * Work by which a thread came late.
   *
   * @param thread index in the replay; {@link #UNEXPLAINED} for waits that no work explains
   * @param path call path, in the thread's process; {@link WaitStates#NOT_BEGUN} before its first event
   */
  public record Delay(int thread, int path) {}

  /**
   * A wait that was directly for a thread that came late.
   *
   * @param thread index in the replay of the thread that waited
   * @param path call path of the call, in the thread's process
   */
  public record Victim(WaitState state, int thread, int path) {}

  /** The thread of waits that are not explained. */
  public static final int UNEXPLAINED = -1;

  /** What a delay cost. */
  public static final class Cost {
    private long shortNs;
    private long longNs;
    private final Map<Victim, Long> victims = new LinkedHashMap<>();

    /** @return time lost in waits for the thread that was late */
    public long shortNs() {
      return shortNs;
    }

    /** @return time lost in waits for threads that came late as they had waited, in the end for this one */
    public long longNs() {
      return longNs;
    }

    /** @return both costs by the waits that were directly for this thread; they add up */
    public Map<Victim, Long> victims() {
      return Collections.unmodifiableMap(victims);
    }

    private void add(Victim victim, long directNs, long passedNs) {
      shortNs += directNs;
      longNs += passedNs;
      victims.merge(victim, directNs + passedNs, Long::sum);
    }
  }

  private final Replay replay;
  private final Map<Delay, Cost> costs = new LinkedHashMap<>();

  private DelayCosts(Replay replay) {
    this.replay = replay;
  }

  /**
   * Finds what delays cost some processes, taken for one application.
   *
   * @param procedures of the processes
   * @param window outside of which no waits count; delays count wherever they are
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static DelayCosts of(List<ProcessTrace> processes, Procedures procedures, Window window,
      Progress progress) {
    WaitCollector collector = new WaitCollector((state, thread, path, beginNs, endNs) -> { });
    Replay replay = Replay.of(
        processes, new ReplaySetup(Weight.WALL, window, null), progress, collector);
    collector.end(replay.threads());
    List<ThreadWaits> waits =
        replay.threads().stream().map(record -> collector.of(record.index())).toList();
    DelayCosts result = new DelayCosts(replay);
    new DelaySpread(replay.threads(), waits, new CommonPaths(processes, procedures), window,
        (delay, victim, directNs, passedNs) -> result.costs.computeIfAbsent(
            delay, unknown -> new Cost()).add(victim, directNs, passedNs)).spread(progress);
    return result;
  }

  /** @return the replay, with its warnings */
  public Replay replay() {
    return replay;
  }

  /** @return what each delay cost */
  public Map<Delay, Cost> costs() {
    return Collections.unmodifiableMap(costs);
  }
}
