package org.parallax.ui.open;

import java.nio.file.Files;
import org.parallax.record.Agent;
import org.parallax.record.RecordException;
import org.parallax.record.formats.Otf2Format;
import org.parallax.ui.platform.InstalledAgent;

/** Archives of OTF2, converted by the native program of this workbench. */
public final class InstalledOtf2Format extends Otf2Format {
  /** Created by the extension registry. */
  public InstalledOtf2Format() {
    super(InstalledOtf2Format::agent);
  }

  /** An update site keeps no file modes, and it may lack this program, so its installation does not set them. */
  private static Agent agent() throws RecordException {
    Agent agent = InstalledAgent.find();
    if (Files.isRegularFile(agent.otf2()) && !Files.isExecutable(agent.otf2())) {
      agent.otf2().toFile().setExecutable(true);  // if that fails, so does the start, which is told
    }
    return agent;
  }
}
