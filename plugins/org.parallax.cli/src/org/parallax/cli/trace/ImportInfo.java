package org.parallax.cli.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.text.Quantity;
import org.parallax.trace.ImportReport;
import org.parallax.trace.Trace;

/** What became of the records of a trace of another format: nothing is left out silently. */
final class ImportInfo {
  private ImportInfo() {}

  /** @return empty for a trace of Parallax */
  static String summary(Trace trace) {
    ImportReport report = trace.imported();
    return report == null ? "" : report.format() + ", " + Quantity.count(report.read()) + " records, "
        + Quantity.count(report.left()) + " left out" + (trace.isProfile() ? "; a profile: sums without events" : "");
  }

  /** A line for each type of record; begins with an empty line. Empty for a trace of Parallax. */
  static String text(Trace trace) {
    ImportReport report = trace.imported();
    if (report == null) {
      return "";
    }
    StringBuilder text = new StringBuilder("\n");
    append(text, "record", report.records());
    if (!report.attributes().isEmpty()) {
      text.append('\n');
      append(text, "attribute", report.attributes());
    }
    if (!report.definitions().isEmpty()) {
      List<String> left = new ArrayList<>();
      report.definitions().forEach(count -> left.add(count.type() + " (" + Quantity.count(count.read()) + ")"));
      text.append("definitions left out: ").append(String.join(", ", left)).append('\n');
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String what, List<ImportReport.Count> counts) {
    int width = counts.stream().mapToInt(count -> count.type().length()).max().orElse(0);
    String line = "%-" + Math.max(width, 16) + "s  %13s  %13s  %13s%n";
    text.append(String.format(line, what, "read", "mapped", "left out"));
    for (ImportReport.Count count : counts) {
      text.append(String.format(line, count.type(), Quantity.count(count.read()),
          Quantity.count(count.read() - count.left()), Quantity.count(count.left())));
    }
  }

  /** @return null for a trace of Parallax */
  static Map<String, Object> fields(Trace trace) {
    ImportReport report = trace.imported();
    if (report == null) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("format", report.format());
    fields.put("read", report.read());
    fields.put("leftOut", report.left());
    fields.put("records", counts(report.records()));
    fields.put("attributes", counts(report.attributes()));
    fields.put("definitionsLeftOut", counts(report.definitions()));
    fields.put("warnings", report.warnings());
    return fields;
  }

  private static List<Object> counts(List<ImportReport.Count> counts) {
    List<Object> all = new ArrayList<>();
    for (ImportReport.Count count : counts) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("type", count.type());
      fields.put("read", count.read());
      fields.put("leftOut", count.left());
      all.add(fields);
    }
    return all;
  }
}
