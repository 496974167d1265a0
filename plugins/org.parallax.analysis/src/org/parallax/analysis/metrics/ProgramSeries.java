package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.time.ThreadTimes;
import org.parallax.analysis.time.TimeBins;
import org.parallax.trace.Metric;
import org.parallax.trace.ProcessTrace;

/**
 * A metric that programs measure themselves, over time. A process has one value at a time, whichever
 * of its threads set it last; those of several processes are added up.
 */
final class ProgramSeries {
  private record Value(long timeNs, double value, long whole) {}

  private ProgramSeries() {}

  /**
   * Of a gauge the mean over each bin, from when it was first set; of a counter by how much it grew
   * in each bin, from 0 on.
   *
   * @return Long for counters of integers, else Double
   */
  static List<Object> of(String name, List<ThreadTimes> threads, TimeBins bins) {
    Map<ProcessTrace, List<ThreadTimes>> processes = new LinkedHashMap<>();
    threads.forEach(thread -> processes.computeIfAbsent(thread.process(), each -> new ArrayList<>())
        .add(thread));
    double[] sums = new double[bins.count()];
    long[] wholes = new long[bins.count()];
    boolean isWhole = false;
    for (Map.Entry<ProcessTrace, List<ThreadTimes>> process : processes.entrySet()) {
      Metric metric = metric(process.getKey(), name);
      if (metric == null) {
        continue;
      }
      List<Value> values = values(metric, process.getValue());
      if (metric.isCounter()) {
        isWhole |= !metric.isDouble();
        grow(values, bins, sums, wholes);
      } else {
        hold(values, process.getValue(), bins, sums);
      }
    }
    List<Object> series = new ArrayList<>();
    for (int bin = 0; bin < bins.count(); bin++) {
      series.add(isWhole ? (Object) wholes[bin] : (Object) sums[bin]);
    }
    return series;
  }

  private static Metric metric(ProcessTrace process, String name) {
    for (int id = 1; id < process.metricCount(); id++) {
      if (process.metric(id) != null && process.metric(id).name().equals(name)) {
        return process.metric(id);
      }
    }
    return null;
  }

  private static List<Value> values(Metric metric, Collection<ThreadTimes> threads) {
    List<Value> values = new ArrayList<>();
    for (ThreadTimes thread : threads) {
      ThreadTimes.Values set = thread.values().get(metric.id());
      for (long i = 0; set != null && i < set.count(); i++) {
        long bits = set.bits(i);
        double value = metric.value(bits & 0xffffffffL, bits >>> 32);
        values.add(new Value(set.timeNs(i), value, metric.isDouble() ? 0 : bits));
      }
    }
    if (threads.size() > 1) {
      values.sort((a, b) -> Long.compare(a.timeNs, b.timeNs));
    }
    return values;
  }

  /** Threads that set a total at the same time can tell a smaller one last: that is no growth. */
  private static void grow(List<Value> values, TimeBins bins, double[] sums, long[] wholes) {
    double most = 0;
    long mostWhole = 0;
    for (Value value : values) {
      int bin = bins.binInside(value.timeNs);
      if (bin >= 0) {
        sums[bin] += Math.max(0, value.value - most);
        wholes[bin] += Math.max(0, value.whole - mostWhole);
      }
      most = Math.max(most, value.value);
      mostWhole = Math.max(mostWhole, value.whole);
    }
  }

  private static void hold(List<Value> values, List<ThreadTimes> threads, TimeBins bins,
      double[] sums) {
    double[] integrals = new double[bins.count()];
    long[] known = new long[bins.count()];
    long endNs = threads.stream().mapToLong(thread -> thread.thread().endNs()).max().orElse(0);
    for (int i = 0; i < values.size(); i++) {
      Value value = values.get(i);
      long until = i + 1 < values.size() ? values.get(i + 1).timeNs : endNs;
      for (int bin = bins.bin(value.timeNs);
          bin < bins.count() && bins.border(bin) < until; bin++) {
        long held = bins.insideNs(bin, value.timeNs, until);
        integrals[bin] += value.value * held;
        known[bin] += held;
      }
    }
    for (int bin = 0; bin < integrals.length; bin++) {
      sums[bin] += known[bin] == 0 ? 0 : integrals[bin] / known[bin];
    }
  }
}
