package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.eclipse.core.commands.ParameterizedCommand;
import org.eclipse.core.commands.common.CommandException;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.osgi.util.NLS;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchSite;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.WorkbenchException;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.handlers.IHandlerService;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;

/** Opens traces before a person's eyes: the perspective, its views, and the job. */
public final class TraceOpening {
  private static final String[] TABLES = {Ids.METRICS_VIEW, Ids.PROFILE_VIEW,
      Ids.CRITICAL_PATH_VIEW};

  private TraceOpening() {
  }

  /**
   * Opens traces in the session, and brings what they say into sight if the active window shows the
   * perspective; on the UI thread, returns at once.
   *
   * @param series a run of a launch: former runs of it are closed but for some
   */
  public static void open(Collection<Path> directories, OpenRun.Series series) {
    IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
    IWorkbenchPage page = window == null ? null : window.getActivePage();
    if (page != null && page.getPerspective() != null
        && page.getPerspective().getId().equals(Ids.PERSPECTIVE)) {
      open(window, directories, series);
    } else {
      OpenSession.current().open(directories, series);
    }
  }

  /**
   * Opens traces in the Parallel Performance perspective; on the UI thread, returns at once.
   *
   * @return the job that reads them
   */
  public static Job open(IWorkbenchWindow window, Collection<Path> directories) {
    return open(window, directories, OpenRun.Series.NONE);
  }

  /** As {@link #open(IWorkbenchWindow, Collection)}, of a run of a launch. */
  public static Job open(IWorkbenchWindow window, Collection<Path> directories,
      OpenRun.Series series) {
    try {
      IWorkbench workbench = PlatformUI.getWorkbench();
      IWorkbenchPage page = workbench.showPerspective(Ids.PERSPECTIVE, window);
      page.showView(Ids.TREES_VIEW, null, IWorkbenchPage.VIEW_VISIBLE);
      showTables(page);
    } catch (PartInitException e) {
      UiLog.log(e.getMessage(), e);
    } catch (WorkbenchException e) {
      UiLog.log(e.getMessage(), e);
    }
    Job job = OpenSession.current().open(directories, series);
    job.addJobChangeListener(new JobChangeAdapter() {
      @Override
      public void done(IJobChangeEvent event) {
        if (event.getResult().isOK()
            || event.getResult().getCode() == OpenSession.SOME_OPENED) {
          UiThread.later(() -> showComparison(window));
        }
      }
    });
    return job;
  }

  /** Brings repetitions, and what was run to be compared, into sight where they are compared. */
  private static void showComparison(IWorkbenchWindow window) {
    List<OpenRun> runs = OpenSession.current().runs().all();
    boolean isCompared = runs.stream().anyMatch(OpenRun::isBase) || !runs.isEmpty()
        && runs.get(runs.size() - 1).repetitions().size() > 1;
    if (isCompared && runs.size() > 1 && window.getActivePage() != null) {
      try {
        window.getActivePage().showView(Ids.COMPARISON_VIEW, null,
            IWorkbenchPage.VIEW_VISIBLE);
      } catch (PartInitException e) {
        UiLog.log(e.getMessage(), e);
      }
    }
  }

  /** Brings a table into sight if none is. */
  private static void showTables(IWorkbenchPage page) throws PartInitException {
    for (String view : TABLES) {
      if (page.findView(view) != null && page.isPartVisible(page.findView(view))) {
        return;
      }
    }
    page.showView(Ids.CRITICAL_PATH_VIEW, null, IWorkbenchPage.VIEW_VISIBLE);
  }

  /**
   * What a view says while no trace is open, with links for {@link #followLink}.
   *
   * @param subject what the view shows, in the middle of a sentence
   */
  public static String nothingOpen(String subject) {
    return NLS.bind(Messages.nothingOpen, subject);
  }

  /**
   * Acts on a link in the message of an empty view: {@code import}, {@code cancel}, or a command as
   * {@code org.eclipse.core.commands} writes it, with its parameters.
   */
  public static void followLink(IWorkbenchSite site, String target) {
    if (target.equals("import")) {
      IWorkbenchWindow window = site.getWorkbenchWindow();
      ImportTraceWizard wizard = new ImportTraceWizard();
      wizard.init(window.getWorkbench(), StructuredSelection.EMPTY);
      new WizardDialog(window.getShell(), wizard).open();
    } else if (target.equals("cancel")) {
      Job.getJobManager().cancel(OpenSession.current());
    } else {
      run(site, target);
    }
  }

  private static void run(IWorkbenchSite site, String command) {
    try {
      ParameterizedCommand parsed =
          site.getService(ICommandService.class).deserialize(command);
      site.getService(IHandlerService.class).executeCommand(parsed, null);
    } catch (CommandException e) {
      UiLog.log(NLS.bind(Messages.commandFailed, command, e.getMessage()), e);
    }
  }
}
