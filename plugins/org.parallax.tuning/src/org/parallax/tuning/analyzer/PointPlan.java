package org.parallax.tuning.analyzer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.parallax.tuning.model.MeasurePoint;
import org.parallax.tuning.model.TuningModel;

/** Which measure points are needed in which processes; equal points of several models are one. */
final class PointPlan {
  /** What the live page of a process has. */
  private static final int MOST = 64;

  private final Map<String, MeasurePoint> byWireName = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> wireNames = new LinkedHashMap<>();
  private List<Object> told = List.of();

  /** Gives the points of all models their names on the lines. */
  PointPlan(List<TuningModel> models) {
    Map<String, String> known = new LinkedHashMap<>();
    for (TuningModel model : models) {
      Map<String, String> own = new LinkedHashMap<>();
      for (MeasurePoint point : model.allPoints()) {
        String same = new TreeSet<>(point.routines()) + " " + point.key();
        String wire = known.computeIfAbsent(same, none -> free(point.name()));
        byWireName.putIfAbsent(wire, point);
        own.put(point.name(), wire);
      }
      wireNames.put(model.name(), own);
    }
  }

  private String free(String name) {
    String wire = name;
    for (int i = 2; byWireName.containsKey(wire); i++) {
      wire = name + "." + i;
    }
    return wire;
  }

  /** @return how many points are too many for a process, which are then left out */
  int tooMany() {
    return Math.max(0, byWireName.size() - MOST);
  }

  /** @return the names of a model's points on the lines */
  Map<String, String> wireNames(TuningModel model) {
    return wireNames.get(model.name());
  }

  /**
   * The list for the monitor.
   *
   * @param needed the processes that need a point, by its name on the lines
   * @param running how many processes run
   * @return the line, or null when it is the last one again
   */
  Map<String, Object> line(Map<String, TreeSet<TunedProcess>> needed, int running) {
    List<Object> points = new ArrayList<>();
    byWireName.forEach((wire, point) -> {
      Set<TunedProcess> processes = needed.getOrDefault(wire, new TreeSet<>(TunedProcess.ORDER));
      if (!processes.isEmpty() && points.size() < MOST) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", wire);
        one.put("routines", point.routines());
        one.put("key", point.key().name().toLowerCase(Locale.ROOT));
        one.put("processes", processes.size() == running ? "all"
            : processes.stream().map(TunedProcess::wireName).toList());
        points.add(one);
      }
    });
    if (points.equals(told)) {
      return null;
    }
    told = points;
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("type", "points");
    line.put("points", points);
    return line;
  }
}
