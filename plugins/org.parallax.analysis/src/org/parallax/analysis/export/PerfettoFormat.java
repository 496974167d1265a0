package org.parallax.analysis.export;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.parallax.trace.Progress;

/**
 * Timelines as a trace of Perfetto, in its protobuf form: a track for each process and thread, slices of procedures, flows
 * of interactions, and counters. The file is about a quarter of the one in the Trace Event Format.
 */
final class PerfettoFormat implements ExportFormat {
  @Override
  public String id() {
    return "perfetto";
  }

  @Override
  public String summary() {
    return "timelines with messages and counters, as protobuf for Perfetto";
  }

  @Override
  public String suffix() {
    return ".perfetto-trace";
  }

  @Override
  public List<String> write(Part part, Path target, Progress progress) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
      new PerfettoTrace(part, out).write(progress);
    }
    return List.of();
  }
}
