package org.parallax.ui.open;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.Adapters;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;

/** Which directory goes where. */
final class ImportTracePage extends WizardPage {
  private final IStructuredSelection selection;
  private Text directoryText;
  private Combo projectCombo;
  private Button linkButton;
  private Button copyButton;
  private Button openButton;

  ImportTracePage(IStructuredSelection selection) {
    super("trace", Messages.importTitle, null);
    this.selection = selection;
    setDescription(Messages.importDescription);
  }

  @Override
  public void createControl(Composite parent) {
    Composite page = new Composite(parent, SWT.NONE);
    GridLayoutFactory.swtDefaults().numColumns(3).applyTo(page);
    new Label(page, SWT.NONE).setText(Messages.importDirectory);
    directoryText = new Text(page, SWT.BORDER);
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER)
        .applyTo(directoryText);
    directoryText.addListener(SWT.Modify, event -> validate());
    Button browse = new Button(page, SWT.PUSH);
    browse.setText(Messages.importBrowse);
    browse.addListener(SWT.Selection, event -> browse());

    new Label(page, SWT.NONE).setText(Messages.importProject);
    projectCombo = new Combo(page, SWT.DROP_DOWN);
    GridDataFactory.fillDefaults().grab(true, false).span(2, 1).applyTo(projectCombo);
    for (IProject project : ResourcesPlugin.getWorkspace().getRoot().getProjects()) {
      if (project.isOpen()) {
        projectCombo.add(project.getName());
      }
    }
    projectCombo.setText(initialProject());
    projectCombo.addListener(SWT.Modify, event -> validate());

    linkButton = option(page, SWT.RADIO, Messages.importLink);
    copyButton = option(page, SWT.RADIO, Messages.importCopy);
    linkButton.setSelection(true);
    openButton = option(page, SWT.CHECK, Messages.importOpen);
    openButton.setSelection(true);
    setControl(page);
    setPageComplete(false);
  }

  private static Button option(Composite page, int style, String text) {
    Button button = new Button(page, style);
    button.setText(text);
    GridDataFactory.fillDefaults().span(3, 1).applyTo(button);
    return button;
  }

  private String initialProject() {
    IResource resource = selection == null ? null
        : Adapters.adapt(selection.getFirstElement(), IResource.class);
    if (resource != null && resource.getProject() != null) {
      return resource.getProject().getName();
    }
    return projectCombo.getItemCount() > 0 ? projectCombo.getItem(0)
        : Messages.importDefaultProject;
  }

  private void browse() {
    DirectoryDialog dialog = new DirectoryDialog(getShell(), SWT.OPEN);
    dialog.setMessage(Messages.importDescription);
    dialog.setFilterPath(directoryText.getText());
    String chosen = dialog.open();
    if (chosen != null) {
      directoryText.setText(chosen);
    }
  }

  /** What is quick to see; whether the directory is a readable trace is seen when it is imported. */
  private void validate() {
    String error = null;
    boolean complete = false;
    String name = projectName();
    IStatus nameStatus = ResourcesPlugin.getWorkspace().validateName(name, IResource.PROJECT);
    if (directoryText.getText().isBlank()) {
      setMessage(Messages.importDescription);
    } else if (directory() == null || !Files.isDirectory(directory())) {
      error = NLS.bind(Messages.importNoDirectory, directoryText.getText());
    } else if (!nameStatus.isOK()) {
      error = nameStatus.getMessage();
    } else {
      complete = true;
    }
    setErrorMessage(error);
    setPageComplete(complete);
  }

  /** The directory, null when the text is no path. */
  Path directory() {
    try {
      return Path.of(directoryText.getText().strip()).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      return null;
    }
  }

  String projectName() {
    return projectCombo.getText().strip();
  }

  boolean isCopy() {
    return copyButton.getSelection();
  }

  boolean isOpen() {
    return openButton.getSelection();
  }
}
