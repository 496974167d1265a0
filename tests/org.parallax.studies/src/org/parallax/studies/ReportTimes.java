package org.parallax.studies;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long reports of traces take: the least of some rounds, and the rate of the critical path. */
final class ReportTimes {
  private static final String PATH = "critical-path";

  private ReportTimes() {
  }

  /** @param file lines of events in the trace, kind of report, nanoseconds of one round, with tabs between */
  static void print(Path file, PrintStream out) throws IOException {
    Map<String, Map<String, Long>> least = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] fields = line.split("\t");
      least.computeIfAbsent(fields[0], events -> new LinkedHashMap<>())
          .merge(fields[1], Long.valueOf(fields[2]), Math::min);
    }
    if (least.isEmpty()) {
      throw new Failure(file + " is empty");
    }
    out.printf("%15s", "events");
    least.values().iterator().next().keySet().forEach(kind -> out.printf("%15s", kind));
    out.printf("%36s%n", "critical path [million events/s]");
    least.forEach((events, times) -> {
      out.printf("%15s", events);
      times.values().forEach(ns -> out.printf("%15s", Numbers.seconds(ns, 2)));
      Long path = times.get(PATH);
      out.printf("%36s%n", path == null ? "-" : Numbers.fixed(Double.parseDouble(events) * 1e3 / path, 1));
    });
  }
}
