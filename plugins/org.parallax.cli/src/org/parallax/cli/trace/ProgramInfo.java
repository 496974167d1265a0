package org.parallax.cli.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.analysis.text.Quantity;
import org.parallax.trace.Metric;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;
import org.parallax.trace.Trace;

/** What a program itself tells, and how it was measured: phases, metrics, streams, settings. */
final class ProgramInfo {
  private static final int MOST_SHOWN = 20;

  private ProgramInfo() {
  }

  /** Empty when there is nothing to tell; begins with an empty line otherwise. */
  static String text(Trace trace, boolean verbose) {
    Set<String> phases = new LinkedHashSet<>();
    Set<String> metrics = new LinkedHashSet<>();
    long streams = 0;
    long files = 0;
    for (ProcessTrace process : trace.processes()) {
      phases.addAll(phases(process));
      for (Metric metric : metrics(process)) {
        metrics.add(metric.name() + (metric.unit().isEmpty() ? "" : " [" + metric.unit() + "]"));
      }
      streams += streams(process);
      files += files(process);
    }
    StringBuilder text = new StringBuilder();
    append(text, "phases, marks", list(phases, verbose));
    append(text, "metrics", list(metrics, verbose));
    append(text, "streams", streams == 0 ? "" : Quantity.count(streams) + " ends");
    append(text, "files", files == 0 ? "" : Quantity.count(files));
    if (verbose) {
      settings(text, trace);
    }
    return text.isEmpty() ? "" : "\n" + text;
  }

  private static void append(StringBuilder text, String label, String value) {
    if (!value.isEmpty()) {
      text.append(String.format("%-14s%s%n", label, value));
    }
  }

  private static String list(Set<String> names, boolean all) {
    List<String> shown = names.stream().limit(all ? Integer.MAX_VALUE : MOST_SHOWN).toList();
    int more = names.size() - shown.size();
    return String.join(", ", shown) + (more > 0 ? " and " + more + " more" : "");
  }

  /** A line for each setting; the processes only where they differ. */
  private static void settings(StringBuilder text, Trace trace) {
    Map<String, Map<String, List<String>>> settings = new LinkedHashMap<>();
    for (ProcessTrace process : trace.processes()) {
      process.settings().forEach((key, value) -> settings
          .computeIfAbsent(key, k -> new LinkedHashMap<>())
          .computeIfAbsent(value, k -> new ArrayList<>())
          .add(process.name() + " (pid " + process.pid() + ")"));
    }
    settings.forEach((key, values) -> values.forEach((value, processes) -> append(text, key + " ",
        value + (values.size() == 1 ? "" : "  in "
            + list(new LinkedHashSet<>(processes), false)))));
  }

  private static List<String> phases(ProcessTrace process) {
    List<String> names = new ArrayList<>();
    for (int id = 1; id < process.regionCount(); id++) {
      Region region = process.region(id);
      if (region != null && region.group() == Region.Group.PHASE) {
        names.add(region.name());
      }
    }
    return names;
  }

  private static List<Metric> metrics(ProcessTrace process) {
    List<Metric> metrics = new ArrayList<>();
    for (int id = 1; id < process.metricCount(); id++) {
      if (process.metric(id) != null) {
        metrics.add(process.metric(id));
      }
    }
    return metrics;
  }

  private static long streams(ProcessTrace process) {
    long count = 0;
    for (int id = 1; id < process.streamCount(); id++) {
      count += process.stream(id) == null ? 0 : 1;
    }
    return count;
  }

  private static long files(ProcessTrace process) {
    long count = 0;
    for (int id = 1; id < process.fileCount(); id++) {
      count += process.file(id) == null ? 0 : 1;
    }
    return count;
  }

  /** The same of one process, for programs. */
  static Map<String, Object> fields(ProcessTrace process) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("phases", phases(process));
    List<Object> metrics = new ArrayList<>();
    for (Metric metric : metrics(process)) {
      Map<String, Object> of = new LinkedHashMap<>();
      of.put("name", metric.name());
      of.put("unit", metric.unit());
      of.put("kind", metric.isCounter() ? "counter" : "gauge");
      metrics.add(of);
    }
    fields.put("metrics", metrics);
    fields.put("streams", streams(process));
    fields.put("files", files(process));
    fields.put("settings", process.settings());
    return fields;
  }
}
