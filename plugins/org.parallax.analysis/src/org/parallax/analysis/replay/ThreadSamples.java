package org.parallax.analysis.replay;

import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.LongList;
import org.parallax.trace.ThreadTrace;

/**
 * The samples of {@link SampleScan}, all at once, for those that read a thread's events backward:
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

  private OffCpuTimes offCpu;

  private ThreadSamples() {}

  static ThreadSamples of(ThreadTrace thread) {
    ThreadSamples samples = new ThreadSamples();
    SampleScan scan = new SampleScan(thread);
    while (scan.next()) {
      if (scan.sinceNs() != SampleScan.SINCE_SAMPLE) {
        samples.limited.add(samples.paths.size());
        samples.sinces.add(scan.sinceNs());
      }
      samples.positions.add(scan.position());
      samples.times.add(scan.timeNs());
      samples.paths.add(scan.path());
    }
    samples.offCpu = scan.losses();
    return samples;
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

  /** @return see {@link SampleScan#sinceNs} */
  public long sinceNs(long sample) {
    long limit = limited.firstAtLeast(sample);
    return limit < limited.size() && limited.get(limit) == sample
        ? sinces.get(limit) : SampleScan.SINCE_SAMPLE;
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
