package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.replay.Replay;
import org.parallax.analysis.replay.ReplaySetup;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.analysis.replay.WaitState;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Progress;

/**
 * The time that the threads of an application lost waiting for each other, as sums over what they
 * waited in, with what those who were waited for did meanwhile (wait states: Wolf and Mohr 2003;
 * their causes after Boehme, Geimer, Wolf and Arnold 2010).
 *
 * <p>The causes of a wait add up to it exactly: at each moment of it, the cause is what the thread
 * that was waited for did, or, while that one waited too, what the one did for which it waited, and
 * so on. {@code docs/wait-states.md} has the definitions.
 *
 * <p>Cost: a replay; then for each group of threads that waited for the same event, the events of
 * the one who caused it, since the first of them waited. 36 bytes for each wait while it is made,
 * and what is kept grows with the number of different {@link Place}s and {@link Cause}s only.
 */
public final class WaitStates {
  /**
   * Where time was lost.
   *
   * @param thread index in the replay
   * @param path call path of the call, in the thread's process; 0 for idle threads
   * @param detail number in the process of the lock, condition, semaphore, barrier or stream, or 0
   */
  public record Place(WaitState state, int thread, int path, int detail) {}

  /**
   * What others were waited for.
   *
   * @param thread index in the replay
   * @param path call path, in the thread's process; {@link #NOT_BEGUN} before its first event
   * @param indirect true if the thread that was waited for waited itself, for this one or for one
   *     that waited for it
   */
  public record Cause(int thread, int path, boolean indirect) {}

  /** The path of a cause before the first event of its thread. */
  public static final int NOT_BEGUN = ActivityWalker.NOT_BEGUN;

  /** The time lost at a place. */
  public static final class Loss {
    private long ns;
    private long count;
    private final Map<Cause, Long> causes = new LinkedHashMap<>();

    public long ns() {
      return ns;
    }

    /** @return how many waits */
    public long count() {
      return count;
    }

    /** @return nanoseconds by cause, which add up to {@link #ns}; empty for completion */
    public Map<Cause, Long> causes() {
      return Collections.unmodifiableMap(causes);
    }

    void add(long moreNs, long more) {
      ns += moreNs;
      count += more;
    }

    void cause(Cause cause, long causedNs) {
      causes.merge(cause, causedNs, Long::sum);
    }
  }

  private final Replay replay;
  private final Map<Place, Loss> losses = new LinkedHashMap<>();

  private WaitStates(Replay replay) {
    this.replay = replay;
  }

  /**
   * Finds the wait states of some processes, taken for one application.
   *
   * @param window outside of which no time counts
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static WaitStates of(List<ProcessTrace> processes, Window window, Progress progress) {
    Map<Place, Loss> losses = new LinkedHashMap<>();
    WaitCollector.Completions completions = (state, thread, path, beginNs, endNs) -> {
      long ns = window.overlapNs(beginNs, endNs);
      if (ns > 0) {
        losses.computeIfAbsent(new Place(state, thread, path, 0), k -> new Loss()).add(ns, 1);
      }
    };
    WaitCollector collector = new WaitCollector(completions);
    Replay replay = Replay.of(
        processes, new ReplaySetup(Weight.WALL, window, null), progress, collector);
    collector.end(replay.threads());
    List<ThreadWaits> waits = new ArrayList<>();
    for (ThreadRecord record : replay.threads()) {
      waits.add(collector.of(record.index()));
      IoWaits.tell(record, collector.of(record.index()), completions);
    }
    WaitStates states = new WaitStates(replay);
    states.losses.putAll(losses);
    new WaitCauses(replay.threads(), waits, window).tell((place, ns, count, causes) -> {
      Loss loss = states.losses.computeIfAbsent(place, k -> new Loss());
      loss.add(ns, count);
      causes.forEach((cause, caused) -> loss.cause(cause, caused[0]));
    }, progress);
    return states;
  }

  /** @return the replay, with the threads' metrics */
  public Replay replay() {
    return replay;
  }

  /** @return the time lost, by place */
  public Map<Place, Loss> losses() {
    return Collections.unmodifiableMap(losses);
  }
}
