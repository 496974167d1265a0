package org.parallax.ui.experiment;

import java.io.ByteArrayInputStream;
import java.lang.reflect.InvocationTargetException;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.window.Window;
import org.eclipse.jface.wizard.Wizard;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.ui.INewWizard;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.IWorkbenchPartSite;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.dialogs.WizardNewFileCreationPage;
import org.parallax.model.files.ExperimentFile;
import org.parallax.ui.platform.Icons;

/** Makes an experiment in a project, and opens it. */
public final class NewExperimentWizard extends Wizard implements INewWizard {
  private IStructuredSelection selection = StructuredSelection.EMPTY;
  private WizardNewFileCreationPage page;
  private ExperimentEditor editor;

  /** Asks for an experiment from a view. */
  static void open(IWorkbenchPartSite site) {
    NewExperimentWizard wizard = new NewExperimentWizard();
    wizard.init(site.getWorkbenchWindow().getWorkbench(),
        site.getWorkbenchWindow().getSelectionService().getSelection()
            instanceof IStructuredSelection selected ? selected : StructuredSelection.EMPTY);
    ask(wizard, site);
  }

  /** Asks, with a file or folder chosen; @return the editor, or null when it was cancelled */
  static ExperimentEditor ask(NewExperimentWizard wizard, IWorkbenchPartSite site) {
    return new WizardDialog(site.getShell(), wizard).open() == Window.OK ? wizard.editor : null;
  }

  @Override
  public void init(IWorkbench workbench, IStructuredSelection selected) {
    selection = selected.isEmpty() ? anyProject() : selected;
    setWindowTitle(Messages.newTitle);
    setNeedsProgressMonitor(true);
    setDefaultPageImageDescriptor(Icons.descriptor("import_banner"));
  }

  /** The first project that is open: there is none to choose from a table. */
  private static IStructuredSelection anyProject() {
    for (IProject project : ResourcesPlugin.getWorkspace().getRoot().getProjects()) {
      if (project.isOpen()) {
        return new StructuredSelection(project);
      }
    }
    return StructuredSelection.EMPTY;
  }

  @Override
  public void addPages() {
    page = new WizardNewFileCreationPage("experiment", selection);
    page.setTitle(Messages.newTitle);
    page.setDescription(Messages.newDescription);
    page.setFileExtension(ExperimentFile.SUFFIX.substring(1));
    page.setFileName(Messages.newName + ExperimentFile.SUFFIX);
    addPage(page);
  }

  @Override
  public boolean performFinish() {
    String name = page.getFileName();
    org.eclipse.core.runtime.IPath path = page.getContainerFullPath()
        .append(name.endsWith(ExperimentFile.SUFFIX) ? name : name + ExperimentFile.SUFFIX);
    IFile file = ResourcesPlugin.getWorkspace().getRoot().getFile(path);
    try {
      getContainer().run(true, true, monitor -> {
        try {
          // An empty file is an experiment without anything; its editor fills it.
          file.create(new ByteArrayInputStream(new byte[0]), true, monitor);
        } catch (CoreException e) {
          throw new InvocationTargetException(e);
        }
      });
    } catch (InvocationTargetException e) {
      MessageDialog.openError(getShell(), Messages.newTitle, e.getCause().getMessage());
      return false;
    } catch (InterruptedException e) {
      return false;
    }
    editor = ExperimentOpener.open(
        PlatformUI.getWorkbench().getActiveWorkbenchWindow().getActivePage(),
        file.getLocation().toPath());
    return editor != null;
  }
}
