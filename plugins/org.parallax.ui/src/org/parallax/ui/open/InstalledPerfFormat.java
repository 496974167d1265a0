package org.parallax.ui.open;

import org.parallax.record.Agent;
import org.parallax.record.formats.PerfFormat;
import org.parallax.ui.platform.InstalledAgent;

/** What Linux perf writes, converted by the native program of this workbench. */
public final class InstalledPerfFormat extends PerfFormat {
  /** Created by the extension registry. */
  public InstalledPerfFormat() {
    super(() -> InstalledAgent.findWith(Agent::perf));
  }
}
