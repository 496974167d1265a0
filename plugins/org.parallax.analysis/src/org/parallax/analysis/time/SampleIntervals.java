package org.parallax.analysis.time;

import org.parallax.analysis.internal.LongList;
import org.parallax.analysis.replay.PathReader;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.replay.Weight;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * The intervals between the samples of one thread, as they are and without the time in calls, which
 * are the weights of the samples (Szebenyi et al. 2011, section II.B.2 and Figure 3).
 *
 * <p>The effective intervals, the time in calls and the rest, for which no sample speaks, add up to the
 * time of the thread, on either clock: {@link #sumNs} is {@link #totalNs}, exactly. What the
 * thread's own CPU clock showed is {@link #measuredCpuNs}.
 */
public final class SampleIntervals {
  /** The times of one clock. */
  private static final class Clock {
    final LongList intervals = new LongList();
    final LongList effective = new LongList();
    long insideNs;
    long sampledNs;
    long totalNs;
    long sinceSampleNs;
    long effectiveNs;
    long restNs;

    /** @param unsampledNs the part of it that is outside of calls and for which no sample speaks */
    void advance(long ns, boolean inside, long unsampledNs) {
      totalNs += ns;
      sinceSampleNs += ns;
      if (inside) {
        insideNs += ns;
      } else {
        effectiveNs += ns - unsampledNs;
        restNs += unsampledNs;
      }
    }

    void sample() {
      intervals.add(sinceSampleNs);
      effective.add(effectiveNs);
      sampledNs += effectiveNs;
      sinceSampleNs = 0;
      effectiveNs = 0;
    }
  }

  private final Clock wall = new Clock();
  private final Clock cpu = new Clock();
  private long wallNs;
  private long measuredCpuNs;

  private SampleIntervals() {}

  /**
   * Reads the events of a thread once.
   *
   * @throws java.util.concurrent.CancellationException when the progress says so
   */
  public static SampleIntervals of(ThreadTrace thread, Progress progress) {
    SampleIntervals intervals = new SampleIntervals();
    intervals.read(new PathReader(thread, progress));
    return intervals;
  }

  private void read(PathReader reader) {
    EventCursor cursor = reader.cursor();
    long begin = 0;
    long cpuAtBegin = 0;
    long lastCpu = 0;
    long lastCpuTime = 0;
    int block = -1;
    while (reader.next()) {
      long time = reader.timeNs();
      if (block < 0) {
        begin = time;
        cpuAtBegin = cursor.blockCpuNs() + time - cursor.blockBaseNs();
      }
      if (cursor.block() != block) {
        block = cursor.block();
        lastCpu = cursor.blockCpuNs();
        lastCpuTime = cursor.blockBaseNs();
      }
      long passed = time - reader.fromNs();
      boolean inside = reader.isInCall();
      long unsampled = reader.splitNs() - reader.fromNs();
      wall.advance(passed, inside,
          reader.wallSplitNs() - reader.fromNs() + time - reader.offCpuNs());
      if (cursor.kind() == Kind.CPU) {
        long consumed = Math.max(0, passed - cursor.payload(1));
        cpu.advance(consumed, inside,
            Window.cpuUntil(reader.splitNs(), reader.fromNs(), time, cursor.payload(1)));
        lastCpu = cursor.payload(0);
        lastCpuTime = time;
      } else {
        cpu.advance(passed, inside, unsampled);
      }
      if (cursor.kind() == Kind.SAMPLE && !inside) {
        wall.sample();
        cpu.sample();
      }
    }
    wallNs = reader.timeNs() - begin;
    measuredCpuNs = lastCpu + reader.timeNs() - lastCpuTime - cpuAtBegin;
  }

  private Clock clock(Weight weight) {
    return weight == Weight.CPU ? cpu : wall;
  }

  /** @return the number of samples outside of calls, each of which ends an interval */
  public long count() {
    return wall.intervals.size();
  }

  /** @return from the sample before, or from the thread's begin, to the index-th */
  public long intervalNs(Weight weight, long index) {
    return clock(weight).intervals.get(index);
  }

  /** @return the same without the time in calls, and without that for which the sample does not speak */
  public long effectiveNs(Weight weight, long index) {
    return clock(weight).effective.get(index);
  }

  /** @return the sum of the effective intervals */
  public long sampledNs(Weight weight) {
    return clock(weight).sampledNs;
  }

  /** @return the time in calls, which is measured */
  public long insideNs(Weight weight) {
    return clock(weight).insideNs;
  }

  /** @return the time outside of calls for which no sample speaks, such as after the last one */
  public long restNs(Weight weight) {
    return clock(weight).restNs + clock(weight).effectiveNs;
  }

  /** @return the sum of the parts */
  public long sumNs(Weight weight) {
    return sampledNs(weight) + insideNs(weight) + restNs(weight);
  }

  /** @return the time from the thread's first to its last event, lost CPU time taken away for CPU */
  public long totalNs(Weight weight) {
    return weight == Weight.CPU ? cpu.totalNs : wallNs;
  }

  /** @return what the thread's CPU clock showed between its first and its last event */
  public long measuredCpuNs() {
    return measuredCpuNs;
  }
}
