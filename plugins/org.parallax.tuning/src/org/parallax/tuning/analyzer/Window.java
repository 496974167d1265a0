package org.parallax.tuning.analyzer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.parallax.tuning.formula.Measurements.Sum;
import org.parallax.tuning.json.Json;

/** What was counted of measure points over a time. */
final class Window {
  /** By the name of the point on the line, then by the key. */
  private final Map<String, TreeMap<Double, Cell>> points = new HashMap<>();
  /** What each process has counted, of several. */
  private final Map<TunedProcess, Window> parts = new HashMap<>();
  private final long beginNs;
  private long endNs;
  private long lengthNs;

  /** @param beginNs the time of its beginning */
  Window(long beginNs) {
    this.beginNs = beginNs;
    this.endNs = beginNs;
  }

  /** Adds the points of a line of metrics, and the time to it. */
  void add(List<?> cells, long timeNs) {
    for (Object element : cells) {
      if (element instanceof Map<?, ?> cell) {
        points.computeIfAbsent(Json.text(cell, "point"), name -> new TreeMap<>())
            .computeIfAbsent(key(cell), key -> new Cell()).add(cell);
      }
    }
    endNs = Math.max(endNs, timeNs);
  }

  /** Adds what a process has counted from one line to the next. */
  void add(TunedProcess process, List<?> cells, long fromNs, long toNs) {
    add(cells, toNs);
    parts.computeIfAbsent(process, none -> new Window(fromNs)).add(cells, toNs);
  }

  /** @return what a process has counted of it */
  Window of(TunedProcess process) {
    return parts.getOrDefault(process, new Window(beginNs));
  }

  /** Keys that are no numbers, as of peers that are counted together, share a cell. */
  private static double key(Map<?, ?> cell) {
    Object key = cell.get("key");
    if (key instanceof Number number) {
      return number.doubleValue();
    }
    String text = key == null ? "" : key.toString();
    return text.matches("\\d{1,15}") ? Double.parseDouble(text) : -1;
  }

  /** Adds another time, which need not be next to this one. */
  void add(Window other) {
    other.points.forEach((name, cells) -> {
      TreeMap<Double, Cell> own = points.computeIfAbsent(name, point -> new TreeMap<>());
      cells.forEach((key, cell) -> own.computeIfAbsent(key, made -> new Cell()).add(cell));
    });
    lengthNs += other.lengthNs();
    other.parts.forEach((process, part) -> {
      Window known = parts.putIfAbsent(process, part);
      if (known != null) {
        known.add(part);
      }
    });
  }

  long endNs() {
    return endNs;
  }

  /** @return its length, with that of those added */
  long lengthNs() {
    return lengthNs + endNs - beginNs;
  }

  /** @return a sum over the sizes from {@code from}, below {@code to}; over all with {@code to} at zero */
  double sum(String point, Sum sum, double from, double to) {
    double total = 0;
    for (Map.Entry<Double, Cell> entry : points.getOrDefault(point, new TreeMap<>()).entrySet()) {
      if (to <= 0 || entry.getKey() >= from && entry.getKey() < to) {
        Cell cell = entry.getValue();
        total += switch (sum) {
          case VISITS -> cell.visits();
          case BYTES -> cell.bytes();
          case SQUARES -> cell.squares();
          case NS -> cell.ns();
        };
      }
    }
    return total;
  }

  double visits(String point) {
    return sum(point, Sum.VISITS, 0, 0);
  }

  /** @return the largest size of the class in which the share is reached; NaN without visits */
  double quantile(String point, double share) {
    double wanted = share * visits(point);
    double seen = 0;
    double size = Double.NaN;
    for (Map.Entry<Double, Cell> entry : points.getOrDefault(point, new TreeMap<>()).entrySet()) {
      if (entry.getValue().visits() > 0 && (seen < wanted || Double.isNaN(size))) {
        seen += entry.getValue().visits();
        size = entry.getKey() == 0 ? 0 : 2 * entry.getKey() - 1;
      }
    }
    return size;
  }
}
