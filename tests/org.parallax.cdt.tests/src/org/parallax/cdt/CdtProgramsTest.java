package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.eclipse.cdt.core.model.CoreModel;
import org.eclipse.cdt.core.model.ICProject;
import org.eclipse.cdt.core.model.IPathEntry;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.NullProgressMonitor;
import org.eclipse.core.runtime.Platform;
import org.eclipse.debug.core.DebugPlugin;
import org.eclipse.debug.core.ILaunch;
import org.eclipse.debug.core.ILaunchConfiguration;
import org.eclipse.debug.core.ILaunchManager;
import org.eclipse.debug.ui.DebugUITools;
import org.eclipse.debug.ui.IDebugUIConstants;
import org.eclipse.debug.ui.ILaunchShortcut;
import org.eclipse.jface.viewers.StructuredSelection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.parallax.model.program.Procedure;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;

/** The executables of C projects that gcc has built. */
@ExtendWith(DialogGuard.class)
class CdtProgramsTest {
  private static final String PROGRAM = """
      static volatile double sum;
      static void spin(void) {
        for (int i = 0; i < 200000000; i++) {
          sum += i;
        }
      }
      int main(void) {
        spin();
        return 0;
      }
      """;
  private final ILaunchManager manager = DebugPlugin.getDefault().getLaunchManager();
  private IProject project;

  @BeforeEach
  void makeProject() throws Exception {
    Workbench.reset();
    manager.removeLaunches(manager.getLaunches());
    for (ILaunchConfiguration each : manager.getLaunchConfigurations()) {
      each.delete();
    }
    // Nobody answers whether to switch perspectives.
    DebugUITools.getPreferenceStore()
        .setValue("org.eclipse.debug.ui.switch_to_perspective", "never");
    DebugUITools.getPreferenceStore()
        .setValue(IDebugUIConstants.PREF_BUILD_BEFORE_LAUNCH, false);
    project = CProjects.create("solver");
    CProjects.file(project, "spin.c", PROGRAM);
    Files.createDirectory(project.getLocation().append("Debug").toPath());
  }

  @AfterEach
  void forget() throws Exception {
    Workbench.reset();
  }

  private static List<String> programs(IProject project) throws Exception {
    return new CdtPrograms().programs(project, new NullProgressMonitor()).stream()
        .map(IFile::getFullPath).map(Object::toString).sorted().toList();
  }

  @Test
  void executablesAreKnownAndNothingElse() throws Exception {
    assertEquals(List.of(), programs(project));
    CProjects.gcc(project, "-o", "Debug/spin", "spin.c");
    CProjects.gcc(project, "-no-pie", "-o", "Debug/fixed", "spin.c");
    CProjects.gcc(project, "-c", "-o", "Debug/spin.o", "spin.c");
    CProjects.gcc(project, "-shared", "-fPIC", "-o", "Debug/libspin.so", "spin.c");
    assertEquals(List.of("/solver/Debug/fixed", "/solver/Debug/spin"), programs(project));
    Files.delete(project.getLocation().append("Debug/fixed").toPath());
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    assertEquals(List.of("/solver/Debug/spin"), programs(project));
  }

  @Test
  void projectsOfOtherKindsAreLeftAlone() throws Exception {
    IProject other = Workbench.project("papers");
    CProjects.file(other, "spin.c", PROGRAM);
    CProjects.gcc(other, "-o", "spin", "spin.c");
    assertEquals(List.of(), programs(other));
  }

  /** A copy that lies about outside of the folder of the output is not among what is offered. */
  @Test
  void theShortcutLaunchesTheProgramThatTheProjectBuilds() throws Exception {
    CProjects.gcc(project, "-o", "Debug/spin", "spin.c");
    Files.createDirectory(project.getLocation().append("old").toPath());
    Path copy = project.getLocation().append("old/spin").toPath();
    Files.copy(project.getLocation().append("Debug/spin").toPath(), copy);
    ICProject known = CoreModel.getDefault().create(project);
    known.setRawPathEntries(new IPathEntry[] {
        CoreModel.newSourceEntry(project.getFullPath()),
        CoreModel.newOutputEntry(project.getFullPath().append("Debug"))}, null);
    project.refreshLocal(IResource.DEPTH_INFINITE, null);

    shortcut().launch(new StructuredSelection(project),
        ILaunchManager.PROFILE_MODE);
    Workbench.await("a launch", () -> manager.getLaunches().length == 1
        && manager.getLaunches()[0].getProcesses().length == 2);
    ILaunch launch = manager.getLaunches()[0];
    Workbench.await("the end", launch::isTerminated);
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    Workbench.settle();

    ILaunchConfiguration made = launch.getLaunchConfiguration();
    assertTrue(made.getAttributes().containsValue("${workspace_loc:/solver/Debug/spin}"),
        () -> attributes(made));
    Procedure spin = OpenSession.current().state().session().getApplications().get(0)
        .getProcedures().stream().filter(each -> each.getName().equals("spin")).findFirst()
        .orElseThrow();
    assertEquals(2, spin.getLine());
  }

  /** Profile As &gt; Parallel Program. */
  private static ILaunchShortcut shortcut() throws Exception {
    for (IConfigurationElement each : Platform.getExtensionRegistry()
        .getConfigurationElementsFor("org.eclipse.debug.ui.launchShortcuts")) {
      if ("org.parallax.launch.shortcut".equals(each.getAttribute("id"))) {
        return (ILaunchShortcut) each.createExecutableExtension("class");
      }
    }
    throw new AssertionError("no shortcut");
  }

  private static String attributes(ILaunchConfiguration configuration) {
    try {
      return Arrays.toString(configuration.getAttributes().entrySet().toArray());
    } catch (CoreException e) {
      return e.toString();
    }
  }
}
