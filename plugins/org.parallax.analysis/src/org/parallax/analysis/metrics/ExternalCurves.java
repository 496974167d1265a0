package org.parallax.analysis.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.table.Names;
import org.parallax.analysis.time.TimeBins;
import org.parallax.model.program.Application;
import org.parallax.model.program.ExternalData;
import org.parallax.model.program.Level;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.TreeNode;
import org.parallax.model.program.Workload.PlacedData;
import org.parallax.trace.series.ExternalMetric;

/**
 * Metrics that monitors measured, as curves of what they are about: a machine, an application, or a
 * process. Those of processes are added up to what the level asks for; what a machine does is never
 * said of an application, as others may have caused it.
 */
final class ExternalCurves {
  private static final double NS_PER_SECOND = 1e9;

  /**
   * A curve.
   *
   * @param name of what it is about, as {@link Names#where} would give it
   * @param parts that are added up; alike in kind and unit
   */
  record Curve(String name, List<ExternalMetric> parts) {
    boolean isCounter() {
      return parts.get(0).isCounter();
    }

    String unit() {
      return parts.get(0).unit();
    }

    /** @return in each bin the mean of a gauge or of a counter's growth in a second; NaN if unknown */
    double[] means(TimeBins bins) {
      double[] sums = new double[bins.count()];
      boolean[] known = new boolean[bins.count()];
      for (ExternalMetric part : parts) {
        Integrals integrals = Integrals.of(part, bins);
        for (int bin = 0; bin < sums.length; bin++) {
          if (integrals.knownNs[bin] > 0) {
            sums[bin] += integrals.levelNs[bin] / integrals.knownNs[bin];
            known[bin] = true;
          }
        }
      }
      for (int bin = 0; bin < sums.length; bin++) {
        sums[bin] = known[bin] ? sums[bin] : Double.NaN;
      }
      return sums;
    }

    /** @return of a gauge the mean, of a counter by how much it grew; NaN if nothing is known */
    double whole(TimeBins bin) {
      if (!isCounter()) {
        return means(bin)[0];
      }
      double sum = Double.NaN;
      for (ExternalMetric part : parts) {
        Integrals integrals = Integrals.of(part, bin);
        if (integrals.knownNs[0] > 0) {
          sum = (Double.isNaN(sum) ? 0 : sum) + integrals.levelNs[0] / NS_PER_SECOND;
        }
      }
      return sum;
    }
  }

  /** The level of a metric times the time for which it holds, in each bin, and that time. */
  private record Integrals(double[] levelNs, long[] knownNs) {
    static Integrals of(ExternalMetric metric, TimeBins bins) {
      Integrals sums = new Integrals(new double[bins.count()], new long[bins.count()]);
      metric.visit(bins.border(0), bins.border(bins.count()), (from, to, level) -> {
        for (int bin = bins.bin(from); bin < bins.count() && bins.border(bin) < to; bin++) {
          long ns = bins.insideNs(bin, from, to);
          sums.levelNs[bin] += level * ns;
          sums.knownNs[bin] += ns;
        }
      });
      return sums;
    }
  }

  private ExternalCurves() {}

  /** @return the metrics that there are, by name, each as its first monitor has it */
  static Map<String, ExternalMetric> metrics(List<PlacedData> externals) {
    Map<String, ExternalMetric> metrics = new LinkedHashMap<>();
    for (PlacedData placed : externals) {
      placed.series().metrics().forEach(metric -> metrics.putIfAbsent(metric.name(), metric));
    }
    return metrics;
  }

  /**
   * @param metric its name
   * @param level to which processes are added up
   * @param node to which it is limited; null for all
   */
  static List<Curve> of(List<PlacedData> externals, String metric, Level level, TreeNode node) {
    Map<String, Curve> curves = new LinkedHashMap<>();
    Map<String, List<ProgramProcess>> taken = new LinkedHashMap<>();
    for (PlacedData placed : externals) {
      for (ExternalMetric each : placed.series().metrics()) {
        if (each.name().equals(metric) && isBelow(placed.data(), node)) {
          ProgramProcess process = placed.data().getProcess();
          String name = name(placed.data(), level);
          Curve curve = curves.get(name);
          boolean joins = curve != null && process != null && !taken.get(name).contains(process)
              && !taken.get(name).contains(null) && curve.isCounter() == each.isCounter()
              && curve.unit().equals(each.unit());
          if (curve != null && !joins) {
            name += " (" + placed.data().getName() + ")";
          }
          curves.computeIfAbsent(name, key -> new Curve(key, new ArrayList<>())).parts.add(each);
          taken.computeIfAbsent(name, key -> new ArrayList<>()).add(process);
        }
      }
    }
    return List.copyOf(curves.values());
  }

  /** @return true if what the data are about is the node's, or below it */
  static boolean isBelow(ExternalData data, TreeNode node) {
    if (node == null || node.level() == Level.WORKLOAD) {
      return true;
    }
    if (node.members().size() > 1) {
      return node.members().stream().anyMatch(member -> isBelow(data, member));
    }
    ProgramProcess process = data.getProcess();
    return switch (node.level()) {
      case APPLICATION -> data.getMachine() != null || node.object() == data.getApplication()
          || process != null && node.object() == process.getApplication();
      case MACHINE -> node.object() == data.getMachine()
          || process != null && node.object() == process.getMachine();
      case PROCESS -> node.object() == process;
      default -> node.object() == data;
    };
  }

  static String name(ExternalData data, Level level) {
    ProgramProcess process = data.getProcess();
    Application application = data.getApplication();
    if (process != null) {
      Level shown = level == Level.THREAD || level == Level.PROCEDURE ? Level.PROCESS : level;
      return process.getThreads().isEmpty() ? process.getName()
          : Names.where(process.getThreads().get(0), shown);
    }
    return application != null ? application.getName()
        : data.getMachine() != null ? data.getMachine().getHost()
        : data.getSeries().subject().toString();
  }
}
