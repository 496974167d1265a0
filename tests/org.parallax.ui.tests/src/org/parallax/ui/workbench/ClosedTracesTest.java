package org.parallax.ui.workbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.ui.IWorkbenchPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.trace.Trace;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.LogEntries;
import org.parallax.ui.testing.OurViews;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.Workbench;

/** What was closed is let go of by all views, those behind others too: traces are large. */
class ClosedTracesTest {
  @TempDir
  Path folder;

  private int logged;

  @BeforeEach
  void reset() throws Exception {
    Workbench.reset();
    logged = LogEntries.ofParallax().size();
  }

  @AfterEach
  void nothingIsLogged() throws Exception {
    List<String> all = LogEntries.ofParallax();
    assertEquals(List.of(), all.subList(logged, all.size()));
  }

  @Test
  void theOnlyTrace() throws Exception {
    WeakReference<Trace> trace = open("only");
    lookAtEveryView();
    OpenSession.current().close(OpenSession.current().state().traces());
    Workbench.settle();
    assertFalse(OpenSession.current().state().isOpen());
    Workbench.awaitGone(trace);
  }

  @Test
  void oneOfTwo() throws Exception {
    WeakReference<Trace> first = open("first");
    lookAtEveryView();
    open("second");
    lookAtEveryView();
    OpenSession.current().close(List.of(first.get()));
    Workbench.settle();
    Workbench.awaitGone(first);
    lookAtEveryView();
  }

  private WeakReference<Trace> open(String name) {
    int before = OpenSession.current().state().traces().size();
    OpenSession.current().open(List.of(SampleTraces.ring(folder.resolve(name), 4, 10)));
    Workbench.await(name, () -> OpenSession.current().state().traces().size() > before);
    Workbench.settle();
    return new WeakReference<>(OpenSession.current().state().traces().get(before));
  }

  private static void lookAtEveryView() throws Exception {
    for (String id : OurViews.ids()) {
      Workbench.page().showView(id, null, IWorkbenchPage.VIEW_ACTIVATE);
      Workbench.settle();
    }
  }
}
