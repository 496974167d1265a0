package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.model.ModelFactory;
import org.parallax.model.Run;
import org.parallax.model.RunMode;
import org.parallax.model.Session;
import org.parallax.model.files.SessionFile;
import org.parallax.trace.Trace;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.reports.ComparisonView.Part;
import org.parallax.ui.session.OpenRun;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/** Session files and runs of a launch, and on which side of a comparison they are. */
class OpenRunsTest {
  @TempDir Path directory;

  @BeforeEach
  void reset() throws Exception {
    Workbench.page().hideView(Workbench.page().findViewReference(Ids.COMPARISON_VIEW));
    Workbench.reset();
  }

  @AfterEach
  void forget() {
    OpenSession.current().setBaseline(List.of());
  }

  private Path trace(String name, int steps) {
    return SampleTraces.unbalanced(directory.resolve(name), steps);
  }

  private static void add(Session session, String trace, RunMode mode, String group) {
    Run run = ModelFactory.eINSTANCE.createRun();
    run.setName(trace.replace('.', '_'));
    run.setTrace(trace);
    run.setMode(mode);
    run.setGroup(group);
    if (mode == RunMode.ACTIVE) {
      run.setCommand("true");
    }
    session.getRuns().add(run);
  }

  private Path session(String name, Session session) throws Exception {
    Path file = directory.resolve(name + SessionFile.SUFFIX);
    SessionFile.write(session, file);
    return file;
  }

  /** Two repetitions of a launch. */
  private Path repetitions(String launch, int steps) throws Exception {
    Session session = ModelFactory.eINSTANCE.createSession();
    for (int i = 1; i <= 2; i++) {
      add(session, trace(launch + "-r" + i, steps).getFileName().toString(), RunMode.ACTIVE,
          launch);
    }
    return session(launch, session);
  }

  private static ComparisonView view() throws Exception {
    ComparisonView view =
        (ComparisonView) Workbench.page().showView(Ids.COMPARISON_VIEW);
    Workbench.settle();
    return view;
  }

  private static Map<String, Part> parts(ComparisonView view) {
    Map<String, Part> parts = new TreeMap<>();
    view.parts().forEach((trace, part) -> parts.put(Sides.name(trace.directory()), part));
    return parts;
  }

  private static void open(Path path, OpenRun.Series series) {
    OpenSession.current().open(List.of(path), series);
    Workbench.settle();
  }

  @Test
  void theRunsOfASessionFileAreComparedAsItSays() throws Exception {
    IProject project = Workbench.project("runs");
    directory = project.getLocation().toPath();
    Session session = ModelFactory.eINSTANCE.createSession();
    for (String name : List.of("a1", "a2", "b1", "b2")) {
      boolean isBase = name.startsWith("a");
      trace(name, isBase ? 5 : 8);
      add(session, name, isBase ? RunMode.COMPARISON : RunMode.REPLAY, isBase ? "old" : "tuned");
    }
    session("both", session);
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    IFile file = project.getFile("both.parallax");
    assertFalse(OpenSession.current().state().isOpen());
    Workbench.doubleClickInExplorer(file);
    Workbench.await("the traces", () -> OpenSession.current().state().traces().size() == 4);
    Workbench.settle();
    Workbench.await("the comparison", () -> Workbench.page()
        .isPartVisible(Workbench.page().findView(Ids.COMPARISON_VIEW)));
    ComparisonView view = view();
    assertEquals(Map.of("a1", Part.BASE, "a2", Part.BASE, "b1", Part.NEW, "b2", Part.NEW),
        parts(view));
    assertEquals("2", view.comparison().table().parameters().get("baseRuns"));
    assertEquals("2", view.comparison().table().parameters().get("newRuns"));
    assertEquals("old", view.comparison().table().parameters().get("base"));
    assertEquals(4 * 3 * 41_000_000L, view.comparison().table().total());
  }

  @Test
  void theNewestRunIsComparedWithTheOneBefore() throws Exception {
    Path other = trace("other", 3);
    open(other, OpenRun.Series.NONE);
    open(repetitions("run-1", 5), new OpenRun.Series("heat", "heat-1", 1, Set.of()));
    ComparisonView view = view();
    // Nothing else is there to compare with.
    assertEquals(Map.of("other", Part.BASE, "run-1-r1", Part.NEW, "run-1-r2", Part.NEW),
        parts(view));
    open(repetitions("run-2", 8), new OpenRun.Series("heat", "heat-2", 1, Set.of()));
    assertEquals(Map.of("other", Part.NONE, "run-1-r1", Part.BASE, "run-1-r2", Part.BASE,
        "run-2-r1", Part.NEW, "run-2-r2", Part.NEW), parts(view));
    assertEquals("heat-1", view.comparison().table().parameters().get("base"));
    assertEquals("heat-2", view.comparison().table().parameters().get("new"));
    assertEquals("2", view.comparison().table().parameters().get("newRuns"));
    open(repetitions("run-3", 9), new OpenRun.Series("heat", "heat-3", 1, Set.of()));
    assertEquals(Map.of("other", Part.NONE, "run-2-r1", Part.BASE, "run-2-r2", Part.BASE,
        "run-3-r1", Part.NEW, "run-3-r2", Part.NEW), parts(view));
    // One that was closed comes back as the base.
    view.openEarlier(directory.resolve("run-1-r1"));
    Workbench.settle();
    assertEquals(Part.BASE, parts(view).get("run-1-r1"));
    assertEquals(Part.NEW, parts(view).get("run-3-r2"));
    assertEquals(1, parts(view).values().stream().filter(part -> part == Part.BASE).count());
    // It is so for all views, such as the timeline.
    assertEquals(Set.of(directory.resolve("run-1-r1")), OpenSession.current().state().baseline());
  }

  @Test
  void whatAPersonComparesWithStays() throws Exception {
    ComparisonView view = view();
    for (int run = 1; run <= 2; run++) {
      open(trace("run-" + run, 4 + run),
          new OpenRun.Series("heat", "heat-" + run, 1, Set.of()));
    }
    assertEquals(Map.of("run-1", Part.BASE, "run-2", Part.NEW), parts(view));
    view.setParts(view.parts());
    for (int run = 3; run <= 5; run++) {
      open(trace("run-" + run, 4 + run),
          new OpenRun.Series("heat", "heat-" + run, 1, Set.of()));
    }
    assertEquals(Map.of("run-1", Part.BASE, "run-4", Part.NONE, "run-5", Part.NEW),
        parts(view));
  }

  @Test
  void partsOfARunAreNotItsRepetitions() throws Exception {
    // A server and its client of two runs, as a launch of both writes them.
    for (int number = 1; number <= 2; number++) {
      Session session = ModelFactory.eINSTANCE.createSession();
      for (String name : List.of("server", "client")) {
        trace(name + number, 3 + number);
        add(session, name + number, RunMode.ACTIVE, null);
      }
      open(session("both" + number, session),
          new OpenRun.Series("both", "both-" + number, 1, Set.of()));
    }
    ComparisonView view = view();
    assertEquals(Map.of("server1", Part.BASE, "client1", Part.BASE, "server2", Part.NEW,
        "client2", Part.NEW), parts(view));
    assertEquals("1", view.comparison().table().parameters().get("baseRuns"));
    assertEquals("1", view.comparison().table().parameters().get("newRuns"));
  }

  @Test
  void repetitionsOfSeveralApplicationsAreReadFromTheirSessionFiles() throws Exception {
    Session all = ModelFactory.eINSTANCE.createSession();
    for (int number = 1; number <= 2; number++) {
      Session session = ModelFactory.eINSTANCE.createSession();
      for (String name : List.of("server", "client")) {
        trace(name + number, 3);
        add(session, name + number, RunMode.ACTIVE, null);
      }
      add(all, session("run-" + number, session).getFileName().toString(), RunMode.REPLAY, "now");
    }
    trace("before", 3);
    add(all, "before", RunMode.COMPARISON, null);
    open(session("all", all), OpenRun.Series.NONE);
    ComparisonView view = view();
    assertEquals(5, OpenSession.current().state().traces().size());
    assertEquals(Part.NEW, parts(view).get("client2"));
    assertEquals(Part.BASE, parts(view).get("before"));
    assertEquals("2", view.comparison().table().parameters().get("newRuns"));
    assertEquals("1", view.comparison().table().parameters().get("baseRuns"));
  }

  @Test
  void allRepetitionsOfAnEarlierLaunchAreTheBase() throws Exception {
    Path root = directory;
    // As launches write them: a directory of its own for each.
    for (int number = 1; number <= 3; number++) {
      directory = Files.createDirectory(root.resolve("heat-" + number));
      repetitions("run-" + number, 4 + number);
    }
    Session first = SessionFile.read(root.resolve("heat-1/run-1.parallax"));
    directory = root.resolve("heat-1");
    trace("reference", 2);
    add(first, "reference", RunMode.COMPARISON, null);
    session("run-1", first);
    open(root.resolve("heat-3/run-3.parallax"),
        new OpenRun.Series("heat", "heat-3", 1, Set.of()));
    ComparisonView view = view();
    for (int number : List.of(1, 2, 1)) {
      view.openEarlier(root.resolve("heat-" + number));
      Workbench.settle();
      Map<String, Part> expected = new TreeMap<>(Map.of("run-3-r1", Part.NEW, "run-3-r2", Part.NEW));
      parts(view).keySet().forEach(name -> expected.putIfAbsent(name,
          name.startsWith("run-" + number) ? Part.BASE : Part.NONE));
      assertEquals(expected, parts(view));
      assertFalse(expected.containsKey("reference"), "with what it was compared itself");
      assertEquals("2", view.comparison().table().parameters().get("baseRuns"));
      assertEquals("2", view.comparison().table().parameters().get("newRuns"));
      assertEquals("run-" + number, view.comparison().table().parameters().get("base"));
      assertEquals(4 * (3 - number) * 41_000_000L, view.comparison().table().total());
    }
  }

  @Test
  void aDirectoryOfSeveralApplicationsThatAreRepeatedIsOneRun() throws Exception {
    Path root = directory;
    directory = Files.createDirectory(root.resolve("all-1"));
    Session all = ModelFactory.eINSTANCE.createSession();
    for (int number = 1; number <= 2; number++) {
      Session session = ModelFactory.eINSTANCE.createSession();
      for (String name : List.of("server", "client")) {
        trace(name + number, 3);
        add(session, name + number, RunMode.ACTIVE, null);
      }
      add(all, session("run-" + number, session).getFileName().toString(), RunMode.REPLAY, "all");
    }
    session("all", all);
    open(directory, OpenRun.Series.NONE);
    assertEquals(4, OpenSession.current().state().traces().size(), error());
    assertEquals(1, OpenSession.current().runs().all().size());
    assertEquals(2, OpenSession.current().runs().all().get(0).repetitions().size());
    // One that cannot be read is known by who names it.
    Files.writeString(directory.resolve("run-2" + SessionFile.SUFFIX), "<no session>");
    open(directory, OpenRun.Series.NONE);
    assertTrue(error().contains("run-2" + SessionFile.SUFFIX), error());
    // Of two that do not name each other nobody knows which is meant.
    session("other", ModelFactory.eINSTANCE.createSession());
    open(directory, OpenRun.Series.NONE);
    assertTrue(error().contains(directory + " is not a trace"), error());
  }

  @Test
  void aSessionFileThatIsWrongIsToldInTheViews() throws Exception {
    Path file = directory.resolve("broken" + SessionFile.SUFFIX);
    Files.writeString(file, "<no session>");
    open(file, OpenRun.Series.NONE);
    assertFalse(OpenSession.current().state().isOpen());
    assertTrue(OpenSession.current().state().error().contains(file.toString()),
        OpenSession.current().state().error());
    Session session = ModelFactory.eINSTANCE.createSession();
    add(session, "gone", RunMode.REPLAY, null);
    open(session("lost", session), OpenRun.Series.NONE);
    assertTrue(OpenSession.current().state().error().contains("gone"),
        OpenSession.current().state().error());
    assertEquals(List.of(), OpenSession.current().state().opening());
  }

  private static String error() {
    return OpenSession.current().state().error();
  }

  @Test
  void runsOfASessionFileThatCanBeReadAreComparedWithoutTheOthers() throws Exception {
    Session session = ModelFactory.eINSTANCE.createSession();
    for (String name : List.of("a1", "a2", "b1", "b2", "b3")) {
      boolean isBase = name.startsWith("a");
      if (!name.equals("a2") && !name.equals("b2")) {
        trace(name, isBase ? 5 : 8);
      }
      add(session, name, isBase ? RunMode.COMPARISON : RunMode.REPLAY, isBase ? "old" : "tuned");
    }
    open(session("both", session), OpenRun.Series.NONE);
    ComparisonView view = view();
    assertEquals(Map.of("a1", Part.BASE, "b1", Part.NEW, "b3", Part.NEW), parts(view));
    assertEquals("1", view.comparison().table().parameters().get("baseRuns"));
    assertEquals("2", view.comparison().table().parameters().get("newRuns"));
    assertEquals("tuned", view.comparison().table().parameters().get("new"));
    List<String> told = error().lines().toList();
    assertEquals(2, told.size(), told::toString);
    assertTrue(told.get(0).contains(directory.resolve("a2").toString()), told.get(0));
    assertTrue(told.get(1).contains(directory.resolve("b2").toString()), told.get(1));
    assertEquals(told, view.warnings().subList(0, 2));
  }

  @Test
  void repetitionsWhoseSessionFilesAreWrongAreLeftOut() throws Exception {
    Session all = ModelFactory.eINSTANCE.createSession();
    for (int number = 1; number <= 3; number++) {
      Session session = ModelFactory.eINSTANCE.createSession();
      for (String name : List.of("server", "client")) {
        if (number != 2 || name.equals("server")) {
          trace(name + number, 3);
        }
        add(session, name + number, RunMode.ACTIVE, null);
      }
      add(all, session("run-" + number, session).getFileName().toString(), RunMode.REPLAY, "now");
    }
    Path wrong = directory.resolve("run-3" + SessionFile.SUFFIX);
    Files.writeString(wrong, "<no session>");
    trace("before", 3);
    add(all, "before", RunMode.COMPARISON, null);
    open(session("all", all), OpenRun.Series.NONE);
    ComparisonView view = view();
    assertEquals(Map.of("server1", Part.NEW, "client1", Part.NEW, "server2", Part.NEW,
        "before", Part.BASE), parts(view));
    assertEquals("", view.message());
    // The second repetition has lost its client: its session file is not read again.
    assertEquals("2", view.comparison().table().parameters().get("newRuns"));
    assertTrue(error().contains(wrong.toString()), error());
    assertTrue(error().contains(directory.resolve("client2").toString()), error());
  }

  @Test
  void whatCouldNotBeReadOfALaunchIsToldAfterItsFormerRunIsClosed() throws Exception {
    open(repetitions("run-1", 5), new OpenRun.Series("heat", "heat-1", 0, Set.of()));
    Path second = repetitions("run-2", 5);
    Files.move(directory.resolve("run-2-r2"), directory.resolve("moved"));
    open(second, new OpenRun.Series("heat", "heat-2", 0, Set.of()));
    assertEquals(List.of(directory.resolve("run-2-r1")), OpenSession.current().state().traces()
        .stream().map(Trace::directory).toList());
    assertTrue(error().contains("run-2-r2"), error());
  }

  @Test
  void theDialogOffersAnEarlierRun() throws Exception {
    open(trace("now", 3), OpenRun.Series.NONE);
    List<Trace> open = new ArrayList<>(OpenSession.current().state().traces());
    RunsDialog dialog =
        new RunsDialog(Workbench.window().getShell(), Map.of(open.get(0), Part.BASE));
    dialog.setBlockOnOpen(false);
    dialog.open();
    Shell shell = Workbench.dialog("Compare Runs");
    assertTrue(Workbench.button(shell, "Earlier Run\u2026").isEnabled());
    assertNull(dialog.earlier());
    dialog.close();
  }
}
