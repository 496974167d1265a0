package org.parallax.cli.export;

import java.nio.file.Path;
import java.util.List;
import org.parallax.analysis.export.ExportFormat;
import org.parallax.record.CodeTool;
import org.parallax.record.formats.Otf2Writer;
import org.parallax.trace.Progress;
import org.parallax.trace.TraceException;

/** Archives of OTF2, for Vampir, Scalasca and others. */
public final class Otf2Export implements ExportFormat {
  private final Otf2Writer writer;

  /** @param place is asked when an archive has to be written */
  public Otf2Export(CodeTool.Place place) {
    writer = new Otf2Writer(place);
  }

  @Override
  public String id() {
    return "otf2";
  }

  @Override
  public String summary() {
    return "the trace as an archive of OTF2, a directory";
  }

  @Override
  public String suffix() {
    return "";
  }

  @Override
  public boolean takesParts() {
    return false;
  }

  @Override
  public List<String> write(Part part, Path target, Progress progress) throws TraceException {
    return writer.write(part.analysis().applications().get(0).getTrace(), target, progress);
  }
}
