package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.LogEntries;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/**
 * What goes wrong around a trace is told in place; the workbench goes on, and the log has nothing of
 * it.
 */
class BadInputTest {
  @TempDir
  Path folder;
  private int before;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    before = LogEntries.ofParallax().size();
  }

  @AfterEach
  void nothingIsLogged() throws Exception {
    List<String> all = LogEntries.ofParallax();
    assertEquals(List.of(), all.subList(Math.min(before, all.size()), all.size()));
  }

  @Test
  void aProjectIsClosedWhileItsTraceIsOpen() throws Exception {
    IProject project = Workbench.project("runs");
    IFolder trace = Workbench.copy(sample("source"), project, "trace");
    open(trace.getLocation().toPath());
    project.close(null);
    lookAtEveryView();
    assertTrue(OpenSession.current().state().isOpen());
    project.delete(true, true, null);
    lookAtEveryView();
    OpenSession.current().close(OpenSession.current().state().traces());
    lookAtEveryView();
    assertTrue(welcome().contains("bundled example"), welcome());
  }

  @Test
  void aTraceIsDeletedWhileItIsOpen() throws Exception {
    Path trace = sample("deleted");
    open(trace);
    delete(trace);
    lookAtEveryView();
    assertTrue(OpenSession.current().state().isOpen());
    Job again = TraceOpening.open(Workbench.window(), List.of(trace));
    Workbench.await("the job", () -> again.getState() == Job.NONE);
    Workbench.settle();
    assertTrue(OpenSession.current().state().error().contains("deleted"),
        OpenSession.current().state().error());
  }

  @Test
  void oneDirectoryIsOpenedTwice() throws Exception {
    Path trace = sample("twice");
    open(trace);
    TraceOpening.open(Workbench.window(), List.of(trace));
    TraceOpening.open(Workbench.window(), List.of(trace, trace));
    Workbench.settle();
    assertEquals(1, OpenSession.current().state().traces().size());
    lookAtEveryView();
  }

  @Test
  void aForeignDirectoryIsRefused() throws Exception {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("manifest"), "name = other\n");
    TraceOpening.open(Workbench.window(), List.of(foreign));
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    assertTrue(OpenSession.current().state().error().contains("is not a trace"),
        OpenSession.current().state().error());
    lookAtEveryView();
  }

  @Test
  void everyViewIsOpenedWithNothingSelectedAndCancelled() throws Exception {
    lookAtEveryView();
    open(sample("cancelled"));
    for (String id : OurViews.ids()) {
      Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      Job.getJobManager().cancel(OpenSession.current());
    }
    lookAtEveryView();
  }

  private static void lookAtEveryView() throws Exception {
    for (String id : OurViews.ids()) {
      Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      Workbench.settle();
    }
  }

  private void open(Path trace) {
    TraceOpening.open(Workbench.window(), List.of(trace));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
  }

  private static String welcome() {
    return Workbench.find(Workbench.window().getShell(), Link.class, Link::isVisible).get(0)
        .getText();
  }

  private Path sample(String name) throws Exception {
    return SampleTraces.unbalanced(Files.createDirectory(folder.resolve(name)), 3);
  }

  private static void delete(Path directory) throws Exception {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
