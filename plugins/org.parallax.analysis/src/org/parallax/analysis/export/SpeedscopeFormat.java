package org.parallax.analysis.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.text.JsonWriter;
import org.parallax.model.program.ProcedureInfo;
import org.parallax.model.program.ProgramProcess;
import org.parallax.model.program.ProgramThread;
import org.parallax.trace.Progress;

/** What each thread does when, for speedscope: an evented profile for each thread, in nanoseconds. */
final class SpeedscopeFormat implements ExportFormat {
  private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

  @Override
  public String id() {
    return "speedscope";
  }

  @Override
  public String summary() {
    return "call stacks of each thread over time, as JSON for speedscope";
  }

  @Override
  public String suffix() {
    return ".speedscope.json";
  }

  @Override
  public List<String> write(Part part, Path target, Progress progress) throws IOException {
    try (Writer out = Files.newBufferedWriter(target)) {
      new Profiles(part, out).write(progress);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return List.of("speedscope shows calls only: messages, locks and metrics were left out");
  }

  /** Frames come at the end of the file, when all of them are known: only they are kept in memory. */
  private static final class Profiles implements CallSlices.Steps {
    private final Part part;
    private final ApplicationAnalysis analysis;
    private final Writer out;
    private final Map<Integer, Integer> frames = new LinkedHashMap<>();
    private ProgramThread thread;
    private long beginNs;
    private long endNs;
    private boolean isFirst = true;

    Profiles(Part part, Writer out) {
      this.part = part;
      analysis = part.analysis();
      this.out = out;
    }

    void write(Progress progress) {
      text("{\"$schema\": \"" + SCHEMA + "\", \"exporter\": \"Parallax\", \"name\": "
          + JsonWriter.quoted(analysis.name()) + ", \"profiles\": [");
      CallSlices.steps(analysis, part.node(), this, progress);
      finish();
      List<String> described = new ArrayList<>();
      for (int procedure : frames.keySet()) {
        ProcedureInfo info = analysis.procedures().get(procedure);
        described.add("{\"name\": " + JsonWriter.quoted(info.name())
            + (info.file().isEmpty() ? "" : ", \"file\": " + JsonWriter.quoted(info.file()))
            + (info.file().isEmpty() || info.line() == 0 ? "" : ", \"line\": " + info.line()) + "}");
      }
      text("\n], \"shared\": {\"frames\": [\n" + String.join(",\n", described) + "\n]}}\n");
    }

    @Override
    public void begin(ProgramThread of, long ns, int procedure) {
      if (of != thread) {
        finish();
        thread = of;
        beginNs = ns;
        endNs = ns;
        ProgramProcess process = of.getProcess();
        text((isFirst ? "\n" : ",\n") + "{\"type\": \"evented\", \"unit\": \"nanoseconds\", \"name\": "
            + JsonWriter.quoted(process.getMachine().getHost() + ":" + process.getName() + " " + of.getName())
            + ", \"events\": [\n");
        isFirst = false;
        event("O", ns, procedure, "");
      } else {
        event("O", ns, procedure, ",\n");
      }
    }

    @Override
    public void end(ProgramThread of, long ns, int procedure) {
      endNs = ns;
      event("C", ns, procedure, ",\n");
    }

    private void event(String type, long ns, int procedure, String separator) {
      int frame = frames.computeIfAbsent(procedure, unknown -> frames.size());
      text(separator + "{\"type\": \"" + type + "\", \"at\": " + ns + ", \"frame\": " + frame + "}");
    }

    private void finish() {
      if (thread != null) {
        text("\n], \"startValue\": " + beginNs + ", \"endValue\": " + endNs + "}");
      }
    }

    private void text(String text) {
      try {
        out.write(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
