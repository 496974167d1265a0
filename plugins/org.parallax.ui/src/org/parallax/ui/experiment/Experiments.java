package org.parallax.ui.experiment;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorReference;
import org.eclipse.ui.IURIEditorInput;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.parallax.ui.session.OpenSession;

/**
 * Which experiment the views show, and what is running. An experiment is known by its file. On the
 * UI thread only.
 */
public final class Experiments {
  /** Is told what changes. */
  public interface Listener {
    /** Another experiment is shown; null when there is none. */
    default void selected(Path file) {
    }

    /** A run has begun, has made a trial, or has ended. */
    default void ran(ExperimentRun run) {
    }

    /** The file has other contents. */
    default void changed(Path file) {
    }
  }

  private static final Experiments INSTANCE = new Experiments();

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Map<Path, ExperimentRun> runs = new HashMap<>();
  private Path selected;

  private Experiments() {
  }

  public static Experiments get() {
    return INSTANCE;
  }

  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  public void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  /** The experiment that the views show, or null. */
  public Path selected() {
    return selected;
  }

  /**
   * The experiment that the views show when they open: after a restart, that of an editor whose tab is there
   * and which may not have been opened yet.
   *
   * @return null if there is none
   */
  Path selectedIn(IWorkbenchPage page) {
    for (IEditorReference reference : page.getEditorReferences()) {
      if (selected == null && ExperimentEditor.ID.equals(reference.getId())) {
        try {
          select(file(reference.getEditorInput()));
        } catch (PartInitException e) {
          // The editor tells it when it is opened.
        }
      }
    }
    return selected;
  }

  /** Shows an experiment in the views. */
  public void select(Path file) {
    if (file != null && !file.equals(selected)) {
      selected = file;
      listeners.forEach(listener -> listener.selected(file));
    }
  }

  /** The last run of an experiment in this workbench, or null. */
  public ExperimentRun run(Path file) {
    return runs.get(file);
  }

  /** Whether an experiment is running. */
  public boolean isRunning(Path file) {
    ExperimentRun run = runs.get(file);
    return run != null && run.isRunning();
  }

  /**
   * Makes the trials that are left.
   *
   * @param force also when the pilots say that it is hopeless
   */
  public ExperimentRun start(Path file, boolean force) {
    if (isRunning(file)) {
      return runs.get(file);
    }
    select(file);
    ExperimentRun run = new ExperimentRun(file, force);
    runs.put(file, run);
    tell(run);
    run.schedule();
    return run;
  }

  void tell(ExperimentRun run) {
    listeners.forEach(listener -> listener.ran(run));
  }

  /** Tells that a file was written, and the workspace too. */
  void written(Path file) {
    listeners.forEach(listener -> listener.changed(file));
    refresh(file);
  }

  private static void refresh(Path file) {
    IFile[] resources =
        ResourcesPlugin.getWorkspace().getRoot().findFilesForLocationURI(file.toUri());
    if (resources.length == 0) {
      return;
    }
    Job job = Job.create(Messages.refreshJob, (ICoreRunnable) monitor -> {
      for (IFile resource : resources) {
        resource.getParent().refreshLocal(IResource.DEPTH_ONE, monitor);
      }
    });
    job.setSystem(true);
    job.schedule();
  }

  /** The file of an editor's input, or null when it is not in a file system. */
  static Path file(IEditorInput input) {
    if (input instanceof IURIEditorInput located && located.getURI() != null
        && "file".equals(located.getURI().getScheme())) {
      return Path.of(located.getURI());
    }
    IFile resource = input == null ? null : input.getAdapter(IFile.class);
    return resource == null || resource.getLocation() == null ? null
        : resource.getLocation().toPath();
  }

  /** The family of the jobs that run experiments. */
  public static Object family() {
    return INSTANCE;
  }

  /** What short jobs of experiments belong to. */
  static Object shortFamily() {
    return OpenSession.current();
  }
}
