package org.parallax.cli.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.export.CallSlices;
import org.parallax.analysis.export.Interactions;
import org.parallax.analysis.metrics.ExternalTracks;
import org.parallax.analysis.text.JsonWriter;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.ThreadTrace;

/**
 * Timelines in the Trace Event Format, which Perfetto and Chrome show: a slice for each procedure while
 * it is on the call path of a thread, a flow for each interaction of two threads, and a counter for each
 * metric of a monitor. Times are microseconds with three digits behind the point. Where something is
 * before the start of the run, as clocks of traces that were joined can make it, all counts from there:
 * Perfetto drops what is before 0.
 */
final class ChromeTrace {
  /**
   * What is shown.
   *
   * @param run before the names of its processes; empty where it is the only one
   * @param node null for all
   */
  record Part(String run, ApplicationAnalysis analysis, TreeNode node) {}

  private final Writer out;
  private String separator = "\n";
  private long originNs;
  private int processes;
  private long flows;

  private ChromeTrace(Writer out) {
    this.out = out;
  }

  /** Writes a timeline, or those of several runs as if they had begun together. */
  static void write(List<Part> parts, Writer out, Progress progress) throws IOException {
    ChromeTrace trace = new ChromeTrace(out);
    out.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    try {
      for (Part part : parts) {
        long beginNs = part.analysis.workload().processes().stream()
            .flatMap(process -> process.threads().stream()).mapToLong(ThreadTrace::beginNs)
            .min().orElse(0);
        trace.originNs = parts.size() == 1 ? Math.min(0, beginNs)
            : Math.max(beginNs, part.analysis.window().beginNs());
        trace.add(part, progress);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    out.write("\n]}\n");
  }

  private void add(Part part, Progress progress) {
    Map<Object, Integer> pids = new HashMap<>();
    for (ProgramThread thread : CallSlices.threads(part.analysis, part.node, progress)) {
      int pid = pids.computeIfAbsent(thread.getProcess(), process -> {
        processes++;
        name("process_name", processes, 0, (part.run.isEmpty() ? "" : part.run + ", ")
            + thread.getProcess().getMachine().getHost() + ": " + thread.getProcess().getName());
        if (!part.run.isEmpty()) {
          line("{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": " + processes
              + ", \"args\": {\"sort_index\": " + processes + "}}");
        }
        return processes;
      });
      name("thread_name", pid, thread.getId(), thread.getName());
    }
    CallSlices.slices(part.analysis, part.node, (thread, beginNs, endNs, procedure) -> event(
        "\"ph\": \"X\", \"dur\": " + microseconds(endNs - beginNs), pids.get(thread.getProcess()),
        thread.getId(), beginNs, procedure), progress);
    Interactions.of(part.analysis, part.node, (kind, from, fromNs, to, toNs) -> {
      String flow = "\"cat\": \"" + kind + "\", \"id\": " + ++flows;
      event("\"ph\": \"s\", " + flow, pids.get(from.getProcess()), from.getId(), fromNs, kind);
      event("\"ph\": \"f\", \"bp\": \"e\", " + flow, pids.get(to.getProcess()), to.getId(), toNs,
          kind);
    }, progress);
    counters(part, pids);
  }

  /** What monitors measured, beside the processes of what it is about. */
  private void counters(Part part, Map<Object, Integer> pids) {
    ExternalTracks.of(part.analysis, part.node).forEach(track -> {
      int pid = pids.computeIfAbsent(track.subject(), subject -> {
        processes++;
        name("process_name", processes, 0,
            (part.run.isEmpty() ? "" : part.run + ", ") + track.name());
        return processes;
      });
      track.visit((from, to, level) -> line("{\"ph\": \"C\", \"name\": "
          + JsonWriter.quoted(track.metric()) + ", \"pid\": " + pid + ", \"tid\": 0, \"ts\": "
          + microseconds(from - originNs) + ", \"args\": {\"value\": " + level + "}}"));
    });
  }

  private void name(String what, int pid, int tid, String name) {
    line("{\"ph\": \"M\", \"name\": \"" + what + "\", \"pid\": " + pid + ", \"tid\": " + tid
        + ", \"args\": {\"name\": " + JsonWriter.quoted(name) + "}}");
  }

  private void event(String fields, int pid, int tid, long ns, String name) {
    line("{" + fields + ", \"name\": " + JsonWriter.quoted(name) + ", \"pid\": " + pid
        + ", \"tid\": " + tid + ", \"ts\": " + microseconds(ns - originNs) + "}");
  }

  private static String microseconds(long ns) {
    return BigDecimal.valueOf(ns, 3).toPlainString();
  }

  private void line(String text) {
    try {
      out.write(separator);
      out.write(text);
      separator = ",\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
