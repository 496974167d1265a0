package org.parallax.ui.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.ToolBar;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.Phase;
import org.parallax.analysis.phases.PhasesReport;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ChartDriver;
import org.parallax.ui.views.Views;

/** Phases: in their view, and in the tool bar. */
class PhasesViewTest extends TableViewsFixture {
  @Test
  void phasesAreSelectedKeptRenamedAndRemoved() throws Exception {
    open(unbalanced("trace", 50));
    PhasesView view = shown(Ids.PHASES_VIEW);
    assertEquals(List.of(Messages.phasesNoneNamed), view.warnings());
    assertTrue(view.table().rows().get(0).name().startsWith("proposed"), "without being asked");
    Phase first = new Phase("first half", new Window(0, 1_000_000_000));
    OpenSession.current().definePhase(first);
    Workbench.settle();
    assertEquals(List.of("first half"), view.table().rows().stream().map(Row::name).toList());
    assertEquals("1.000", Views.cells(view).get(0).get(5));
    view.table().widget().setSelection(0);
    view.table().widget().notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.settle();
    assertEquals(first, OpenSession.current().state().selection().phase());
    view.proposeChoice().setSelection(true);
    view.proposeChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.settle();
    assertTrue(view.table().rows().size() > 1, "phases are proposed");
    assertEquals("proposed[1]", view.table().rows().get(1).name());
    ChartDriver.answer("Rename a Phase", "begin");
    view.table().widget().setSelection(0);
    Event f2 = new Event();
    f2.keyCode = SWT.F2;
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    view.table().widget().notifyListeners(SWT.KeyDown, f2);
    Workbench.settle();
    assertEquals(List.of(new Phase("begin", first.window())),
        OpenSession.current().state().phases());
    assertEquals("begin", OpenSession.current().state().selection().phase().name());
    view.table().widget().setSelection(0);
    view.table().widget().notifyListeners(SWT.Selection, new Event());
    Event delete = new Event();
    delete.keyCode = SWT.DEL;
    view.table().widget().notifyListeners(SWT.KeyDown, delete);
    Workbench.settle();
    assertEquals(List.of(), OpenSession.current().state().phases());
    assertNull(OpenSession.current().state().selection().phase());
  }

  @Test
  void namedPhasesAreThoseOfTheCore() throws Exception {
    Path golden = Path.of(System.getProperty("parallax.root"), "native/format/golden/messages");
    open(golden);
    PhasesView view = shown(Ids.PHASES_VIEW);
    Table expected =
        core(golden, analysis -> PhasesReport.of(analysis, null, false, Progress.NONE));
    if (expected.rows().isEmpty()) {
      assertEquals(List.of(view.table().rows().isEmpty() ? Messages.phasesNone
          : Messages.phasesNoneNamed), view.warnings());
    } else {
      assertShows(expected, view);
    }
  }

  @Test
  void theMenuOffersTheTimeBetweenInitAndFinalize() throws Exception {
    Path trace = Files.createDirectory(directory.resolve("mpi"));
    TraceBuilder builder = new TraceBuilder(trace).property("command", "mpirun -n 2 ./ring");
    for (int rank = 0; rank < 2; rank++) {
      TracedProcess process = builder.process("node1", "/opt/ring").mpi(7, rank, 2);
      process.thread(0).threadBegin(0, -1)
          .enter(10, "main/MPI_Init").leave(100 + 20 * rank)
          .sample(300, "main/solve")
          .enter(500 + 20 * rank, "main/MPI_Finalize").leave(600).threadEnd(700);
      process.exit(700, 0);
    }
    open(builder.write());
    Phase own = new Phase("half", new Window(0, 350));
    OpenSession.current().definePhase(own);
    Shell shell = new Shell();
    PhaseChooser chooser = new PhaseChooser();
    chooser.createControl(shell);
    Workbench.settle();
    Menu menu = chooser.menu();
    List<String> offered = Arrays.stream(menu.getItems()).map(MenuItem::getText).toList();
    assertEquals(List.of("Whole time", "", "mpi", "half", ""), offered.subList(0, 5), offered.toString());
    MenuItem mpi = menu.getItem(2);
    mpi.setSelection(true);
    mpi.notifyListeners(SWT.Selection, new Event());
    Phase selected = OpenSession.current().state().selection().phase();
    assertEquals("mpi", selected.name());
    assertEquals(120, selected.window().beginNs());
    assertEquals(500, selected.window().endNs());
    menu.dispose();
    shell.dispose();
    OpenSession.current().setPhase(null);
  }

  @Test
  void theToolBarChoosesThePhase() throws Exception {
    open(unbalanced("trace", 50));
    Phase half = new Phase("half", new Window(0, 1_000_000_000));
    OpenSession.current().definePhase(half);
    ToolBar bar = Workbench.find(Workbench.window().getShell(), ToolBar.class,
        each -> each.getItemCount() == 1 && each.getItem(0).getText().equals("Whole time"))
        .get(0);
    assertTrue(bar.getItem(0).isEnabled());
    OpenSession.current().setPhase(half);
    assertEquals("half", bar.getItem(0).getText());
    OpenSession.current().setPhase(null);
    assertEquals("Whole time", bar.getItem(0).getText());
  }
}
