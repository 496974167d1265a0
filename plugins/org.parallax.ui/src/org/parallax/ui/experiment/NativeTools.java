package org.parallax.ui.experiment;

import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Tools;
import org.parallax.record.Agent;
import org.parallax.record.RecordException;
import org.parallax.ui.platform.InstalledAgent;

/** The native programs, for experiments. */
final class NativeTools {
  private NativeTools() {
  }

  /**
   * Finds them; asks the disk, so not on the UI thread.
   *
   * @throws ExperimentException when one is not there
   */
  static Tools find() throws ExperimentException {
    try {
      Agent agent = InstalledAgent.find();
      return new Tools(agent.recorder(), agent.points());
    } catch (RecordException e) {
      throw new ExperimentException(e.getMessage());
    }
  }
}
