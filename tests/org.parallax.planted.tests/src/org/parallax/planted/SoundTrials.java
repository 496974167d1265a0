package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.parallax.experiment.run.ExperimentRunner;
import org.parallax.experiment.run.Pilot;
import org.parallax.model.Trial;
import org.parallax.testing.QuietMachine;

/**
 * Fails a test as soon as a trial fails. Pilot runs that say that the experiment is hopeless are wrong times: the
 * programs vary that much only beside others.
 */
final class SoundTrials implements ExperimentRunner.Listener {
  @Override
  public void made(Trial trial, int done, int all, long remainingNs) {
    // Looked at in the end.
  }

  @Override
  public void failed(Trial trial, String failure) {
    throw new AssertionError(failure);
  }

  @Override
  public void piloted(Pilot pilot) {
    for (String error : pilot.errors()) {
      assertTrue(error.startsWith("the program is not repeatable enough"), error);
      throw new QuietMachine.WrongTime(error);
    }
  }
}
