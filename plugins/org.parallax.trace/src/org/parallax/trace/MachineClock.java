package org.parallax.trace;

import java.math.BigInteger;

/**
 * The conversion of a machine's ticks to nanoseconds since the start of the trace: linear and in
 * integers, so that it is monotone and sums of differences are exact.
 *
 * <pre>
 * timeNs(ticks) = floor((ticks - referenceTicks) * multiplier / 2^(64 - shift)) + offsetNs</pre>
 *
 * <p>Right within a nanosecond for 2^(63 - shift) ticks on either side of the reference, beyond
 * which the result is meaningless. The shift is 7 for clocks above 31 MHz: 208 days at 4 GHz.
 */
public final class MachineClock {
  /** Where ticks come from. */
  public enum Source {
    /** {@code CLOCK_MONOTONIC}: a tick is a nanosecond. */
    MONOTONIC,
    /** The invariant time stamp counter. */
    TSC
  }

  private static final BigInteger NS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);

  private final String host;
  private final Source source;
  private final boolean measured;
  private final double tickHz;
  private final long referenceTicks;
  private final long multiplier;
  private final int shift;
  private final long offsetNs;
  private final long referenceMonotonicNs;
  /** By the offsets to another machine's clock that were measured; null if none were. */
  private final TimeMap offsets;

  private MachineClock(String host, Source source, boolean measured, double tickHz, long referenceTicks,
      long multiplier, int shift, long offsetNs, long referenceMonotonicNs, TimeMap offsets) {
    this.offsets = offsets;
    this.host = host;
    this.source = source;
    this.measured = measured;
    this.tickHz = tickHz;
    this.referenceTicks = referenceTicks;
    this.multiplier = multiplier;
    this.shift = shift;
    this.offsetNs = offsetNs;
    this.referenceMonotonicNs = referenceMonotonicNs;
  }

  /**
   * A clock that advances {@code elapsedNs} in {@code elapsedTicks}; both positive.
   *
   * @param measured whether they were measured over this run, rather than by a short calibration
   * @param offsetNs the result for {@code referenceTicks}
   * @param referenceMonotonicNs what CLOCK_MONOTONIC showed then
   */
  static MachineClock of(String host, Source source, boolean measured, long elapsedTicks,
      long elapsedNs, long referenceTicks, long offsetNs, long referenceMonotonicNs) {
    double nsPerTick = (double) elapsedNs / elapsedTicks;
    // The multiplier must stay below 2^63; seven bits leave room for ticks up to 2^56.
    int shift = Math.max(7, 2 + Math.max(0, Math.getExponent(nsPerTick) + 1));
    BigInteger ticks = BigInteger.valueOf(elapsedTicks);
    long multiplier = BigInteger.valueOf(elapsedNs).shiftLeft(64 - shift)
        .add(ticks.shiftRight(1)).divide(ticks).longValueExact();
    double tickHz = NS_PER_SECOND.doubleValue() / nsPerTick;
    return new MachineClock(host, source, measured, tickHz, referenceTicks, multiplier, shift,
        offsetNs, referenceMonotonicNs, null);
  }

  /** The same clock, with results larger by {@code deltaNs}. */
  MachineClock movedBy(long deltaNs) {
    return new MachineClock(host, source, measured, tickHz, referenceTicks, multiplier, shift,
        offsetNs + deltaNs, referenceMonotonicNs, offsets == null ? null : offsets.movedBy(deltaNs));
  }

  /** The same clock with results that are corrected by measured offsets. */
  MachineClock with(TimeMap measuredOffsets) {
    return new MachineClock(host, source, measured, tickHz, referenceTicks, multiplier, shift, offsetNs,
        referenceMonotonicNs, measuredOffsets);
  }

  /** How the offsets to another machine's clock that were measured correct times; null if none were. */
  public TimeMap offsets() {
    return offsets;
  }

  /** The time without correction by measured offsets. */
  long unalignedNs(long monotonicNs) {
    return monotonicNs + offsetNs - referenceMonotonicNs;
  }

  /** How much later the same moment is on this time base than by the machine's CLOCK_MONOTONIC. */
  long fromMonotonicNs() {
    return offsetNs - referenceMonotonicNs + (offsets == null ? 0 : offsets.toNs(0) - offsets.fromNs(0));
  }

  /** Nanoseconds since the start of the trace. */
  public long timeNs(long ticks) {
    long ns = Math.multiplyHigh((ticks - referenceTicks) << shift, multiplier) + offsetNs;
    return offsets == null ? ns : offsets.at(ns);
  }

  /** The machine's host name. */
  public String host() {
    return host;
  }

  /** Where ticks come from. */
  public Source source() {
    return source;
  }

  /** Whether the rate was measured over this run, rather than by a calibration before it. */
  public boolean isMeasured() {
    return measured;
  }

  /** Ticks a second. */
  public double tickHz() {
    return tickHz;
  }

  /** The four numbers of the formula, in its order, for programs that convert ticks themselves; colons between them. */
  public String numbers() {
    return referenceTicks + ":" + multiplier + ":" + shift + ":" + offsetNs;
  }

  long referenceTicks() {
    return referenceTicks;
  }

  long multiplier() {
    return multiplier;
  }

  int shift() {
    return shift;
  }

  long offsetNs() {
    return offsetNs;
  }
}
