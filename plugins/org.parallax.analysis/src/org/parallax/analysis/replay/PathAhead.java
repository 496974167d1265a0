package org.parallax.analysis.replay;

import org.parallax.trace.ThreadTrace;

/**
 * The call path to which the time of a thread outside of calls belongs while its events are read
 * forward, by the rule of {@link SampleScan}. Reads ahead with a cursor of its own, each event once.
 */
public final class PathAhead {
  private final SampleScan samples;
  private long samplePosition = -1;
  private int path;
  private long sinceNs = SampleScan.SINCE_SAMPLE;

  /** From the first event of the thread on; reads nothing yet. */
  public PathAhead(ThreadTrace thread) {
    samples = new SampleScan(thread);
  }

  /**
   * @param position of the event to which the time leads; not less than that of the call before
   * @return the path of the first sample outside of calls at the position or after it, else 0
   */
  public int at(long position) {
    while (samplePosition < position) {
      samples.losses().clear();
      if (samples.next()) {
        samplePosition = samples.position();
        path = samples.path();
        sinceNs = samples.sinceNs();
      } else {
        samplePosition = Long.MAX_VALUE;
        path = 0;
        sinceNs = SampleScan.SINCE_SAMPLE;
      }
    }
    return path;
  }

  /**
   * @param position as {@link #at} was asked for last, of an event that is not in a routine
   * @return when the thread lost the processor for which that event tells; {@link Long#MAX_VALUE} if
   *     it had one all the time
   */
  public long offCpuSinceNs(long position) {
    long loss = lossAt(position);
    return loss < 0 ? Long.MAX_VALUE : samples.losses().beginNs(loss);
  }

  /** @return from when on it could have used one; {@link Long#MAX_VALUE} if it could not, as far as is known */
  public long preemptedSinceNs(long position) {
    long loss = lossAt(position);
    return loss < 0 || samples.losses().preemptedNs(loss) == samples.losses().endNs(loss)
        ? Long.MAX_VALUE : samples.losses().preemptedNs(loss);
  }

  /** @return the call path of this time without a processor up to that, if there is any; else 0 */
  public int offCpuPath(long position) {
    long loss = lossAt(position);
    return loss < 0 ? 0 : samples.losses().path(loss);
  }

  /** @return the call path of the time after that, if there is any; else 0 */
  public int preemptedPath(long position) {
    long loss = lossAt(position);
    return loss < 0 ? 0 : samples.losses().preemptedPath(loss);
  }

  private long lossAt(long position) {
    OffCpuTimes losses = samples.losses();
    long loss = losses.firstAt(position);
    return loss < losses.count() && losses.position(loss) == position ? loss : -1;
  }

  /**
   * @return of the time outside of calls that leads to the position of the last {@link #at}, which
   *     part has that path: the one from this time on; no sample speaks for what is before
   */
  public long sinceNs() {
    return sinceNs;
  }
}
