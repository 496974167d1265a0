package org.parallax.ui.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IMarker;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.jface.viewers.TableViewer;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CCombo;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.texteditor.ITextEditor;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.Workbench;

/** A project with a program whose effects are known, and what a person does with it. */
final class Driver {
  /** Lines of the program's functions. */
  static final int CHECK_LINE = 18;
  static final int STEP_LINE = 21;
  static final int REPORT_LINE = 26;

  private final IProject project;
  private IFile source;

  /** Makes the project and compiles the program. */
  Driver(String name) throws Exception {
    Workbench.reset();
    InstanceScope.INSTANCE.getNode(Ids.BUNDLE).remove("lastExperiment");
    for (String view : new String[] {Ids.RUN_VIEW, Ids.EFFECTS_VIEW}) {
      Workbench.page().hideView(Workbench.page().findViewReference(view));
    }
    project = Workbench.project(name);
    Path folder = project.getLocation().toPath();
    try (InputStream text = Driver.class.getResourceAsStream("work.c")) {
      Files.copy(text, folder.resolve("work.c"));
    }
    Process compiler = new ProcessBuilder("gcc", "-g", "-O1", "-pthread", "work.c", "-o", "work")
        .directory(folder.toFile()).inheritIO().start();
    assertEquals(0, compiler.waitFor(), "the compiler's exit status");
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    source = project.getFile("work.c");
  }

  IProject project() {
    return project;
  }

  IFile source() {
    return source;
  }

  ITextEditor openSource() throws Exception {
    var part = IDE.openEditor(Workbench.page(), source, "org.eclipse.ui.DefaultTextEditor");
    Workbench.handleEvents();
    return part.getAdapter(ITextEditor.class);
  }

  /** Opens the ruler's menu at a line, and chooses to add the line to an experiment. */
  void addFromRuler(int line) throws Exception {
    ITextEditor editor = openSource();
    StyledText text = (StyledText) editor.getAdapter(Control.class);
    IVerticalRulerInfo ruler = editor.getAdapter(IVerticalRulerInfo.class);
    Event click = new Event();
    click.y = text.getLinePixel(line - 1) + 3;
    click.button = 3;
    // The ruler consists of columns, the annotations' first.
    Control column = ((Composite) ruler.getControl()).getChildren()[0];
    click.widget = column;
    column.notifyListeners(SWT.MouseDown, click);
    assertEquals(line - 1, ruler.getLineOfLastMouseButtonActivity());
    Menus.choose(ruler.getControl().getMenu(), "Add Perturbation Factor");
    Workbench.handleEvents();
  }

  /** Puts the caret into a word, and chooses from the editor's menu to add that function. */
  void addFunction(String word) throws Exception {
    ITextEditor editor = openSource();
    String all = editor.getDocumentProvider().getDocument(editor.getEditorInput()).get();
    editor.selectAndReveal(all.indexOf(" " + word + "(") + 2, 0);
    StyledText text = (StyledText) editor.getAdapter(Control.class);
    Menus.choose(text.getMenu(), "Add Perturbation Factor", "At the Entry of This Function");
    Workbench.handleEvents();
  }

  /** Answers the wizard that asks for a new experiment as soon as it is there. */
  static void answerWizard(String name) {
    Workbench.window().getShell().getDisplay().timerExec(50, () -> {
      Shell dialog = Workbench.dialog("New Experiment");
      if (dialog == null) {
        answerWizard(name);
        return;
      }
      Workbench.find(dialog, Text.class, text -> text.getText().endsWith(".experiment")).get(0)
          .setText(name);
      if (Workbench.button(dialog, "Finish").isEnabled()) {
        Workbench.press(Workbench.button(dialog, "Finish"));
      } else {
        dialog.close();
      }
    });
  }

  /** The experiment's editor, when it has read its file and checked it. */
  static ExperimentEditor editor() {
    Workbench.await("the experiment's editor",
        () -> Workbench.page().getActiveEditor() instanceof ExperimentEditor);
    ExperimentEditor editor = (ExperimentEditor) Workbench.page().getActiveEditor();
    awaitCheck(editor);
    return editor;
  }

  static void awaitCheck(ExperimentEditor editor) {
    Workbench.await("the experiment", () -> editor.experiment() != null);
    Workbench.settle();
    Workbench.await("the check", () -> editor.result() != null
        && editor.result().problems().size() == editor.experiment().getFactors().size());
  }

  /** Types into a cell of a table. */
  static void type(TableViewer viewer, int row, int column, String text) {
    viewer.getTable().setFocus();
    // What a check has found is shown in the table, which ends the editing of a cell.
    for (int tries = 0; tries < 100 && !viewer.isCellEditorActive(); tries++) {
      Workbench.handleEvents();
      viewer.editElement(viewer.getElementAt(row), column);
    }
    List<Text> texts = Workbench.find(viewer.getTable(), Text.class, Control::isVisible);
    if (!texts.isEmpty()) {
      texts.get(0).setText(text);
      Event enter = new Event();
      texts.get(0).notifyListeners(SWT.DefaultSelection, enter);
    } else {
      List<CCombo> combos = Workbench.find(viewer.getTable(), CCombo.class, Control::isVisible);
      assertEquals(1, combos.size(), "one cell is edited");
      combos.get(0).setText(text);
      combos.get(0).notifyListeners(SWT.DefaultSelection, new Event());
    }
    Workbench.handleEvents();
  }

  /** Chooses a command of the workbench while the editor is active. */
  static void command(ExperimentEditor editor, String id) throws Exception {
    editor.getSite().getService(IHandlerService.class).executeCommand(id, null);
    Workbench.handleEvents();
  }

  static List<String> row(TableViewer viewer, int row) {
    TableItem item = viewer.getTable().getItem(row);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < viewer.getTable().getColumnCount(); i++) {
      texts.add(item.getText(i));
    }
    return texts;
  }

  /** The cells of a table as they are on the screen, by the rows' names. */
  static Map<String, List<String>> cells(ResultTable table) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (TableItem item : table.widget().getItems()) {
      List<String> row = new ArrayList<>();
      String name = item.getText(0);
      for (int column = 1; column < table.widget().getColumnCount() - 1; column++) {
        row.add(item.getText(column));
      }
      rows.put(name, row);
    }
    return rows;
  }

  /** The cell of a column that is headed so, units left out. */
  static String cell(ResultTable table, String row, String heading) {
    for (int column = 1; column < table.widget().getColumnCount(); column++) {
      if (table.widget().getColumn(column).getText().replaceFirst(" \\[.*", "").equals(heading)) {
        List<String> cells = cells(table).get(row);
        assertTrue(cells != null, row + " is not among " + cells(table).keySet());
        return cells.get(column - 1);
      }
    }
    throw new AssertionError("no column " + heading);
  }

  static ExperimentRunView runView() throws Exception {
    return (ExperimentRunView) Workbench.page().showView(Ids.RUN_VIEW, null,
        IWorkbenchPage.VIEW_VISIBLE);
  }

  static EffectsView effectsView() throws Exception {
    return (EffectsView) Workbench.page().showView(Ids.EFFECTS_VIEW, null,
        IWorkbenchPage.VIEW_ACTIVATE);
  }

  /** Makes an experiment of the three functions, as a person does, and saves it. */
  ExperimentEditor experiment(int replicates) throws Exception {
    answerWizard("work.experiment");
    addFunction("check");
    ExperimentEditor editor = editor();
    addFunction("step");
    addFunction("report");
    editor = editor();
    ExperimentEditor made = editor;
    Workbench.await("three factors", () -> made.experiment().getFactors().size() == 3);
    editor.programSection().command().setText("./work");
    TableViewer factors = editor.factorsSection().viewer();
    type(factors, 0, 3, "0 30ms");
    type(factors, 1, 3, "0 2ms");
    type(factors, 2, 3, "0 2ms");
    editor.designSection().replicates().setSelection(replicates);
    editor.designSection().replicates().notifyListeners(SWT.Selection, new Event());
    awaitCheck(editor);
    Workbench.page().saveEditor(editor, false);
    Workbench.settle();
    return editor;
  }

  /** Makes an experiment measure CPU time, which other programs do not change, and saves it. */
  void measureCpuTime(ExperimentEditor editor) throws Exception {
    editor.programSection().command().setText("./work cpu");
    for (int factor = 0; factor < 3; factor++) {
      type(editor.factorsSection().viewer(), factor, 2, "work");
    }
    type(editor.responsesSection().viewer(), 0, 0, "cpu");
    awaitCheck(editor);
    Workbench.page().saveEditor(editor, false);
    Workbench.settle();
  }

  /** All markers of experiments in the source. */
  List<IMarker> markers() throws Exception {
    return List.of(source.findMarkers(SensitivityMarkers.TYPE, true, IResource.DEPTH_ZERO));
  }
}
