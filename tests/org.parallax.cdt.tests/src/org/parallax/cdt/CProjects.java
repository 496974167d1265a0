package org.parallax.cdt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.CCProjectNature;
import org.eclipse.cdt.core.CCorePlugin;
import org.eclipse.cdt.core.model.CoreModel;
import org.eclipse.cdt.core.settings.model.ICProjectDescription;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.NullProgressMonitor;
import org.parallax.ui.testing.Workbench;

/** Projects of C and C++ as CDT makes them. */
final class CProjects {
  private CProjects() {
  }

  /** A project with the natures of C and C++, GNU's binary parser and an index. */
  static IProject create(String name) throws Exception {
    IProject project = Workbench.project(name);
    CCorePlugin.getDefault().createCProject(project.getDescription(), project,
        new NullProgressMonitor(), "org.parallax.cdt.tests.project");
    CCProjectNature.addCCNature(project, null);
    ICProjectDescription description =
        CCorePlugin.getDefault().getProjectDescription(project, true);
    description.getDefaultSettingConfiguration().create(CCorePlugin.BINARY_PARSER_UNIQ_ID,
        CCorePlugin.PLUGIN_ID + ".GNU_ELF");
    CCorePlugin.getDefault().setProjectDescription(project, description);
    CCorePlugin.getIndexManager().setIndexerId(CoreModel.getDefault().create(project),
        "org.eclipse.cdt.core.fastIndexer");
    return project;
  }

  static IFile file(IProject project, String name, String text) throws Exception {
    Path file = project.getLocation().append(name).toPath();
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    return project.getFile(name);
  }

  /** Runs gcc in the directory of a project. */
  static void gcc(IProject project, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("gcc", "-g"));
    command.addAll(List.of(arguments));
    Process gcc = new ProcessBuilder(command).directory(project.getLocation().toFile())
        .inheritIO().start();
    assertEquals(0, gcc.waitFor(), command.toString());
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
  }

  /**
   * A program whose functions stand where those of the sample traces are declared: main in line 100,
   * solve in 200, relax in 300, with the type of its result in 299. The function idle in line 350 is
   * not in the traces.
   */
  static String ring() {
    List<String> lines = new ArrayList<>();
    for (int line = 1; line <= 400; line++) {
      lines.add(switch (line) {
        case 90 -> "static void solve(void); static double relax(double x); void idle(void);";
        case 100 -> "int main(void) {";
        case 120 -> "  solve();";
        case 200 -> "static void solve(void) {";
        case 220 -> "  relax(2);";
        case 299 -> "static double";
        case 300 -> "relax(double x) {";
        case 310 -> "  return x / 2;";
        case 350 -> "void idle(void) {";
        case 199, 298, 340, 360 -> "}";
        default -> "/* line " + line + " */";
      });
    }
    return String.join("\n", lines) + "\n";
  }
}
