package org.parallax.ui.open;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.wizard.Wizard;
import org.eclipse.ui.IImportWizard;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.PlatformUI;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiLog;

/**
 * Brings a trace directory into a project, as a link or a copy. The trace is read first: what cannot
 * be read is refused with the reader's message.
 */
public final class ImportTraceWizard extends Wizard implements IImportWizard {
  private ImportTracePage page;
  private IStructuredSelection selection;

  @Override
  public void init(IWorkbench workbench, IStructuredSelection current) {
    selection = current;
    setWindowTitle(Messages.importTitle);
    setDefaultPageImageDescriptor(Icons.descriptor("import_banner"));
    setNeedsProgressMonitor(true);
  }

  @Override
  public void addPages() {
    page = new ImportTracePage(selection);
    addPage(page);
  }

  @Override
  public boolean performFinish() {
    TraceImport operation =
        new TraceImport(page.directory(), page.projectName(), page.isCopy());
    try {
      getContainer().run(true, true, monitor -> {
        try {
          operation.run(monitor);
        } catch (TraceException | CoreException e) {
          throw new InvocationTargetException(e);
        } catch (OperationCanceledException e) {
          throw new InterruptedException();
        }
      });
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (!(cause instanceof TraceException) && !(cause instanceof CoreException)) {
        UiLog.log(Messages.importTitle, cause);
      }
      page.setErrorMessage(Texts.sentence(String.valueOf(cause.getMessage())));
      return false;
    } catch (InterruptedException e) {
      return false;
    }
    if (page.isOpen()) {
      TraceOpening.open(PlatformUI.getWorkbench().getActiveWorkbenchWindow(),
          List.of(operation.location()));
    }
    return true;
  }
}
