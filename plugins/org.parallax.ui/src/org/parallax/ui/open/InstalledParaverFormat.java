package org.parallax.ui.open;

import org.parallax.record.Agent;
import org.parallax.record.formats.ParaverFormat;
import org.parallax.ui.platform.InstalledAgent;

/** Traces of Paraver, converted by the native program of this workbench. */
public final class InstalledParaverFormat extends ParaverFormat {
  /** Created by the extension registry. */
  public InstalledParaverFormat() {
    super(() -> InstalledAgent.findWith(Agent::paraver));
  }
}
