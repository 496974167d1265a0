package org.parallax.planted;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.parallax.experiment.run.ExperimentRunner;
import org.parallax.experiment.run.Pilot;
import org.parallax.model.Trial;

/** Fails a test as soon as a trial fails, or the pilot runs say that the experiment is hopeless. */
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
    assertEquals(List.of(), pilot.errors());
  }
}
