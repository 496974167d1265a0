package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.IPath;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IImportWizard;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

class ImportTraceWizardTest {
  @TempDir Path directory;
  private WizardDialog dialog;
  private Shell shell;

  @BeforeEach
  void openWizard() throws Exception {
    Workbench.reset();
    var descriptor = PlatformUI.getWorkbench().getImportWizardRegistry()
        .findWizard(Ids.IMPORT_WIZARD);
    assertEquals("Trace", descriptor.getLabel());
    assertEquals("Parallel Performance", descriptor.getCategory().getLabel());
    IImportWizard wizard = (IImportWizard) descriptor.createWizard();
    wizard.init(PlatformUI.getWorkbench(), StructuredSelection.EMPTY);
    dialog = new WizardDialog(Workbench.window().getShell(), wizard);
    dialog.setBlockOnOpen(false);
    dialog.open();
    shell = dialog.getShell();
    Workbench.handleEvents();
  }

  @AfterEach
  void closeWizard() {
    if (!shell.isDisposed()) {
      dialog.close();
    }
  }

  private void type(Path path) {
    Workbench.find(shell, Text.class, Text::getEditable).stream()
        .filter(text -> !(text.getParent() instanceof Combo)).findFirst().orElseThrow()
        .setText(path.toString());
    Workbench.handleEvents();
  }

  private Button finish() {
    return Workbench.find(shell, Button.class, button ->
        button.getData() instanceof Integer id && id == IDialogConstants.FINISH_ID).get(0);
  }

  private String message() {
    return String.valueOf(dialog.getCurrentPage().getErrorMessage());
  }

  private Path sample() throws Exception {
    return SampleTraces.unbalanced(Files.createDirectory(directory.resolve("ring.trace")), 2);
  }

  private static IFolder folder(String project) {
    return ResourcesPlugin.getWorkspace().getRoot().getProject(project).getFolder("ring.trace");
  }

  @Test
  void linksATraceAndOpensIt() throws Exception {
    Path trace = sample();
    assertFalse(finish().isEnabled());
    type(trace);
    assertTrue(finish().isEnabled(), message());
    Workbench.press(finish());
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    assertTrue(shell.isDisposed());
    IFolder folder = folder("Traces");
    assertTrue(folder.isLinked());
    assertEquals(trace, folder.getLocation().toPath());
    ReportView view = Views.criticalPath();
    Views.awaitTable(view);
  }

  @Test
  void copiesATraceIntoAProject() throws Exception {
    Path trace = sample();
    type(trace);
    Workbench.find(shell, Combo.class, combo -> true).get(0).setText("Mine");
    Workbench.press(Workbench.button(shell, "Copy the trace into the project"));
    Workbench.button(shell, "Open the trace").setSelection(false);
    Workbench.press(finish());
    Workbench.await("the dialog to close", shell::isDisposed);
    IFolder folder = folder("Mine");
    assertTrue(folder.exists());
    assertFalse(folder.isLinked());
    try (var files = Files.list(trace)) {
      for (Path file : files.toList()) {
        assertTrue(folder.getFile(file.getFileName().toString()).exists(), file.toString());
      }
    }
    assertFalse(OpenSession.current().state().isOpen());
  }

  @Test
  void badDirectoriesAreRefusedWithAMessage() throws Exception {
    type(directory.resolve("absent"));
    assertFalse(finish().isEnabled());
    assertTrue(message().contains("absent"), message());
    Path nothing = Files.createDirectory(directory.resolve("nothing"));
    type(nothing);
    Workbench.press(finish());
    assertFalse(shell.isDisposed());
    assertTrue(message().contains("nothing"), message());
    assertFalse(message().contains("Exception"), message());
    assertFalse(ResourcesPlugin.getWorkspace().getRoot().getProject("Traces").exists());
    // The wizard is still of use.
    type(sample());
    Workbench.press(finish());
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
  }

  @Test
  void aTraceThatIsKnownIsOpened() throws Exception {
    Path trace = sample();
    Workbench.project("Traces").getFolder("ring.trace").createLink(
        IPath.fromPath(trace), 0, null);
    type(trace);
    Workbench.press(finish());
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    assertTrue(shell.isDisposed());
  }

  @Test
  void aCopyThatLacksFilesIsNotOpenedInsteadOfTheTrace() throws Exception {
    Path trace = sample();
    IFolder folder = Workbench.project("Traces").getFolder("ring.trace");
    folder.create(true, true, null);
    try (var files = Files.list(trace)) {
      List<Path> all = files.toList();
      Path left = all.stream().filter(file -> file.toString().endsWith(".evt")).findFirst().orElseThrow();
      for (Path file : all) {
        if (!file.equals(left)) {
          Files.copy(file, folder.getLocation().toPath().resolve(file.getFileName()));
        }
      }
    }
    type(trace);
    Workbench.press(finish());
    assertFalse(shell.isDisposed());
    assertTrue(message().contains("incomplete copy"), message());
    assertFalse(OpenSession.current().state().isOpen());
  }

  @Test
  void nameThatIsTakenIsRefused() throws Exception {
    Workbench.project("Traces").getFolder("ring.trace").create(true, true, null);
    type(sample());
    Workbench.press(finish());
    assertFalse(shell.isDisposed());
    assertTrue(message().contains("ring.trace"), message());
  }
}
