package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.Platform;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.commands.ICommandService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.reports.ComparisonView;
import org.parallax.ui.reports.CriticalPathView;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.Views;

/** What an empty perspective offers: the bundled example, by one click, and other first steps. */
class ExampleTest {
  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  @Test
  void opensByOneClickWithItsSources() throws Exception {
    CriticalPathView view = Views.criticalPath();
    follow(welcome(), "org.parallax.ui.openExample");
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    Views.awaitTable(view);
    assertEquals("refine_cells", Views.cells(view).get(0).get(0), "the planted slow part");
    var project = ResourcesPlugin.getWorkspace().getRoot().getProject("Parallax Example");
    assertTrue(project.getFile("plate.c").exists() && project.getFile("solver.c").exists());
    long runNs = OpenSession.current().state().traces().get(0).epochNs();
    assertTrue(Files.getLastModifiedTime(project.getFile("solver.c").getLocation().toPath())
        .toMillis() < runNs / 1_000_000, "its sources are older than its run");
    ComparisonView comparison =
        (ComparisonView) Workbench.page().showView(Ids.COMPARISON_VIEW);
    Workbench.settle();
    Link other = Workbench.find(Workbench.window().getShell(), Link.class,
        link -> link.isVisible() && link.getText().contains(ExampleTrace.OTHER)).get(0);
    follow(other, "0");
    Workbench.await("the other run", () -> OpenSession.current().state().traces().size() == 2);
    Workbench.await("the largest difference", () -> comparison.message().isEmpty()
        && Workbench.find(Workbench.window().getShell(), Table.class, Table::isVisible).stream()
            .anyMatch(table -> table.getItemCount() > 0
                && table.getItem(0).getText().equals("MPI_Allreduce")));
  }

  @Test
  void theExampleThatIsThereStaysAsItIs() throws Exception {
    Views.criticalPath();
    follow(welcome(), "org.parallax.ui.openExample");
    Workbench.await("the example", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    var file = ResourcesPlugin.getWorkspace().getRoot().getProject("Parallax Example")
        .getFile("heat.c").getLocation().toPath();
    Files.writeString(file, "/* mine */\n");
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    follow(welcome(), "org.parallax.ui.openExample");
    Workbench.await("the example again", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    assertEquals("/* mine */\n", Files.readString(file));
  }

  @Test
  void everyLinkOfTheWelcomeIsACommandThatIsThere() throws Exception {
    Views.criticalPath();
    ICommandService commands =
        Workbench.window().getService(ICommandService.class);
    Matcher targets = Pattern.compile("href=\"([^\"]+)\"").matcher(welcome().getText());
    List<String> found = new ArrayList<>();
    while (targets.find()) {
      found.add(targets.group(1));
      // Programs are launched by a bundle that is not in this runtime.
      boolean there = !targets.group(1).startsWith("org.eclipse.debug.")
          || Platform.getBundle("org.eclipse.debug.ui") != null;
      if (there && targets.group(1).contains(".")) {
        assertTrue(commands.deserialize(targets.group(1)).getCommand().isDefined(),
            targets.group(1));
      }
    }
    assertEquals(6, found.size(), found::toString);
  }

  /** The text of a view that has nothing to show. */
  private static Link welcome() {
    return Workbench.find(Workbench.window().getShell(), Link.class,
        each -> each.isVisible() && each.getText().contains("bundled example")).get(0);
  }

  private static void follow(Link link, String target) {
    Event event = new Event();
    event.text = target;
    link.notifyListeners(SWT.Selection, event);
    Workbench.handleEvents();
  }
}
