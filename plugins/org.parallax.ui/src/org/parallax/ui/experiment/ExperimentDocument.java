package org.parallax.ui.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Factors;
import org.parallax.experiment.run.ResponseText;
import org.parallax.model.Experiment;
import org.parallax.model.ExperimentFile;
import org.parallax.model.Factor;
import org.parallax.model.ModelFactory;
import org.parallax.model.TrialStatus;
import org.parallax.trace.TraceException;

/** An experiment that is being edited, and how it differs from its file. On the UI thread only. */
final class ExperimentDocument {
  private final Path file;
  private final Experiment experiment;
  private final FileTime read;
  private boolean dirty;
  private boolean trialsObsolete;

  /** Reads an experiment; an empty file is a new one. Not on the UI thread. */
  ExperimentDocument(Path file) throws TraceException {
    this.file = file;
    read = time(file);
    experiment = isEmpty(file) ? fresh() : ExperimentFile.readDraft(file);
  }

  private static Experiment fresh() {
    Experiment fresh = ModelFactory.eINSTANCE.createExperiment();
    fresh.setSeed(System.nanoTime() % 1_000_000_007);
    try {
      fresh.getResponses().add(ResponseText.parse(ResponseText.KINDS.get(0)));
    } catch (ExperimentException e) {
      throw new IllegalStateException(e);
    }
    return fresh;
  }

  private static boolean isEmpty(Path file) {
    try {
      return Files.exists(file) && Files.size(file) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return null;
    }
  }

  Path file() {
    return file;
  }

  Experiment experiment() {
    return experiment;
  }

  /** A copy for other threads. */
  Experiment copy() {
    return EcoreUtil.copy(experiment);
  }

  boolean isDirty() {
    return dirty;
  }

  /** @param keepsTrials whether the trials that were made still belong to the experiment */
  void changed(boolean keepsTrials) {
    dirty = true;
    trialsObsolete |= !keepsTrials;
  }

  /** Whether the file has other contents than were read. Asks the disk. */
  boolean hasChangedOutside() {
    return read != null && !read.equals(time(file));
  }

  /** How many trials will be forgotten when it is saved. */
  int obsoleteTrials() {
    return trialsObsolete ? (int) experiment.getTrials().stream()
        .filter(trial -> trial.getStatus() == TrialStatus.DONE).count() : 0;
  }

  /** Adds a factor with the usual treatment, and as many levels as the others have. */
  Factor add(String place) throws ExperimentException {
    Factor factor = Factors.make(place, experiment.getFactors());
    Factors.treat(factor, "delay", 0);
    if (!experiment.getFactors().isEmpty()) {
      Factor like = experiment.getFactors().get(0);
      factor.setTreatment(like.getTreatment());
      factor.setArgument(like.getArgument());
      factor.setSettings(like.getSettings());
    }
    experiment.getFactors().add(factor);
    changed(false);
    return factor;
  }

  /**
   * Writes a copy that was made for saving, with its design; not on the UI thread.
   *
   * @param copy of this document's experiment
   */
  static void write(Path file, Experiment copy, ExperimentCheck check, boolean forgetTrials)
      throws IOException {
    if (forgetTrials || copy.getRuns().isEmpty()) {
      copy.getTrials().clear();
      copy.getRuns().clear();
      if (check.planned() != null) {
        ExperimentData.setDesign(copy, check.planned().design());
      } else if (!copy.getFactors().isEmpty()) {
        copy.setLevels(ExperimentCheck.levels(copy.getFactors().get(0)));
        copy.setDesignName("");
      }
    }
    ExperimentFile.write(copy, file);
  }

  boolean forgetsTrials() {
    return trialsObsolete;
  }
}
