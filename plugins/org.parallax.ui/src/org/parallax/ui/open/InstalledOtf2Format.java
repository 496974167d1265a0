package org.parallax.ui.open;

import org.parallax.record.Agent;
import org.parallax.record.formats.Otf2Format;
import org.parallax.ui.platform.InstalledAgent;

/** Archives of OTF2, converted by the native program of this workbench. */
public final class InstalledOtf2Format extends Otf2Format {
  /** Created by the extension registry. */
  public InstalledOtf2Format() {
    super(() -> InstalledAgent.findWith(Agent::otf2));
  }
}
