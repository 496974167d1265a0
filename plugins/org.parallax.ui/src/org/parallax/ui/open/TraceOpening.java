package org.parallax.ui.open;

import java.nio.file.Path;
import java.util.Collection;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchSite;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.WorkbenchException;
import org.parallax.ui.ParallaxUi;

/** Opens traces before a person's eyes: the perspective, its views, and the job. */
public final class TraceOpening {
  private static final String[] TABLES = {ParallaxUi.METRICS_VIEW, ParallaxUi.PROFILE_VIEW,
      ParallaxUi.CRITICAL_PATH_VIEW};

  private TraceOpening() {
  }

  /**
   * Opens traces in the Parallel Performance perspective; on the UI thread, returns at once.
   *
   * @return the job that reads them
   */
  public static Job open(IWorkbenchWindow window, Collection<Path> directories) {
    try {
      IWorkbench workbench = PlatformUI.getWorkbench();
      IWorkbenchPage page = workbench.showPerspective(ParallaxUi.PERSPECTIVE, window);
      page.showView(ParallaxUi.TREES_VIEW, null, IWorkbenchPage.VIEW_VISIBLE);
      showTables(page);
    } catch (PartInitException e) {
      ParallaxUi.log(e.getMessage(), e);
    } catch (WorkbenchException e) {
      ParallaxUi.log(e.getMessage(), e);
    }
    return ParallaxUi.session().open(directories);
  }

  /** Brings a table into sight if none is. */
  private static void showTables(IWorkbenchPage page) throws PartInitException {
    for (String view : TABLES) {
      if (page.findView(view) != null && page.isPartVisible(page.findView(view))) {
        return;
      }
    }
    page.showView(ParallaxUi.CRITICAL_PATH_VIEW, null, IWorkbenchPage.VIEW_VISIBLE);
  }

  /** Acts on a link in the message of an empty view. */
  public static void followLink(IWorkbenchSite site, String target) {
    if (target.equals("import")) {
      IWorkbenchWindow window = site.getWorkbenchWindow();
      ImportTraceWizard wizard = new ImportTraceWizard();
      wizard.init(window.getWorkbench(), StructuredSelection.EMPTY);
      new WizardDialog(window.getShell(), wizard).open();
    } else if (target.equals("cancel")) {
      Job.getJobManager().cancel(ParallaxUi.session());
    }
  }
}
