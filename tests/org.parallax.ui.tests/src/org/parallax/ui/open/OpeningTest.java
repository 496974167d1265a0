package org.parallax.ui.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.resources.IFolder;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Platform;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.content.IContentType;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.ide.IDE;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.files.SessionFile;
import org.parallax.record.Agent;
import org.parallax.trace.Trace;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.LogEntries;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.SessionView;
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
    assertFalse(OpenSession.current().state().isOpen());
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

  /** A trace of a format that is not known yet. */
  private Path newer(String name) throws Exception {
    Path trace = sample(name);
    Path manifest = trace.resolve("manifest");
    Files.writeString(manifest, Files.readString(manifest)
        .replaceFirst("parallax-trace = 1", "parallax-trace = 99"));
    return trace;
  }

  @Test
  void damagedTraceIsRefusedWithAMessage() throws Exception {
    assertRefused(newer("newer"), "99");
  }

  @Test
  void directoryThatIsNoTraceIsRefusedWithAMessage() throws Exception {
    assertRefused(Files.createDirectory(directory.resolve("nothing")), "nothing");
  }

  @Test
  void missingDirectoryIsRefusedWithAMessage() throws Exception {
    assertRefused(directory.resolve("absent"), "absent");
  }

  private static Path writer() {
    return Path.of(System.getProperty(Agent.RECORDER_PROPERTY)).resolveSibling("parallax-otf2-archives");
  }

  /** Whether the library of OTF2 is installed. */
  static boolean writesArchives() {
    return Files.isExecutable(writer());
  }

  /** A double click runs the editor that the workbench has for the name. */
  @Test
  @EnabledIf("writesArchives")
  void anArchiveOfAnotherToolOpens() throws Exception {
    Path writer = writer();
    assertEquals(0, new ProcessBuilder(writer.toString(), directory.toString()).start().waitFor());
    Path archive = directory.resolve("late/late.otf2");
    assertEquals("org.parallax.ui.traceLauncher", IDE.getEditorDescriptor("late.otf2", true, false).getId());
    ReportView view = Views.criticalPath();
    new TraceLauncher().open(IPath.fromPath(archive));
    Workbench.await("the archive", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    assertEquals(List.of(archive), open());
    Views.awaitTable(view);
    assertEquals("", error());
  }

  /** Whether the native programs are built. */
  static boolean readsParaver() {
    return Files.isExecutable(Path.of(System.getProperty(Agent.RECORDER_PROPERTY)).resolveSibling("parallax-paraver"));
  }

  @Test
  @EnabledIf("readsParaver")
  void aTraceOfParaverOpens() throws Exception {
    Path trace = Files.writeString(directory.resolve("app.prv"), """
        #Paraver (28/11/26 at 12:00):3000_ns:1(1):1:1(1:1)
        2:1:1:1:1:0:60000019:1
        2:1:1:1:1:3000:60000019:0
        """);
    Files.writeString(directory.resolve("app.pcf"), "EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 solve\n");
    Files.writeString(directory.resolve("app.row"), "LEVEL NODE SIZE 1\nnode7\n");
    assertEquals("org.parallax.ui.traceLauncher", IDE.getEditorDescriptor("app.prv", true, false).getId());
    ReportView view = Views.criticalPath();
    new TraceLauncher().open(IPath.fromPath(trace));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen() || !error().isEmpty());
    assertEquals("", error());
    Workbench.settle();
    assertEquals(List.of(trace), open());
    Views.awaitTable(view);
    assertTrue(Views.cells(view).stream().anyMatch(row -> row.contains("solve")), () -> Views.cells(view).toString());
  }

  /** A double click opens profiles of other tools. A view that needs events says that there are none. */
  @Test
  void aProfileOpensAndAViewThatNeedsEventsSaysSo() throws Exception {
    for (String name : List.of("profile.cubex", "profile.cali")) {
      assertEquals("org.parallax.ui.traceLauncher", IDE.getEditorDescriptor(name, true, false).getId(), name);
    }
    Path profile = Files.writeString(directory.resolve("heat.cali"), String.join("\n",
        "__rec=node,id=20,attr=10,data=268,parent=3", "__rec=node,id=21,attr=8,data=function,parent=20",
        "__rec=node,id=31,attr=10,data=65,parent=5", "__rec=node,id=32,attr=8,data=sum#time.duration.ns,parent=31",
        "__rec=node,id=40,attr=21,data=main", "__rec=ctx,ref=40,attr=32,data=5000000", ""));
    ReportView path = Views.criticalPath();
    ReportView shown = Views.show("org.parallax.ui.views.profile");
    new TraceLauncher().open(IPath.fromPath(profile));
    Workbench.await("the profile", () -> OpenSession.current().state().isOpen());
    Workbench.settle();
    assertEquals(List.of(profile), open());
    Views.awaitTable(shown);
    assertEquals("main", Views.cells(shown).get(0).get(0));
    assertEquals("", error());
    path.getSite().getPage().activate(path);
    Workbench.await("the message", () -> path.warnings().stream().anyMatch(told ->
        told.contains("has no events, only the sums of a profile: the report critical-path cannot be made")));
    for (String id : List.of("org.parallax.ui.views.timeline", "org.parallax.ui.views.histogram")) {
      SessionView<?> view = (SessionView<?>) Workbench.page().showView(id);
      Workbench.await("the message of " + id,
          () -> view.message().contains("has no events, only the sums of a profile: there is no "));
    }
  }

  /** A double click opens files with events, and no other JSON files. */
  @Test
  void onlyJsonWithEventsIsATrace() throws Exception {
    for (String name : List.of("a.pftrace", "a.perfetto-trace")) {
      assertEquals("org.parallax.ui.traceLauncher", IDE.getEditorDescriptor(name, true, false).getId(), name);
    }
    String events = "[{\"name\":\"f\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5}]";
    assertEquals("org.parallax.ui.traceEvents", contentType(events));
    assertNotEquals("org.parallax.ui.traceEvents", contentType("{\"name\": \"package\"}"));
  }

  private static String contentType(String json) throws IOException {
    IContentType type = Platform.getContentTypeManager()
        .findContentTypeFor(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), "file.json");
    return type == null ? "" : type.getId();
  }

  private static List<Path> open() {
    return OpenSession.current().state().traces().stream().map(Trace::directory).toList();
  }

  private static String error() {
    return OpenSession.current().state().error();
  }

  @Test
  void thoseThatCanBeReadAreOpenedAndOfEachOtherItIsToldWhy() throws Exception {
    final int logged = LogEntries.ofParallax().size();
    Path first = sample("first");
    Path absent = directory.resolve("absent");
    Path newer = newer("newer");
    Path broken = directory.resolve("broken" + SessionFile.SUFFIX);
    Files.writeString(broken, "<no session>");
    Path last = sample("last");
    ReportView view = Views.criticalPath();
    Job job = TraceOpening.open(Workbench.window(), List.of(absent, first, newer, broken, last));
    Workbench.await("the job", () -> job.getResult() != null);
    Workbench.settle();
    assertEquals(List.of(first, last), open());
    assertEquals(List.of(), OpenSession.current().state().opening());
    Views.awaitTable(view);
    // Session files are read before the traces.
    List<String> told = view.warnings();
    assertEquals(3, told.size(), told::toString);
    assertTrue(told.get(0).contains(broken.toString()), told.get(0));
    assertTrue(told.get(1).startsWith("There is no trace directory " + absent), told.get(1));
    assertTrue(told.get(2).contains(newer + " has format 99"), told.get(2));
    assertEquals(String.join("\n", told), error());
    assertEquals(IStatus.INFO, job.getResult().getSeverity());
    assertEquals(error(), job.getResult().getMessage());
    assertEquals(logged, LogEntries.ofParallax().size(), "nothing is logged");
    TraceOpening.open(Workbench.window(), List.of(first));
    Workbench.settle();
    assertEquals("", error(), "what was told of the opening before is over");
    Views.awaitTable(view);
    assertEquals(List.of(), view.warnings());
  }

  @Test
  void ifNoneCanBeReadAllReasonsAreTold() throws Exception {
    Path newer = newer("newer");
    Path absent = directory.resolve("absent");
    Views.criticalPath();
    Job job = TraceOpening.open(Workbench.window(), List.of(newer, absent));
    Workbench.await("the job", () -> job.getResult() != null);
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    List<String> told = error().lines().toList();
    assertEquals(2, told.size(), told::toString);
    assertTrue(told.get(0).contains(newer.toString()), told.get(0));
    assertTrue(told.get(1).contains(absent.toString()), told.get(1));
    assertTrue(visibleLink().contains(error()), visibleLink());
    assertEquals(IStatus.INFO, job.getResult().getSeverity());
  }

  @Test
  void anOpeningThatSucceedsDoesNotHideWhyTheOneBeforeItFailed() throws Exception {
    Path good = sample("good");
    TraceOpening.open(Workbench.window(), List.of(directory.resolve("absent")));
    TraceOpening.open(Workbench.window(), List.of(good));
    Workbench.settle();
    assertEquals(List.of(good), open());
    assertTrue(error().contains("absent"), error());
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    assertEquals("", error());
  }

  @Test
  void whatIsReadAnewStaysOpenWhereItCannotBe() throws Exception {
    Path good = sample("good");
    TraceOpening.open(Workbench.window(), List.of(good));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    Path moved = directory.resolve("moved");
    Files.move(good, moved);
    TraceOpening.open(Workbench.window(), List.of(good, moved));
    Workbench.settle();
    assertEquals(List.of(good, moved), open());
    assertTrue(error().contains(good.toString()), error());
  }

  @Test
  void failureLeavesWhatIsOpen() throws Exception {
    TraceOpening.open(Workbench.window(), List.of(sample("good")));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    ReportView view = Views.criticalPath();
    Views.awaitTable(view);
    Job job = TraceOpening.open(Workbench.window(), List.of(directory.resolve("absent")));
    Workbench.await("the job", () -> job.getResult() != null);
    Workbench.settle();
    assertEquals(1, OpenSession.current().state().traces().size());
    assertEquals(job.getResult().getMessage(), OpenSession.current().state().error());
    Views.awaitTable(view);
    assertTrue(visibleLink().contains("absent"), visibleLink());
  }

  @Test
  void openingIsCancelledWhileItReads() throws Exception {
    Path trace = sample("slow");
    // That this one is not there would be told if the opening went on.
    Path absent = directory.resolve("absent");
    IJobChangeListener atOnce = new JobChangeAdapter() {
      @Override
      public void running(IJobChangeEvent event) {
        if (event.getJob().getName().equals("Opening trace absent, slow")) {
          event.getJob().cancel();
        }
      }
    };
    Job.getJobManager().addJobChangeListener(atOnce);
    Job job = TraceOpening.open(Workbench.window(), List.of(absent, trace));
    try {
      Workbench.await("the job", () -> job.getResult() != null);
    } finally {
      Job.getJobManager().removeJobChangeListener(atOnce);
    }
    assertEquals(IStatus.CANCEL, job.getResult().getSeverity());
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    assertEquals(List.of(), OpenSession.current().state().opening());
    assertEquals("", OpenSession.current().state().error());
    assertTrue(visibleLink().contains("Open the bundled example"), visibleLink());
  }

  @Test
  void waitingOpeningIsCancelledByTheLinkInTheView() throws Exception {
    Path trace = sample("queued");
    Job job = OpenSession.current().open(List.of(sample("first")));
    Workbench.await("the first trace", () -> job.getResult() != null);
    OpenSession.current().close(OpenSession.current().state().traces());
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
      Job queued = OpenSession.current().open(List.of(trace));
      Workbench.handleEvents();
      assertEquals(List.of(trace), OpenSession.current().state().opening());
      Link link = Workbench.find(Workbench.window().getShell(), Link.class,
          each -> each.isVisible() && each.getText().contains("Opening queued")).get(0);
      Event event = new Event();
      event.text = "cancel";
      link.notifyListeners(SWT.Selection, event);
      Workbench.await("the queued job", () -> queued.getState() == Job.NONE);
      Workbench.await("the end of opening",
          () -> OpenSession.current().state().opening().isEmpty());
    } finally {
      inTheWay.cancel();
    }
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
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
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    assertEquals(List.of(trace.getLocation().toPath()), OpenSession.current().state().traces()
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
