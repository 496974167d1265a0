package org.parallax.tuning.analyzer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.parallax.tuning.formula.Measurements;

/** What formulas of a model see: a window, its processes and the world. */
final class View implements Measurements {
  private final Window window;
  private final List<TunedProcess> processes;
  private final World world;
  private final Map<String, String> wireNames;
  private final Map<String, Double> otherwise;
  /** What formulas are for each process. */
  private final Map<String, double[]> own;
  private final int place;

  /**
   * @param wireNames the names of points on the lines, by those in the model
   * @param otherwise states while nothing is known
   */
  View(Window window, List<TunedProcess> processes, World world, Map<String, String> wireNames,
      Map<String, Double> otherwise) {
    this(window, processes, world, wireNames, otherwise, new HashMap<>(), -1);
  }

  private View(Window window, List<TunedProcess> processes, World world, Map<String, String> wireNames,
      Map<String, Double> otherwise, Map<String, double[]> own, int place) {
    this.window = window;
    this.processes = processes;
    this.world = world;
    this.wireNames = wireNames;
    this.otherwise = otherwise;
    this.own = own;
    this.place = place;
  }

  /** @return what formulas see of one of the processes, by its place among them */
  View of(int place) {
    TunedProcess process = processes.get(place);
    return new View(window.of(process), List.of(process), world, wireNames, otherwise, own, place);
  }

  /** Formulas have these values in the processes. */
  void setOwn(String name, double[] values) {
    own.put(name, values);
  }

  List<TunedProcess> all() {
    return processes;
  }

  @Override
  public double[] own(String name) {
    return own.getOrDefault(name, new double[0]);
  }

  @Override
  public int place() {
    return place;
  }

  @Override
  public double sum(String point, Sum sum, double from, double to) {
    return window.sum(wireNames.get(point), sum, from, to);
  }

  @Override
  public double quantile(String point, double share) {
    return window.quantile(wireNames.get(point), share);
  }

  @Override
  public double elapsedSeconds() {
    return window.lengthNs() / 1e9;
  }

  @Override
  public int processes() {
    return processes.size();
  }

  @Override
  public int tasks() {
    return world.processes().size();
  }

  @Override
  public int hosts() {
    return world.hosts();
  }

  @Override
  public int architectures() {
    return world.architectures();
  }

  @Override
  public int sharedMemoryHosts() {
    return world.sharedMemoryHosts();
  }

  /** Of several processes the smallest number, as the one that an action still can change. */
  @Override
  public Object state(String name) {
    return processes.stream().map(process -> process.states().get(name)).filter(Objects::nonNull)
        .min((a, b) -> a instanceof Number x && b instanceof Number y ? Double.compare(x.doubleValue(), y.doubleValue()) : 0)
        .orElse(otherwise.get(name));
  }

  @Override
  public Object variable(String name, String field) {
    for (TunedProcess process : processes) {
      Object value = process.variable(name, field);
      if (value != null) {
        return value;
      }
    }
    return null;
  }
}
