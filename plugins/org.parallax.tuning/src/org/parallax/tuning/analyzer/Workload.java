package org.parallax.tuning.analyzer;

import java.util.HashMap;
import java.util.Map;
import org.parallax.tuning.formula.Measurements.Sum;

/** What the program does now, to tell when it does something else: mean sizes of points, processes, architectures. */
final class Workload {
  /** A change of less may be chance. */
  private static final double FACTOR = 1.5;

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

  boolean differs(Workload other) {
    return architectures != other.architectures || isFar(tasks, other.tasks) || means.keySet().stream()
        .anyMatch(point -> other.means.containsKey(point) && isFar(means.get(point), other.means.get(point)));
  }

  private static boolean isFar(double a, double b) {
    return Math.max(a, b) > FACTOR * Math.min(a, b);
  }
}
