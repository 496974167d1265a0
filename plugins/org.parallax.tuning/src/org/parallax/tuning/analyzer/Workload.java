package org.parallax.tuning.analyzer;

import java.util.HashMap;
import java.util.Map;
import org.parallax.tuning.formula.Measurements.Sum;

/** What the program does now, to tell when it does something else: mean sizes of points, processes, architectures. */
final class Workload {
  /** A change by less may be chance. */
  static final double FACTOR = 1.5;
  /** The same as a logarithm. */
  static final double FAR = Math.log(FACTOR);

  private final Map<String, Double> means = new HashMap<>();
  private final int tasks;
  private final int architectures;

  Workload(Window window, Iterable<String> points, World world) {
    for (String point : points) {
      double visits = window.visits(point);
      if (visits > 0) {
        means.put(point, window.sum(point, Sum.BYTES, 0, 0) / visits);
      }
    }
    tasks = world.processes().size();
    architectures = world.architectures();
  }

  /** @return whether the program does something else */
  boolean differs(Workload other) {
    return distance(other) > FAR;
  }

  /** @return the largest change of a mean size or of the number of processes, as a logarithm; infinite for other hosts */
  double distance(Workload other) {
    double largest = architectures != other.architectures ? Double.POSITIVE_INFINITY : change(tasks, other.tasks);
    for (Map.Entry<String, Double> mean : means.entrySet()) {
      if (other.means.containsKey(mean.getKey())) {
        largest = Math.max(largest, change(mean.getValue(), other.means.get(mean.getKey())));
      }
    }
    return largest;
  }

  /** From and to nothing is far. */
  private static double change(double a, double b) {
    return a == b ? 0 : Math.abs(Math.log(a / b));
  }
}
