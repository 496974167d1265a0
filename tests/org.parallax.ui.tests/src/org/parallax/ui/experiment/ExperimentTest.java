package org.parallax.ui.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.core.resources.IMarker;
import org.eclipse.emf.common.command.Command;
import org.eclipse.emf.ecore.util.EcoreUtil;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IWorkbenchCommandConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.parallax.experiment.effects.Effects;
import org.parallax.experiment.effects.Options;
import org.parallax.experiment.run.ExperimentData;
import org.parallax.model.Experiment;
import org.parallax.model.TrialStatus;
import org.parallax.model.files.ExperimentFile;
import org.parallax.testing.QuietMachine;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.SampleTraces;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;
import org.parallax.ui.views.ReportView;
import org.parallax.ui.views.Views;
import org.parallax.ui.views.Widgets;

/**
 * An experiment from the first click in the source to the markers there, on a real program under the
 * real agent.
 */
class ExperimentTest {
  private static final double LIMIT_MS = 100;

  @TempDir Path directory;

  @Test
  void rulerAndMenuAddFactorsThatTheEditorShows() throws Exception {
    Driver driver = new Driver("demo");
    Driver.answerWizard("work.experiment");
    driver.addFromRuler(39);
    ExperimentEditor editor = Driver.editor();
    assertEquals("work.experiment", editor.getTitle());
    assertTrue(editor.isDirty());
    driver.addFunction("step");
    editor = Driver.editor();
    assertEquals(List.of("work.c:39", "entry:step"),
        editor.experiment().getFactors().stream().map(each -> each.getPlace()).toList());
    assertTrue(editor.message().contains("no command"), editor.message());
    editor.programSection().command().setText("./work 'two words'");
    Driver.awaitCheck(editor);
    assertEquals(List.of("./work", "two words"), editor.experiment().getArguments());
    var factors = editor.factorsSection().viewer();
    assertEquals("main (work.c:39)", Driver.row(factors, 0).get(4));
    assertEquals("step (work.c:" + Driver.STEP_LINE + ")", Driver.row(factors, 1).get(4));
    assertEquals(java.util.Set.of("step", "work.c:39", "work.c:39&step"),
        Driver.cells(editor.designSection().aliases()).keySet());
    assertTrue(editor.designSection().texts().contains("4 runs, 2 factors"),
        editor.designSection().texts());
    assertTrue(editor.designSection().texts().contains("power 80 %"));
    Workbench.page().saveEditor(editor, false);
    assertFalse(editor.isDirty());
    Experiment written = ExperimentFile.read(editor.file());
    assertEquals(4, written.getRuns().size());
    assertEquals(2, written.getFactors().size());
  }

  @Test
  void rowsOfTablesBecomeFactors() throws Exception {
    Driver driver = new Driver("demo");
    var trace = Workbench.copy(
        SampleTraces.unbalanced(Files.createDirectory(directory.resolve("trace")), 2),
        driver.project(), "trace");
    Workbench.doubleClickInExplorer(trace.getFile("manifest"));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    ReportView view = Views.show(Ids.PROFILE_VIEW);
    Views.awaitTable(view);
    List<String> names = Views.cells(view).stream().map(row -> row.get(0)).toList();
    Views.table(view).setSelection(names.indexOf("relax"));
    Driver.answerWizard("work.experiment");
    Menus.choose(Views.table(view).getMenu(), "Add Perturbation Factor");
    ExperimentEditor editor = Driver.editor();
    assertEquals("entry:relax", editor.experiment().getFactors().get(0).getPlace());
    Workbench.page().saveEditor(editor, false);
    // It has no command yet, but is kept.
    assertFalse(editor.isDirty());
    Workbench.page().closeEditor(editor, false);
    Views.show(Ids.PROFILE_VIEW);
    Views.table(view).setSelection(names.indexOf("solve"));
    // The experiment of the last time is remembered.
    Menus.choose(Views.table(view).getMenu(), "Add Perturbation Factor");
    assertEquals(List.of("entry:relax", "entry:solve"), Driver.editor().experiment().getFactors()
        .stream().map(each -> each.getPlace()).toList());
  }

  @Test
  void cellsAreEditedAndWrongOnesRefused() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    var factors = editor.factorsSection().viewer();
    Driver.type(factors, 1, 0, "walk");
    Driver.type(factors, 1, 2, "spin");
    assertEquals(List.of("walk", "entry:step", "spin", "0 2ms"),
        Driver.row(factors, 1).subList(0, 4));
    // A check that ends after it takes the message away.
    Workbench.await("the refusal", () -> {
      Driver.type(factors, 1, 0, "check");
      return editor.message() != null && editor.message().contains("wo factors have the name check");
    });
    assertEquals("walk", Driver.row(factors, 1).get(0));
    Driver.type(factors, 1, 3, "0 2 miles");
    assertEquals("0 2ms", Driver.row(factors, 1).get(3));
    Driver.type(factors, 1, 1, "entry:stepp");
    Driver.awaitCheck(editor);
    Workbench.await("the problem", () -> editor.message() != null
        && editor.message().contains("stepp"));
    assertTrue(Driver.row(factors, 1).get(4).contains("did you mean step"),
        Driver.row(factors, 1).get(4));
  }

  @Test
  void changesAreUndoneAndMadeAgain() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    Workbench.page().activate(editor);
    Experiment before = EcoreUtil.copy(editor.experiment());
    Command earlier = editor.commands().getUndoCommand();
    var factors = editor.factorsSection().viewer();
    Driver.type(factors, 1, 2, "spin");
    factors.getTable().select(0);
    Event delete = new Event();
    delete.keyCode = SWT.DEL;
    factors.setSelection(new StructuredSelection(editor.experiment().getFactors().get(0)));
    factors.getTable().notifyListeners(SWT.KeyDown, delete);
    // What is typed into one field is one step.
    editor.programSection().command().setText("./other");
    editor.programSection().command().setText("./other 5");
    Experiment after = EcoreUtil.copy(editor.experiment());
    assertTrue(editor.isDirty());
    assertEquals(List.of("step", "entry:step", "spin"), Driver.row(factors, 0).subList(0, 3));
    for (int step = 0; step < 3; step++) {
      Driver.command(editor, IWorkbenchCommandConstants.EDIT_UNDO);
    }
    assertTrue(EcoreUtil.equals(before, editor.experiment()));
    assertFalse(editor.isDirty());
    assertEquals(List.of("step", "entry:step", "delay"), Driver.row(factors, 1).subList(0, 3));
    assertSame(earlier, editor.commands().getUndoCommand());
    for (int step = 0; step < 3; step++) {
      Driver.command(editor, IWorkbenchCommandConstants.EDIT_REDO);
    }
    assertTrue(EcoreUtil.equals(after, editor.experiment()));
    assertEquals("./other 5", editor.programSection().command().getText());
    assertTrue(editor.isDirty());
    // A refused change is no step.
    Driver.type(factors, 0, 3, "0 2 miles");
    assertTrue(EcoreUtil.equals(after, editor.experiment()));
    Driver.command(editor, IWorkbenchCommandConstants.EDIT_UNDO);
    assertEquals(before.getArguments(), editor.experiment().getArguments());
  }

  @Test
  void savingKeepsTheHistory() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    Workbench.page().activate(editor);
    String settings = editor.experiment().getFactors().get(1).getSettings();
    Driver.type(editor.factorsSection().viewer(), 1, 3, "0 9ms");
    Driver.awaitCheck(editor);
    Workbench.page().saveEditor(editor, false);
    assertFalse(editor.isDirty());
    Experiment written = ExperimentFile.read(editor.file());
    assertEquals("0 9ms", written.getFactors().get(1).getSettings());
    assertTrue(EcoreUtil.equals(written, editor.experiment()));
    Driver.command(editor, IWorkbenchCommandConstants.EDIT_UNDO);
    assertEquals(settings, editor.experiment().getFactors().get(1).getSettings());
    assertTrue(editor.isDirty());
    Driver.command(editor, IWorkbenchCommandConstants.EDIT_REDO);
    assertTrue(EcoreUtil.equals(written, editor.experiment()));
    assertFalse(editor.isDirty());
    Driver.command(editor, IWorkbenchCommandConstants.EDIT_UNDO);
    Workbench.page().saveEditor(editor, false);
    assertFalse(editor.isDirty());
    assertEquals(settings,
        ExperimentFile.read(editor.file()).getFactors().get(1).getSettings());
  }

  @Test
  void aliasTableFollowsTheDesign() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    editor.designSection().request().setText("fraction; generators=report=check&step");
    Driver.awaitCheck(editor);
    Workbench.await("the fraction", () -> editor.designSection().texts().contains("4 runs"));
    Map<String, List<String>> aliases = Driver.cells(editor.designSection().aliases());
    assertEquals("check&step", aliases.get("report").get(0));
    assertEquals("step&report", aliases.get("check").get(0));
    editor.designSection().request().setText("fraction; runs=3");
    Workbench.await("what is wrong with it", () -> editor.message() != null);
    assertEquals(null, editor.result().planned());
  }

  @Test
  void writtenByAnotherProgramIsShown() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    Experiment outside = ExperimentFile.read(editor.file());
    outside.getFactors().get(0).setSettings("0 77ms");
    Thread.sleep(20);
    ExperimentFile.write(outside, editor.file());
    driver.project().refreshLocal(1, null);
    Workbench.await("the change", () -> editor.experiment().getFactors().get(0).getSettings()
        .equals("0 77ms"));
    assertFalse(editor.isDirty());
  }

  @Test
  void experimentRunsAndTellsItsEffectsInViewAndSource() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(2);
    driver.measureCpuTime(editor);
    UiWatch watch = new UiWatch();
    ExperimentRunView view = Driver.runView();
    EffectsView effects = Driver.effectsView();
    editor.runExperiment();
    ExperimentRun run = Experiments.get().run(editor.file());
    watch.run(() -> !run.isRunning());
    watch.run(() -> effects.result() != null);
    Workbench.settle();
    assertEquals("", run.snapshot().message());
    assertEquals(ExperimentRun.State.DONE, run.snapshot().state());
    assertEquals("all 24 trials are done", view.progress());
    assertEquals("done", Driver.cell(view.table(), "24", "status"));
    assertFalse(editor.isDirty());
    Workbench.await("the editor's reload", () -> editor.experiment().getTrials().size() == 24);

    Experiment experiment = ExperimentFile.read(editor.file());
    Effects expected = Effects.of(ExperimentData.responses(experiment,
        experiment.getResponses().get(0)), Options.of(3));
    Workbench.await("all trials", () -> effects.result().responses().observations().size() == 16);
    Workbench.settle();
    for (int i = 0; i < 3; i++) {
      String name = experiment.getFactors().get(i).getName();
      assertEquals(String.format(java.util.Locale.ROOT, "%.3f",
          expected.effect(i).get().estimate() / 1e6), Driver.cell(effects.table(), name, "effect"));
    }
    // A call of step costs 2 ms, 100 times; a check that is late saves 400 ms for 30 ms. All of CPU time.
    assertEquals(200, expected.effect(1).get().estimate() / 1e6, 80);
    assertEquals(-370, expected.effect(0).get().estimate() / 1e6, 80);
    assertEquals("slower", Driver.cell(effects.table(), "step", "verdict"));
    assertEquals("faster", Driver.cell(effects.table(), "check", "verdict"));

    Map<Integer, String> marked = Arrays.stream(driver.source().findMarkers(
        SensitivityMarkers.TYPE, true, 0)).filter(marker -> !marker.getAttribute(
            SensitivityMarkers.FACTOR, "").equals("report")).collect(Collectors.toMap(
            marker -> marker.getAttribute(IMarker.LINE_NUMBER, 0), ExperimentTest::text));
    assertEquals(2, marked.size(), marked.toString());
    assertTrue(marked.get(Driver.STEP_LINE).matches("(?s)org.parallax.ui.sensitivityStrong: A "
        + "delay at entry:step makes the program slower: cpu \\+\\d+ ms \u00b1 [\\d.]+ [mu]s "
        + "\\([\\d.]+ %\\)\\..*"), marked.toString());
    assertTrue(marked.get(Driver.CHECK_LINE).startsWith("org.parallax.ui.sensitivityFaster: A "
        + "delay at entry:check makes the program faster: cpu \u2212"), marked.toString());

    effects.tableChoice().select(effects.tableChoice().indexOf("Delays"));
    effects.tableChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.await("the delays", () -> Driver.cells(effects.table()).containsKey("step"));
    assertEquals("100", Driver.cell(effects.table(), "step", "calls"));
    plotsAreDrawn(effects);
    effects.tableChoice().select(effects.tableChoice().indexOf("Effects"));
    effects.tableChoice().notifyListeners(SWT.Selection, new Event());
    Workbench.await("the effects", () -> Driver.cells(effects.table()).containsKey("step"));
    Workbench.settle();
    for (ResultTable table : List.of(effects.table(), effects.proposals(), view.table(),
        editor.designSection().aliases())) {
      Widgets.assertDoesWhatTablesDo("experiments", table.widget());
    }
    if (watch.longestMs() >= LIMIT_MS) {
      QuietMachine.measure(attempt -> {
        experiment.getTrials().clear();
        ExperimentFile.write(experiment, editor.file());
        Workbench.page().hideView(effects);
        UiWatch again = new UiWatch();
        EffectsView shown = Driver.effectsView();
        ExperimentRun other = Experiments.get().start(editor.file(), true);
        again.run(() -> !other.isRunning());
        again.run(() -> shown.result() != null);
        again.assertNoStall(LIMIT_MS);
      });
    }
  }

  private static String text(IMarker marker) {
    try {
      return marker.getType() + ": " + marker.getAttribute(IMarker.MESSAGE, "");
    } catch (org.eclipse.core.runtime.CoreException e) {
      return e.toString();
    }
  }

  private void plotsAreDrawn(EffectsView effects) throws Exception {
    var choice = effects.plots().choice();
    for (String plot : choice.getItems()) {
      choice.select(choice.indexOf(plot));
      choice.notifyListeners(SWT.Selection, new Event());
      Workbench.settle();
      var canvas = effects.plots().canvas();
      Workbench.await(plot, () -> canvas.info() != null);
      long told = canvas.info().getEntityCollection().getEntities().stream().filter(entity ->
          ((org.jfree.chart.entity.ChartEntity) entity).getToolTipText() != null).count();
      assertTrue(told >= 3, plot + " has " + told + " tool tips");
      for (String end : new String[] {".svg", ".png"}) {
        Path file = directory.resolve(plot + end);
        canvas.save(file).join();
        assertTrue(Files.size(file) > 2_000, file + " has " + Files.size(file) + " bytes");
      }
    }
  }

  @Test
  void stoppedRunKeepsItsTrialsAndGoesOn() throws Exception {
    QuietMachine.measure(attempt -> stopAndGoOn());
  }

  private static void stopAndGoOn() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    ExperimentRunView view = Driver.runView();
    // Also on a machine that is too busy for so few trials.
    ExperimentRun run = Experiments.get().start(editor.file(), true);
    boolean[] told = {false};
    Workbench.await("three trials", () -> {
      told[0] |= editor.message() != null && editor.message().contains("running");
      return run.snapshot().done() >= 3;
    });
    view.stopAction().run();
    Workbench.await("the end", () -> !run.isRunning());
    if (run.snapshot().state() == ExperimentRun.State.DONE) {
      throw new QuietMachine.WrongTime("all trials were made before the UI thread could stop them");
    }
    assertTrue(told[0], "the editor tells that it runs");
    assertEquals(ExperimentRun.State.CANCELLED, run.snapshot().state());
    int kept = done(editor);
    assertTrue(kept >= 3 && kept < 15, kept + " trials");
    Workbench.await("what is told", () -> view.progress().contains("stopped"));
    view.startAction().run();
    ExperimentRun second = Experiments.get().run(editor.file());
    Workbench.await("the rest", () -> !second.isRunning());
    if (second.snapshot().message().contains("not repeatable enough")) {
      throw new QuietMachine.WrongTime(second.snapshot().message());
    }
    assertEquals("", second.snapshot().message());
    assertEquals(15, done(editor));
  }

  private static int done(ExperimentEditor editor) throws Exception {
    return (int) ExperimentFile.read(editor.file()).getTrials().stream()
        .filter(trial -> trial.getStatus() == TrialStatus.DONE).count();
  }

  @Test
  void missingToolIsTold() throws Exception {
    Driver driver = new Driver("demo");
    ExperimentEditor editor = driver.experiment(1);
    String before = System.setProperty("parallax.points", "/nowhere/parallax-points");
    try {
      editor.check();
      Workbench.await("the message", () -> editor.message() != null
          && editor.message().contains("/nowhere/parallax-points"));
    } finally {
      System.setProperty("parallax.points", before);
    }
    Workbench.page().closeEditor(editor, false);
  }
}
