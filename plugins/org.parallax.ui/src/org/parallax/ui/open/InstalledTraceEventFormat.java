package org.parallax.ui.open;

import java.nio.file.Files;
import org.parallax.record.Agent;
import org.parallax.record.RecordException;
import org.parallax.record.formats.TraceEventFormat;
import org.parallax.ui.platform.InstalledAgent;

/** Traces of Chrome and Perfetto, converted by the native program of this workbench. */
public final class InstalledTraceEventFormat extends TraceEventFormat {
  /** Created by the extension registry. */
  public InstalledTraceEventFormat() {
    super(InstalledTraceEventFormat::agent);
  }

  /** An update site keeps no file modes, and an earlier one lacks this program, so its installation does not set them. */
  private static Agent agent() throws RecordException {
    Agent agent = InstalledAgent.find();
    if (Files.isRegularFile(agent.perfetto()) && !Files.isExecutable(agent.perfetto())) {
      agent.perfetto().toFile().setExecutable(true);  // if that fails, so does the start, which is told
    }
    return agent;
  }
}
