package org.parallax.analysis.replay;

import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.trace.EventCursor;
import org.parallax.trace.ThreadTrace;

/**
 * The samples of a thread outside of calls ({@link SampleRule}), all at once, for those that read its events backward:
 * they are numbered from 0 in the order of time.
 *
 * <p>Memory: 20 bytes a sample, and 36 for each time without a processor.
 */
public final class ThreadSamples {
  private final LongList positions = new LongList();
  private final LongList times = new LongList();
  private final IntList paths = new IntList();
  // Of the few samples that do not speak for all time since the one before.
  private final LongList limited = new LongList();
  private final LongList sinces = new LongList();

  private final OffCpuTimes offCpu;

  /**
   * Collects samples while a thread's events are read for something else, too. It is told of each event with a call
   * path and each of the CPU time, in the order of time, with the CPU time since the thread's begin.
   */
  static final class Collector {
    private final EventCursor cursor;
    private final SampleRule rule;
    private final ThreadSamples samples;

    /** @param cursor at the events that are told of */
    Collector(ThreadTrace thread, EventCursor cursor, long beginNs) {
      this.cursor = cursor;
      rule = new SampleRule(thread);
      rule.begin(beginNs);
      samples = new ThreadSamples(rule.losses());
    }

    /** The thread enters a call within those that are open. */
    void entered(OpenCalls calls, long nowNs, long cpuNs) {
      rule.entered(cursor.operand(), calls.isEmpty(), nowNs, cpuNs);
    }

    /** The thread has left a call; the others are open. */
    void left(OpenCalls calls, long nowNs, long cpuNs) {
      rule.left(cursor.operand(), calls.isEmpty(), nowNs, cpuNs);
    }

    void sampled(OpenCalls calls, long nowNs, long cpuNs) {
      if (calls.isEmpty()) {
        rule.sampled(cursor.operand(), nowNs, cpuNs);
        samples.add(cursor.position(), nowNs, cursor.operand(), rule.sinceNs());
      } else {
        rule.sampledInCall(cursor.operand(), nowNs);
      }
    }

    /** @param fromNs the time of the event before */
    void lost(OpenCalls calls, long fromNs, long nowNs) {
      rule.lost(cursor, fromNs, nowNs, calls.isEmpty(), calls.isEmpty() ? 0 : calls.path());
    }

    /** @return the samples of all events, each of which was told */
    ThreadSamples end() {
      rule.end();
      return samples;
    }
  }

  private ThreadSamples(OffCpuTimes offCpu) {
    this.offCpu = offCpu;
  }

  static ThreadSamples of(ThreadTrace thread) {
    SampleScan scan = new SampleScan(thread);
    ThreadSamples samples = new ThreadSamples(scan.losses());
    while (scan.next()) {
      samples.add(scan.position(), scan.timeNs(), scan.path(), scan.sinceNs());
    }
    return samples;
  }

  private void add(long position, long timeNs, int path, long sinceNs) {
    if (sinceNs != SampleRule.SINCE_SAMPLE) {
      limited.add(paths.size());
      sinces.add(sinceNs);
    }
    positions.add(position);
    times.add(timeNs);
    paths.add(path);
  }

  /** @return the first sample after a position; one more than the last if there is none */
  public long after(long position) {
    return positions.firstAtLeast(position + 1);
  }

  /** @return whether the sample before the given one is at a position */
  public boolean isBefore(long sample, long position) {
    return sample > 0 && positions.get(sample - 1) == position;
  }

  /** @return when a sample was taken */
  public long timeNs(long sample) {
    return times.get(sample);
  }

  /** @return see {@link SampleRule#sinceNs} */
  public long sinceNs(long sample) {
    long limit = limited.firstAtLeast(sample);
    return limit < limited.size() && limited.get(limit) == sample
        ? sinces.get(limit) : SampleRule.SINCE_SAMPLE;
  }

  /** @return the first time without a processor that ends at a time or later; they are numbered from 0 */
  public long offCpuEndingAt(long timeNs) {
    return offCpu.firstEndingAt(timeNs);
  }

  /**
   * @return the time without a processor of which the event at a position tells; -1 if it tells of
   *     none
   */
  public long offCpuAt(long position) {
    long index = offCpu.firstAt(position);
    return index < offCpu.count() && offCpu.position(index) == position ? index : -1;
  }

  /** @return how many times without a processor there are, outside of routines */
  public long offCpuCount() {
    return offCpu.count();
  }

  public long offCpuBeginNs(long index) {
    return offCpu.beginNs(index);
  }

  public long offCpuEndNs(long index) {
    return offCpu.endNs(index);
  }

  /** @return from when on the thread could have run; {@link #offCpuEndNs} if it could not, or if it is not known */
  public long preemptedNs(long index) {
    return offCpu.preemptedNs(index);
  }

  /** @return the call path of a time without a processor, up to {@link #preemptedNs} */
  public int offCpuPath(long index) {
    return offCpu.path(index);
  }

  /** @return the call path of a time without a processor, from {@link #preemptedNs} on */
  public int preemptedPath(long index) {
    return offCpu.preemptedPath(index);
  }

  /** @return the call path of a sample; 0 for none */
  public int path(long sample) {
    return sample < paths.size() ? paths.get(sample) : 0;
  }
}
