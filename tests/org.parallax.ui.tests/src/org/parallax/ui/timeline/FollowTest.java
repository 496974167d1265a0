package org.parallax.ui.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jface.action.Action;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Trace;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.Follow;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.trees.ProgramTreesView;
import org.parallax.ui.views.ReportView;

/** Views of a program that runs, under the real recorder. */
class FollowTest extends TimelineFixture {
  private static final Path NATIVE = Path.of(System.getProperty("parallax.record")).getParent();
  private Process recorder;

  @AfterEach
  void end() throws Exception {
    OpenSession.current().follow().setOn(false);
    if (recorder != null) {
      recorder.descendants().forEach(ProcessHandle::destroyForcibly);
      recorder.waitFor();
    }
  }

  private static TreeNode node(TreeNode below, Level level) {
    TreeNode at = below;
    while (at.level() != level) {
      at = at.children().get(0);
    }
    return at;
  }

  private static void follow(ProgramTreesView trees, boolean on) {
    Action follow = trees.follow();
    assertEquals(!on, follow.isChecked());
    follow.setChecked(on);
    follow.run();
  }

  @Test
  void viewsFollowAProgramThatRunsAndPlacesStay() throws Exception {
    Path trace = directory.resolve("queue");
    recorder = new ProcessBuilder(NATIVE.resolve("parallax-record").toString(), "--quiet", "--no-calibration",
        "-o", trace.toString(), "--", NATIVE.resolve("programs/mutex_queue").toString(), "3", "1000000000", "1")
        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    Workbench.await("a second of the program", () -> recorder.info().totalCpuDuration().isPresent()
        && hasEvents(trace));
    TraceOpening.open(Workbench.window(), List.of(trace));
    Workbench.settle();
    ReportView profile = (ReportView) Workbench.page().showView(Ids.PROFILE_VIEW, null,
        IWorkbenchPage.VIEW_VISIBLE);
    TimelineView timeline = view();
    ProgramTreesView trees = (ProgramTreesView) Workbench.page().findView(Ids.TREES_VIEW);
    Workbench.settle();
    Workbench.await("pictures", () -> timeline.result() != null && profile.result() != null
        && timeline.control().scene() != null);
    TreeNode process = node(OpenSession.current().state().trees().get(0), Level.PROCESS);
    OpenSession.current().setScope(process);
    trees.viewer().setExpandedState(process, true);
    Workbench.settle();
    timeline.control().zoom(0.5);
    TimeWindow window = timeline.control().scene().window();
    TimeWindow all = timeline.control().scene().all();
    assertNotEquals(all, window);
    Follow follow = OpenSession.current().follow();
    int before = follow.updates();
    long beginMs = System.currentTimeMillis();
    follow(trees, true);
    boolean[] wasEmpty = new boolean[1];
    Workbench.await("three updates", () -> {
      wasEmpty[0] |= timeline.result() == null || profile.result() == null;
      return follow.updates() >= before + 3;
    });
    Workbench.settle();
    assertTrue(follow.updates() - before <= 2 + (System.currentTimeMillis() - beginMs) / 1000,
        () -> follow.updates() - before + " updates");
    assertFalse(wasEmpty[0], "a view was empty between two results");
    TreeNode now = OpenSession.current().state().scope();
    assertNotEquals(process, now);
    assertEquals(process.path(), now.path());
    assertTrue(trees.viewer().getExpandedState(now));
    assertEquals(List.of(now), trees.viewer().getStructuredSelection().toList());
    Workbench.await("a newer picture",
        () -> timeline.control().scene().all().endNs() > all.endNs() + 1_000 * MS);
    assertEquals(window, timeline.control().scene().window());
    // Names are found while the program runs.
    Workbench.await("names", () -> profile.result().rows().stream()
        .anyMatch(row -> row.name().contains("critical_section")));
    // They are not looked for again where no address is new.
    int withNames = follow.searches();
    int updates = follow.updates();
    Workbench.await("an update without a search",
        () -> follow.updates() - updates > follow.searches() - withNames + 1);
    follow(trees, false);
    Workbench.settle();
    int last = follow.updates();
    long until = System.currentTimeMillis() + 1_500;
    Workbench.await("some time", () -> System.currentTimeMillis() > until);
    assertEquals(last, follow.updates());
    follow(trees, true);
    recorder.descendants().forEach(ProcessHandle::destroy);
    Workbench.await("the end", () -> OpenSession.current().state().traces().get(0).manifest().hasEnded());
    Workbench.settle();
    assertFalse(OpenSession.current().state().traces().stream().anyMatch(Follow::isUnfinished));
    assertTrue(profile.result() != null && timeline.result() != null);
  }

  @Test
  void aTraceThatWasReadAgainIsGoneWhenItIsClosed() throws Exception {
    Path trace = SampleTraces.ring(directory.resolve("unfinished"), 4, 10);
    Path manifest = trace.resolve("manifest");
    Files.write(manifest, Files.readAllLines(manifest).stream().filter(line -> !line.startsWith("ended = ")).toList());
    TraceOpening.open(Workbench.window(), List.of(trace));
    Workbench.settle();
    Follow follow = OpenSession.current().follow();
    follow.setOn(true);
    Workbench.await("an update", () -> OpenSession.current().isUpdate(OpenSession.current().state()));
    follow.setOn(false);
    Workbench.settle();
    WeakReference<Trace> last = new WeakReference<>(OpenSession.current().state().traces().get(0));
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    Workbench.awaitGone(last);
  }

  private static boolean hasEvents(Path directory) {
    if (!Files.exists(directory.resolve("manifest"))) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      if (files.noneMatch(file -> file.toString().endsWith(".def"))) {
        return false;
      }
    } catch (java.io.IOException e) {
      return false;
    }
    try (Trace trace = Trace.open(directory)) {
      return !trace.processes().isEmpty() && trace.durationNs() > 500 * MS;
    } catch (org.parallax.trace.TraceException e) {
      return false;
    }
  }
}
