package org.parallax.ui.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.eclipse.emf.common.command.BasicCommandStack;
import org.eclipse.emf.common.command.CommandStack;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.eclipse.emf.edit.command.ChangeCommand;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.run.Factors;
import org.parallax.experiment.run.ResponseText;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.model.ModelFactory;
import org.parallax.model.TrialStatus;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;

/**
 * An experiment that is being edited by commands that can be undone, and how it differs from its file.
 * On the UI thread only.
 */
final class ExperimentDocument {
  /** A change of the experiment. */
  interface Edit {
    /** @throws ExperimentException when the experiment cannot be changed like that */
    void of(Experiment experiment) throws ExperimentException;
  }

  private final Path file;
  private final Experiment experiment;
  /** When the file was written that was read, or saved. */
  private FileTime read;
  private final BasicCommandStack commands = new BasicCommandStack();
  /** What the last change was made with; null if the next one is a step of its own. */
  private Object lastField;
  /** The changes that were made after which former trials do not belong to the experiment; the last is first. */
  private final Deque<Change> obsoleting = new ArrayDeque<>();
  /** The first of those when the file was read or saved: the trials in the file belong to it; null for none. */
  private Change trialsOf;

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

  /** The changes, for undo and redo. */
  CommandStack commands() {
    return commands;
  }

  boolean isDirty() {
    return commands.isSaveNeeded();
  }

  /**
   * Changes the experiment. An edit that fails changes nothing.
   *
   * @param field with which it is changed: what is typed into one field is undone at once; null for a
   *     step of its own
   * @param keepsTrials whether the trials that were made still belong to the experiment
   * @throws ExperimentException of the edit
   */
  void change(Object field, boolean keepsTrials, Edit edit) throws ExperimentException {
    boolean continues = field != null && field == lastField && commands.canUndo();
    if (continues) {
      commands.undo();
    }
    Change change = new Change(keepsTrials, edit);
    change.execute();
    if (change.failure != null) {
      change.undo();
      if (continues) {
        commands.redo();
      }
      throw change.failure;
    }
    if (change.isEmpty()) {
      change.undo();
      lastField = null;
    } else {
      commands.execute(change);
      lastField = field;
    }
  }

  /** The next change is a step of its own. */
  void endField() {
    lastField = null;
  }

  void undo() {
    lastField = null;
    commands.undo();
  }

  void redo() {
    lastField = null;
    commands.redo();
  }

  /** An edit that was recorded as it was made, before it is put on the stack. */
  private final class Change extends ChangeCommand {
    private final boolean keepsTrials;
    private final Edit edit;
    private boolean isMade;
    private ExperimentException failure;

    Change(boolean keepsTrials, Edit edit) {
      super(experiment);
      this.keepsTrials = keepsTrials;
      this.edit = edit;
    }

    /** Also after it was made, for the stack. */
    @Override
    public boolean canExecute() {
      return true;
    }

    @Override
    public void execute() {
      if (!isMade) {
        isMade = true;
        super.execute();
        made();
      }
    }

    @Override
    protected void doExecute() {
      try {
        edit.of(experiment);
      } catch (ExperimentException e) {
        failure = e;
      }
    }

    boolean isEmpty() {
      return getChangeDescription().getObjectChanges().isEmpty();
    }

    @Override
    public void undo() {
      super.undo();
      if (!keepsTrials) {
        obsoleting.pop();
      }
    }

    @Override
    public void redo() {
      super.redo();
      made();
    }

    private void made() {
      if (!keepsTrials) {
        obsoleting.push(this);
      }
    }
  }

  /** Whether the file has other contents than were read. Asks the disk. */
  boolean hasChangedOutside() {
    return read != null && !read.equals(time(file));
  }

  /** How many trials will be forgotten when it is saved. */
  int obsoleteTrials() {
    return forgetsTrials() ? (int) experiment.getTrials().stream()
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
    change(null, false, changed -> changed.getFactors().add(factor));
    return factor;
  }

  /**
   * Writes a copy that was made for saving, with its design; not on the UI thread.
   *
   * @param copy of this document's experiment
   * @return when the file was written, for {@link #saved}
   */
  static FileTime write(Path file, Experiment copy, ExperimentCheck check, boolean forgetTrials)
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
    return time(file);
  }

  /**
   * The file has what was edited, by {@link #write}: nothing is dirty. The history of changes goes on.
   *
   * @param written the copy; its design and trials become those of the experiment
   */
  void saved(Experiment written, FileTime time) {
    experiment.setLevels(written.getLevels());
    experiment.setDesignName(written.getDesignName());
    replace(experiment.getRuns(), written.getRuns());
    replace(experiment.getTrials(), written.getTrials());
    commands.saveIsDone();
    lastField = null;
    trialsOf = obsoleting.peek();
    read = time;
  }

  private static <T> void replace(List<T> former, List<T> now) {
    former.clear();
    former.addAll(now);
  }

  /** Whether the trials in the file are of another experiment. */
  boolean forgetsTrials() {
    return obsoleting.peek() != trialsOf;
  }
}
