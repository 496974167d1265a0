package org.parallax.ui.open;

import org.parallax.record.Agent;
import org.parallax.record.formats.TraceEventFormat;
import org.parallax.ui.platform.InstalledAgent;

/** Traces of Chrome and Perfetto, converted by the native program of this workbench. */
public final class InstalledTraceEventFormat extends TraceEventFormat {
  /** Created by the extension registry. */
  public InstalledTraceEventFormat() {
    super(() -> InstalledAgent.findWith(Agent::perfetto));
  }
}
