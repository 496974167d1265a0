package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;

class OpeningTest {
  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
  }

  private Path sample(String name) throws Exception {
    return SampleTraces.unbalanced(Files.createDirectory(directory.resolve(name)), 3);
  }

  private static String visibleLink() {
    return Workbench.find(Workbench.window().getShell(), Link.class,
        link -> link.isVisible() && link.getText().contains("trace")).stream()
        .map(Link::getText).reduce("", (all, text) -> all + text + "\n");
  }

  private void assertRefused(Path trace, String... words) throws Exception {
    Views.criticalPath();
    Job job = TraceOpening.open(Workbench.window(), List.of(trace));
    Workbench.await("the job", () -> job.getResult() != null);
    Workbench.settle();
    assertFalse(ParallaxUi.session().state().isOpen());
    String shown = visibleLink();
    String message = job.getResult().getMessage();
    assertEquals(IStatus.INFO, job.getResult().getSeverity());
    assertNull(job.getResult().getException());
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
    assertTrue(shown.contains(message), shown + " should contain " + message);
    assertFalse(message.contains("Exception"), message);
  }

  @Test
  void damagedTraceIsRefusedWithAMessage() throws Exception {
    Path trace = sample("newer");
    Path manifest = trace.resolve("manifest");
    Files.writeString(manifest, Files.readString(manifest)
        .replaceFirst("parallax-trace = 1", "parallax-trace = 99"));
    assertRefused(trace, "99");
  }

  @Test
  void directoryThatIsNoTraceIsRefusedWithAMessage() throws Exception {
    assertRefused(Files.createDirectory(directory.resolve("nothing")), "nothing");
  }

  @Test
  void missingDirectoryIsRefusedWithAMessage() throws Exception {
    assertRefused(directory.resolve("absent"), "absent");
  }

  @Test
  void failureLeavesWhatIsOpen() throws Exception {
    TraceOpening.open(Workbench.window(), List.of(sample("good")));
    Workbench.await("the trace", () -> ParallaxUi.session().state().isOpen());
    ReportView view = Views.criticalPath();
    Views.awaitTable(view);
    Job job = TraceOpening.open(Workbench.window(), List.of(directory.resolve("absent")));
    Workbench.await("the job", () -> job.getResult() != null);
    Workbench.settle();
    assertEquals(1, ParallaxUi.session().state().traces().size());
    assertEquals(job.getResult().getMessage(), ParallaxUi.session().state().error());
    Views.awaitTable(view);
    assertTrue(visibleLink().contains("absent"), visibleLink());
  }

  @Test
  void openingIsCancelledWhileItReads() throws Exception {
    Path trace = sample("slow");
    IJobChangeListener atOnce = new JobChangeAdapter() {
      @Override
      public void running(IJobChangeEvent event) {
        if (event.getJob().getName().equals("Opening trace slow")) {
          event.getJob().cancel();
        }
      }
    };
    Job.getJobManager().addJobChangeListener(atOnce);
    Job job = TraceOpening.open(Workbench.window(), List.of(trace));
    try {
      Workbench.await("the job", () -> job.getResult() != null);
    } finally {
      Job.getJobManager().removeJobChangeListener(atOnce);
    }
    assertEquals(IStatus.CANCEL, job.getResult().getSeverity());
    Workbench.settle();
    assertFalse(ParallaxUi.session().state().isOpen());
    assertEquals(List.of(), ParallaxUi.session().state().opening());
    assertEquals("", ParallaxUi.session().state().error());
    assertTrue(visibleLink().contains("Open the bundled example"), visibleLink());
  }

  @Test
  void waitingOpeningIsCancelledByTheLinkInTheView() throws Exception {
    Path trace = sample("queued");
    Job job = ParallaxUi.session().open(List.of(sample("first")));
    Workbench.await("the first trace", () -> job.getResult() != null);
    ParallaxUi.session().close(ParallaxUi.session().state().traces());
    Workbench.settle();
    // A job with the rule of those that change the session keeps the next one waiting.
    Job inTheWay = new Job("in the way") {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        while (!monitor.isCanceled()) {
          Thread.onSpinWait();
        }
        return Status.OK_STATUS;
      }
    };
    inTheWay.setRule(job.getRule());
    inTheWay.schedule();
    Workbench.await("the job in the way", () -> inTheWay.getState() == Job.RUNNING);
    try {
      Views.criticalPath();
      Job queued = ParallaxUi.session().open(List.of(trace));
      Workbench.handleEvents();
      assertEquals(List.of(trace), ParallaxUi.session().state().opening());
      Link link = Workbench.find(Workbench.window().getShell(), Link.class,
          each -> each.isVisible() && each.getText().contains("Opening queued")).get(0);
      Event event = new Event();
      event.text = "cancel";
      link.notifyListeners(SWT.Selection, event);
      Workbench.await("the queued job", () -> queued.getState() == Job.NONE);
      Workbench.await("the end of opening",
          () -> ParallaxUi.session().state().opening().isEmpty());
    } finally {
      inTheWay.cancel();
    }
    Workbench.settle();
    assertFalse(ParallaxUi.session().state().isOpen());
    assertTrue(visibleLink().contains("Open the bundled example"), visibleLink());
  }

  @Test
  void openTraceIsInTheMenuOfTraceFoldersOnly() throws Exception {
    IProject project = Workbench.project("runs");
    IFolder trace = Workbench.copy(sample("source"), project, "trace");
    IFolder other = project.getFolder("other");
    other.create(true, true, null);
    TraceResourceTester tester = new TraceResourceTester();
    assertTrue(tester.test(trace, "isTrace", new Object[0], null));
    assertTrue(tester.test(trace.getFile("manifest"), "isTrace", new Object[0], null));
    assertFalse(tester.test(other, "isTrace", new Object[0], null));
    assertFalse(tester.test(project, "isTrace", new Object[0], null));
    Files.writeString(other.getLocation().append("manifest").toPath(), "name = other\n");
    other.refreshLocal(IResource.DEPTH_ONE, null);
    assertFalse(tester.test(other, "isTrace", new Object[0], null));
    assertEquals(trace.getLocation().toPath(), TraceResources.traceOf(trace));

    var explorer = (org.eclipse.ui.navigator.CommonNavigator) Workbench.page()
        .showView(org.eclipse.ui.IPageLayout.ID_PROJECT_EXPLORER);
    explorer.selectReveal(new org.eclipse.jface.viewers.StructuredSelection(trace));
    Workbench.handleEvents();
    PlatformUI.getWorkbench().getService(org.eclipse.ui.handlers.IHandlerService.class)
        .executeCommand("org.parallax.ui.openTrace", null);
    Workbench.await("the trace", () -> ParallaxUi.session().state().isOpen());
    assertEquals(List.of(trace.getLocation().toPath()), ParallaxUi.session().state().traces()
        .stream().map(each -> each.directory()).toList());
  }

  @Test
  void traceFoldersAreMarked() throws Exception {
    IProject project = Workbench.project("runs");
    IFolder trace = Workbench.copy(sample("source"), project, "trace");
    var explorer = (org.eclipse.ui.navigator.CommonNavigator) Workbench.page()
        .showView(org.eclipse.ui.IPageLayout.ID_PROJECT_EXPLORER);
    explorer.selectReveal(new org.eclipse.jface.viewers.StructuredSelection(trace));
    var tree = explorer.getCommonViewer().getTree();
    Workbench.await("the mark", () -> tree.getSelectionCount() == 1
        && tree.getSelection()[0].getText().equals("trace [trace]"));
  }

  @Test
  void commandLineNamesTraces() {
    assertEquals(List.of(Path.of("/runs/a"), Path.of("/runs/b")),
        CommandLineStartup.directories(new String[] {"-data", "/ws", "-parallax.open", "/runs/a",
            "-parallax.open", "/runs/x/../b", "-parallax.open"}));
    assertEquals(List.of(), CommandLineStartup.directories(new String[] {"-data", "/ws"}));
  }
}
