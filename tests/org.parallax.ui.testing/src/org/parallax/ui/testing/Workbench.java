package org.parallax.ui.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.resources.IWorkspaceRoot;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.DialogSettings;
import org.eclipse.jface.dialogs.ErrorDialog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.swt.widgets.Widget;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.navigator.CommonNavigator;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.Settings;
import org.parallax.ui.session.OpenSession;

/** Drives the real workbench: its widgets, and the events that a person would cause in them. */
public final class Workbench {
  private static final String[] VIEWS = {Ids.TREES_VIEW, Ids.CRITICAL_PATH_VIEW,
      Ids.PROFILE_VIEW, Ids.METRICS_VIEW};
  private static final long TIMEOUT_MS = 120_000;

  private Workbench() {
  }

  public static IWorkbenchWindow window() {
    IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
    return window != null ? window : PlatformUI.getWorkbench().getWorkbenchWindows()[0];
  }

  public static IWorkbenchPage page() {
    return window().getActivePage();
  }

  /** A workbench as after its first start: no trace, no project, no editor, our perspective. */
  public static void reset() throws Exception {
    // Test runs suppress the dialogs of failed jobs, which a person sees.
    ErrorDialog.AUTOMATED_MODE = false;
    for (Shell shell : Display.getCurrent().getShells()) {
      if (shell != window().getShell() && !shell.isDisposed() && shell.isVisible()) {
        shell.close();
      }
    }
    // What a person has made of tables is kept for the next start.
    ((DialogSettings) Settings.dialogs()).removeSection("tables");
    OpenSession.current().close(OpenSession.current().state().traces());
    settle();
    page().closeAllEditors(false);
    for (String view : VIEWS) {
      page().hideView(page().findViewReference(view));
    }
    PlatformUI.getWorkbench().showPerspective(Ids.PERSPECTIVE, window());
    page().resetPerspective();
    for (IProject project : root().getProjects()) {
      project.delete(true, true, null);
    }
    settle();
  }

  private static IWorkspaceRoot root() {
    return ResourcesPlugin.getWorkspace().getRoot();
  }

  public static IProject project(String name) throws CoreException {
    IProject project = root().getProject(name);
    project.create(null);
    project.open(null);
    return project;
  }

  /** Copies a directory's files into a folder of a project. */
  public static IFolder copy(Path source, IProject project, String name) throws Exception {
    Path target = project.getLocation().append(name).toPath();
    Files.createDirectory(target);
    try (var files = Files.list(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    IFolder folder = project.getFolder(name);
    folder.refreshLocal(IResource.DEPTH_INFINITE, null);
    return folder;
  }

  /** Handles events until the condition holds. */
  public static void await(String what, BooleanSupplier condition) {
    long end = System.currentTimeMillis() + TIMEOUT_MS;
    Display display = Display.getCurrent();
    while (!condition.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        fail("waited " + TIMEOUT_MS + " ms in vain for: " + what + "; our jobs: "
            + Arrays.toString(Job.getJobManager().find(OpenSession.current())));
      }
      if (!display.readAndDispatch()) {
        pause();
      }
    }
    handleEvents();
  }

  private static void pause() {
    try {
      Thread.sleep(5);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Handles the events that are there. */
  public static void handleEvents() {
    while (Display.getCurrent().readAndDispatch()) {
      // All of them.
    }
  }

  /** Waits until nobody keeps what was closed. */
  public static void awaitGone(WeakReference<?> closed) throws Exception {
    // The workbench keeps what was selected in the part that was active, until another one is.
    page().showView(Ids.TREES_VIEW, null, IWorkbenchPage.VIEW_ACTIVATE);
    settle();
    await("nobody to keep what was closed", () -> {
      System.gc();
      return closed.get() == null;
    });
  }

  /** Handles events until no job of ours is waiting or running. */
  public static void settle() {
    handleEvents();
    do {
      // What a job tells the UI thread when it ends can start another one.
      await("our jobs to end",
          () -> Job.getJobManager().find(OpenSession.current()).length == 0);
      // Tables are made in several events.
      handleEvents();
    } while (Job.getJobManager().find(OpenSession.current()).length > 0);
  }

  /** Double-clicks a resource in the Project Explorer. */
  public static void doubleClickInExplorer(IResource resource) throws Exception {
    CommonNavigator explorer =
        (CommonNavigator) page().showView(IPageLayout.ID_PROJECT_EXPLORER);
    explorer.getCommonViewer().refresh();
    explorer.selectReveal(new org.eclipse.jface.viewers.StructuredSelection(resource));
    Tree tree = explorer.getCommonViewer().getTree();
    await(resource + " in the Project Explorer", () -> tree.getSelectionCount() == 1
        && resource.equals(tree.getSelection()[0].getData()));
    doubleClick(tree, tree.getSelection()[0]);
  }

  /** A double click on an item that is selected. */
  public static void doubleClick(Control control, Widget item) {
    Event event = new Event();
    event.item = item;
    event.widget = control;
    event.type = SWT.DefaultSelection;
    control.notifyListeners(SWT.DefaultSelection, event);
    handleEvents();
  }

  /** Selects an item as a click does. */
  public static void click(Tree tree, TreeItem item) {
    tree.setSelection(item);
    Event event = new Event();
    event.item = item;
    tree.notifyListeners(SWT.Selection, event);
    handleEvents();
  }

  /** Presses a button. */
  public static void press(Button button) {
    if (!button.isEnabled()) {
      fail("the button " + button.getText() + " is not enabled");
    }
    if ((button.getStyle() & SWT.RADIO) != 0) {
      for (Control sibling : button.getParent().getChildren()) {
        if (sibling instanceof Button other && (other.getStyle() & SWT.RADIO) != 0) {
          other.setSelection(other == button);
        }
      }
    }
    button.notifyListeners(SWT.Selection, new Event());
    handleEvents();
  }

  /** All controls of a type below a composite that meet a condition. */
  public static <T extends Control> List<T> find(Composite root, Class<T> type,
      Predicate<T> condition) {
    List<T> found = new ArrayList<>();
    for (Control child : root.getChildren()) {
      if (type.isInstance(child) && condition.test(type.cast(child))) {
        found.add(type.cast(child));
      }
      if (child instanceof Composite composite) {
        found.addAll(find(composite, type, condition));
      }
    }
    return found;
  }

  public static Button button(Composite root, String text) {
    List<Button> found =
        find(root, Button.class, button -> button.getText().replace("&", "").equals(text));
    if (found.size() != 1) {
      fail(found.size() + " buttons named " + text);
    }
    return found.get(0);
  }

  /** The visible dialog with this title, or null. */
  public static Shell dialog(String title) {
    return Arrays.stream(Display.getCurrent().getShells())
        .filter(shell -> !shell.isDisposed() && shell.isVisible()
            && shell.getText().equals(title))
        .findFirst().orElse(null);
  }

  /** All texts of labels and text fields in a dialog. */
  public static String texts(Composite dialog) {
    StringBuilder all = new StringBuilder();
    for (var label : find(dialog, org.eclipse.swt.widgets.Label.class, each -> true)) {
      all.append(label.getText()).append('\n');
    }
    for (var text : find(dialog, org.eclipse.swt.widgets.Text.class, each -> true)) {
      all.append(text.getText()).append('\n');
    }
    return all.toString();
  }
}
