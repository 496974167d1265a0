package org.parallax.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IProject;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.ITextOperationTarget;
import org.eclipse.jface.text.ITextViewer;
import org.eclipse.jface.text.source.Annotation;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.jface.text.source.IVerticalRulerInfo;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.editors.text.EditorsUI;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.ide.IDE;
import org.eclipse.ui.texteditor.AnnotationPreference;
import org.eclipse.ui.texteditor.ITextEditor;
import org.junit.jupiter.api.Test;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.Phase;
import org.parallax.analysis.replay.Weight;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.source.SourceLines;
import org.parallax.analysis.source.SourceLines.Part;
import org.parallax.model.program.TreeNode;
import org.parallax.testing.QuietMachine;
import org.parallax.trace.Progress;
import org.parallax.trace.testing.TraceBuilder;
import org.parallax.trace.testing.TracedProcess;
import org.parallax.trace.testing.TracedThread;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.source.PathMap;
import org.parallax.ui.source.PathMaps;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.testing.Menus;
import org.parallax.ui.testing.UiWatch;
import org.parallax.ui.testing.Workbench;

/**
 * The ruler beside the text of a program whose trace is open: main, solve and relax are declared in
 * lines 100, 200 and 300, sampled 10 lines below, and call 20 lines below.
 */
class ProfileColumnTest extends ProfileColumnFixture {
  private static final String RECORDED = "/src/ring.c";

  /** What the core says for the session's selection, without what the ruler shares. */
  private static SourceLines core() {
    SessionState state = OpenSession.current().state();
    Selection selection = state.selection();
    return SourceLines.of(state.analyses().of(state.session().getApplications().get(0),
        PathScope.INTRA, selection.phase()),
        selection.scope(), Weight.CPU, EnumSet.allOf(Part.class), Progress.NONE);
  }

  /** The texts of all lines that have any, by line from 1. */
  private static Map<Integer, List<String>> texts(ProfileColumn column) {
    Map<Integer, List<String>> texts = new HashMap<>();
    for (int line = 1; line <= 400; line++) {
      if (!column.texts(line - 1).isEmpty()) {
        texts.put(line, column.texts(line - 1));
      }
    }
    return texts;
  }

  /** The same from the core: of functions where they are declared, else of lines. */
  private static Map<Integer, List<String>> expected() {
    SourceLines core = core();
    Map<Integer, List<String>> texts = new HashMap<>();
    core.lines(RECORDED).forEach(line -> texts.put(line.line(), row(line.numbers(), core)));
    core.functions(RECORDED).forEach(each -> texts.put(each.line(), row(each.numbers(), core)));
    return texts;
  }

  private static List<String> row(SourceLines.Numbers numbers, SourceLines core) {
    return List.of(cell(numbers.exclusiveNs()), cell(numbers.inclusiveNs()),
        numbers.pathNs() == 0 ? "" : String.format("%.1f", core.pathPercent(numbers)));
  }

  /** The unit is in the heading. */
  private static String cell(long ns) {
    return time(ns).replace(" ms", "");
  }

  private static String time(long ns) {
    return ns == 0 ? "" : ns >= 100_000_000 ? Math.round(ns / 1e6) + " ms"
        : ns >= 10_000_000 ? String.format("%.1f ms", ns / 1e6)
        : String.format("%.2f ms", ns / 1e6);
  }

  @Test
  void numbersAreThoseOfTheCore() throws Exception {
    openTrace();
    ProfileColumn column = shownColumn(openFile(BEFORE));
    assertEquals(expected(), texts(column));
    assertEquals(new TreeSet<>(List.of(100, 120, 200, 210, 220, 300, 310)),
        new TreeSet<>(texts(column).keySet()));
    // Four ranks have two steps of 41 ms below main. The path is rank 0, of which 1 ms of each step
    // is the barrier that solve calls.
    assertEquals(List.of("self ms", "incl ms", "path %"), column.headings());
    assertEquals(List.of("", "328", ""), column.texts(99));
    assertEquals("2.4", column.texts(219).get(2));
    SourceLines core = core();
    assertEquals(100.0, core.lines(RECORDED).stream()
        .mapToDouble(line -> core.pathPercent(line.numbers())).sum(), 1e-9);
  }

  @Test
  void editorsThatAreOpenBeforeTheTraceGetNumbersToo() throws Exception {
    ITextEditor editor = openFile(BEFORE);
    assertEquals(0, column(editor).getWidth());
    openTrace();
    assertEquals(expected(), texts(shownColumn(editor)));
    OpenSession.current().close(OpenSession.current().state().traces());
    settle();
    assertEquals(0, column(editor).getWidth());
    assertEquals(Map.of(), texts(column(editor)));
  }

  @Test
  void numbersFollowTheSelection() throws Exception {
    openTrace();
    ProfileColumn column = shownColumn(openFile(BEFORE));
    Map<Integer, List<String>> all = texts(column);
    TreeNode tree = OpenSession.current().state().trees().get(0);
    OpenSession.current().setScope(tree.children().get(1));
    settle();
    assertEquals(expected(), texts(column));
    assertNotEquals(all, texts(column));
    OpenSession.current().setScope(tree);
    OpenSession.current().setPhase(new Phase("begin", new Window(0, 20_000_000)));
    settle();
    assertEquals(expected(), texts(column));
    assertNotEquals(all, texts(column));
    OpenSession.current().setPhase(null);
    settle();
    assertEquals(all, texts(column));
  }

  @Test
  void hoversTellNumbersCallersAndCalls() throws Exception {
    openTrace();
    ProfileColumn column = shownColumn(openFile(BEFORE));
    String relax = column.getHover().getHoverInfo(null, 299);
    SourceLines core = core();
    SourceLines.Function function = core.functions(RECORDED).get(2);
    assertEquals("relax", function.name());
    assertTrue(relax.startsWith("relax\n    Exclusive time "
        + time(function.numbers().exclusiveNs()) + " ("), relax);
    assertTrue(relax.contains("Called from\n    solve, ring.c:220 "
        + time(core.callers(function).get(0).ns()) + " ("), relax);
    assertTrue(relax.contains("Critical path " + time(function.numbers().pathNs())), relax);
    String call = column.getHover().getHoverInfo(null, 219);
    assertTrue(call.startsWith("Line 220, solve\n"), call);
    assertTrue(call.contains("Calls\n    MPI_Barrier "), call);
    assertTrue(call.contains("    relax "), call);
    assertFalse(call.contains("changed"), call);
    assertNull(column.getHover().getHoverInfo(null, 4));
  }

  /** Lines with numbers tell them also on their text, while that is preferred. */
  @Test
  void theTextTellsWhatTheRulerTells() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    ProfileColumn column = shownColumn(editor);
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    ITextViewer viewer = (ITextViewer) editor.getAdapter(ITextOperationTarget.class);
    LineHover tip = new LineHover();
    int offset = document.getLineOffset(299) + 5;
    IRegion line = tip.getHoverRegion(viewer, offset);
    assertEquals(document.getLineOffset(299), line.getOffset());
    assertEquals(column.getHover().getHoverInfo(null, 299), tip.getHoverInfo(viewer, line));
    assertNull(tip.getHoverRegion(viewer, 0), "a line without numbers");
    assertNull(tip.getHoverInfo(viewer, null));
    SourcePreferences.store().setValue(LineHover.SHOWN, false);
    IRegion unwanted = tip.getHoverRegion(viewer, offset);
    SourcePreferences.store().setToDefault(LineHover.SHOWN);
    assertNull(unwanted);
  }

  /** A line with three samples says so, and how sure its time is; one with many is not paler. */
  @Test
  void fewSamplesAreTold() throws Exception {
    TraceBuilder builder = new TraceBuilder(Files.createDirectory(directory.resolve("trace")));
    TracedThread thread = builder.process("node1", "/opt/ring").thread(0).threadBegin(0, -1);
    for (int i = 1; i <= 100; i++) {
      thread.sample(10_000_000L * i, i % 30 == 0 ? "main/relax" : "main/solve");
    }
    thread.threadEnd(1_000_000_001L);
    builder.write();
    OpenSession.current().open(List.of(directory.resolve("trace")));
    Workbench.await("the trace", () -> OpenSession.current().state().isOpen());
    SourceNumber.show(List.of(SourceNumber.CPU, SourceNumber.SAMPLES, SourceNumber.INTERVAL));
    ProfileColumn column = shownColumn(openFile(BEFORE));
    assertEquals(List.of("cpu ms", "n", "95 % ms"), column.headings());
    assertEquals(List.of("30.0", "3", "10.3\u201384.5"), column.texts(309));
    assertTrue(column.isPale(309));
    assertFalse(column.isPale(209));
    String hover = column.getHover().getHoverInfo(null, 309);
    assertTrue(hover.contains("With a confidence of 95 %: 10.3 ms to 84.5 ms (3 samples)\n"), hover);
    assertTrue(hover.contains("Uncertain: "), hover);
    assertFalse(column.getHover().getHoverInfo(null, 209).contains("Uncertain"), hover);
    // The choice is kept.
    assertEquals("CPU,SAMPLES,INTERVAL", SourcePreferences.store().getString(SourceNumber.SHOWN));
  }

  private static Map<Integer, String> annotations(ITextEditor editor) throws Exception {
    IAnnotationModel model =
        editor.getDocumentProvider().getAnnotationModel(editor.getEditorInput());
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    Map<Integer, String> found = new HashMap<>();
    for (Iterator<Annotation> all = model.getAnnotationIterator(); all.hasNext(); ) {
      Annotation each = all.next();
      if (each.getType().startsWith(SourcePreferences.ID)) {
        found.merge(document.getLineOfOffset(model.getPosition(each).getOffset()) + 1,
            each.getType(), (a, b) -> a + " " + b);
      }
    }
    return found;
  }

  @Test
  void hotLinesAreInTheOverview() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    shownColumn(editor);
    SourceLines core = core();
    Map<Integer, String> found = annotations(editor);
    int hot = 0;
    for (SourceLines.Line line : core.lines(RECORDED)) {
      double percent = core.percent(line.numbers().exclusiveNs());
      String type = percent >= 10 ? EditorNumbers.HOT : percent >= 1 ? EditorNumbers.WARM
          : EditorNumbers.LINE;
      assertEquals(type, found.get(line.line()), line.toString());
      hot += type.equals(EditorNumbers.HOT) ? 1 : 0;
    }
    assertEquals(2, hot);
    for (String type : List.of(EditorNumbers.HOT, EditorNumbers.WARM)) {
      AnnotationPreference shown =
          EditorsUI.getAnnotationPreferenceLookup().getAnnotationPreference(type);
      assertTrue(EditorsUI.getPreferenceStore()
          .getBoolean(shown.getOverviewRulerPreferenceKey()), type);
    }
  }

  /** Above the lines with the most time. */
  private static void insertTwoLines(ITextEditor editor) throws Exception {
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    document.replace(document.getLineOffset(249), 0, "new\nlines\n");
  }

  @Test
  void numbersMoveWithTheText() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    ProfileColumn column = shownColumn(editor);
    List<String> relax = column.texts(299);
    insertTwoLines(editor);
    Workbench.handleEvents();
    assertEquals(relax, column.texts(301));
    assertEquals(List.of(), column.texts(299));
    assertFalse(column.texts(199).isEmpty());
  }

  /** When the file is saved, for another selection, and when another program writes the file. */
  @Test
  void numbersStayWithTheirLines() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    ProfileColumn column = shownColumn(editor);
    List<String> relax = column.texts(299);
    insertTwoLines(editor);
    TreeNode tree = OpenSession.current().state().trees().get(0);
    OpenSession.current().setScope(tree.children().get(1));
    settle();
    assertFalse(column.texts(301).isEmpty());
    assertEquals(List.of(), column.texts(299));
    Workbench.page().saveEditor(editor, false);
    OpenSession.current().setScope(tree);
    settle();
    assertEquals(relax, column.texts(301));
    IFile file = editor.getEditorInput().getAdapter(IFile.class);
    Files.writeString(file.getLocation().toPath(), "first\n" + lines(400));
    file.refreshLocal(IResource.DEPTH_ZERO, null);
    settle();
    assertEquals(relax, column.texts(300));
    assertEquals(List.of(), column.texts(301));
  }

  @Test
  void changedFilesSaySo() throws Exception {
    openTrace();
    ITextEditor editor = openFile(AFTER);
    ProfileColumn column = shownColumn(editor);
    assertTrue(annotations(editor).get(1).contains(EditorNumbers.CHANGED));
    String hover = column.getHover().getHoverInfo(null, 299);
    assertTrue(hover.contains("ring.c was changed on "), hover);
    assertTrue(hover.contains("its lines may have moved"), hover);
  }

  @Test
  void savingAFileChangesIt() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    shownColumn(editor);
    assertNull(annotations(editor).get(1));
    editor.getDocumentProvider().getDocument(editor.getEditorInput()).replace(0, 0, "\n");
    Workbench.page().saveEditor(editor, false);
    settle();
    assertTrue(annotations(editor).values().stream()
        .anyMatch(type -> type.contains(EditorNumbers.CHANGED)), annotations(editor).toString());
  }

  @Test
  void pathMapsFindSourceThatHasMoved() throws Exception {
    openTrace();
    Path moved = Files.createDirectories(directory.resolve("moved"));
    Files.writeString(moved.resolve("ring.c"), lines(400));
    Files.setLastModifiedTime(moved.resolve("ring.c"), BEFORE);
    PathMaps.add(new PathMap("/src", moved.toString()));
    SourceOpener.open(Workbench.page(), new SourceLocation("relax", RECORDED, 300, "/opt/ring", "",
        0));
    Workbench.await("an editor", () -> Workbench.page().getActiveEditor() != null);
    ITextEditor editor = Workbench.page().getActiveEditor().getAdapter(ITextEditor.class);
    assertEquals(expected(), texts(shownColumn(editor)));
    assertEquals("relax", EditorNumbers.of(editor).procedureAt(299).getName());
  }

  /** Where the compiler found the file is one of the same name that is not in the editor. */
  @Test
  void copiesHaveTheNumbersAndOtherFilesOfTheNameHaveNot() throws Exception {
    openTrace();
    Path there = Files.createDirectories(directory.resolve("there"));
    Files.writeString(there.resolve("ring.c"), lines(400));
    PathMaps.add(new PathMap("/src", there.toString()));
    ITextEditor editor = openFile(BEFORE);
    assertEquals(expected(), texts(shownColumn(editor)));
    Files.writeString(there.resolve("ring.c"), lines(399));
    SourceNumbers.current().mapsChanged();
    settle();
    assertEquals(0, column(editor).getWidth());
  }

  @Test
  void linesLeadToTheirFunction() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    shownColumn(editor);
    StyledText text = (StyledText) editor.getAdapter(Control.class);
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    editor.selectAndReveal(document.getLineOffset(214), 0);
    Menus.choose(text.getMenu(), "Show in Call Tree");
    assertEquals("solve", OpenSession.current().state().selection().procedure().getName());
    assertEquals(Ids.CALL_TREE_VIEW,
        Workbench.page().getActivePart().getSite().getId());
    Workbench.page().activate(editor);
    click(editor, 310);
    IVerticalRulerInfo ruler = editor.getAdapter(IVerticalRulerInfo.class);
    Menus.choose(ruler.getControl().getMenu(), "Show in Call Tree");
    assertEquals("relax", OpenSession.current().state().selection().procedure().getName());
    settle();
  }

  /** Opens the menu of the ruler at a line. */
  private static void click(ITextEditor editor, int line) {
    editor.selectAndReveal(0, 0);
    StyledText text = (StyledText) editor.getAdapter(Control.class);
    text.setTopIndex(line - 5);
    Workbench.handleEvents();
    Event click = new Event();
    click.y = text.getLinePixel(line - 1) + 3;
    click.button = 3;
    Control control = column(editor).getControl();
    click.widget = control;
    control.notifyListeners(SWT.MouseDown, click);
  }

  @Test
  void numbersAreChosenInTheMenuOfTheRuler() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    ProfileColumn column = shownColumn(editor);
    int width = column.getWidth();
    IVerticalRulerInfo ruler = editor.getAdapter(IVerticalRulerInfo.class);
    click(editor, 220);
    Menus.choose(ruler.getControl().getMenu(), "Parallax Numbers", "Wait Time");
    settle();
    assertTrue(column.getWidth() > width);
    long waitNs = core().lines(RECORDED).stream().filter(line -> line.line() == 220)
        .findFirst().orElseThrow().numbers().waitNs();
    assertTrue(waitNs > 0);
    assertEquals(cell(waitNs), column.texts(219).get(3));
    assertEquals("wait ms", column.headings().get(3));
    click(editor, 220);
    Menus.choose(ruler.getControl().getMenu(), "Parallax Numbers", "Wait Time");
    settle();
    assertEquals(3, column.texts(219).size());
    assertEquals(width, column.getWidth());
  }

  @Test
  void theColumnCanBeSwitchedOffAndOn() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    shownColumn(editor);
    IVerticalRulerInfo ruler = editor.getAdapter(IVerticalRulerInfo.class);
    click(editor, 220);
    Menus.choose(ruler.getControl().getMenu(), "Show Parallax Profile");
    settle();
    assertNull(column(editor));
    assertEquals(Map.of(), annotations(editor));
    SourcePreferencePage page = new SourcePreferencePage();
    Shell shell = new Shell(Workbench.window().getShell());
    page.init(Workbench.window().getWorkbench());
    page.createControl(shell);
    Button show = Workbench.button(shell, "Show the profile in the ruler of editors");
    assertFalse(show.getSelection());
    show.setSelection(true);
    page.performOk();
    shell.dispose();
    settle();
    assertEquals(expected(), texts(shownColumn(editor)));
  }

  @Test
  void foldersAreMappedOnThePreferencePage() throws Exception {
    PathMaps.add(new PathMap("/build", "/home/me/work"));
    SourcePreferencePage page = new SourcePreferencePage();
    Shell shell = new Shell(Workbench.window().getShell());
    page.init(Workbench.window().getWorkbench());
    page.createControl(shell);
    shell.setSize(700, 500);
    shell.open();
    shell.forceActive();
    assertEquals("/build", page.maps().getTable().getItem(0).getText(0));
    Workbench.press(Workbench.button(shell, "Add"));
    type(page, "/old/src/");
    page.maps().getTable().setFocus();
    page.maps().editElement(page.maps().getElementAt(1), 1);
    type(page, "/new/src");
    page.performOk();
    shell.dispose();
    assertEquals(List.of(new PathMap("/build", "/home/me/work"),
        new PathMap("/old/src", "/new/src")), PathMaps.all());
    assertEquals(Path.of("/new/src/a/b.c"), PathMaps.all().get(1).apply("/old/src/a/b.c"));
    assertNull(PathMaps.all().get(1).apply("/old/srcs/a.c"));
  }

  private static void type(SourcePreferencePage page, String text) {
    Workbench.handleEvents();
    Text cell =
        Workbench.find(page.maps().getTable(), Text.class, Control::isVisible).get(0);
    cell.setText(text);
    cell.notifyListeners(SWT.DefaultSelection, new Event());
    Workbench.handleEvents();
  }

  @Test
  void theProfileOfALineIsReachedByTheKeyboard() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    shownColumn(editor);
    IDocument document = editor.getDocumentProvider().getDocument(editor.getEditorInput());
    editor.selectAndReveal(document.getLineOffset(299), 0);
    List<Shell> before = List.of(editor.getSite().getShell().getDisplay().getShells());
    editor.getSite().getService(IHandlerService.class)
        .executeCommand("org.parallax.source.showLineProfile", null);
    Workbench.handleEvents();
    List<Shell> opened =
        new ArrayList<>(List.of(editor.getSite().getShell().getDisplay().getShells()));
    opened.removeAll(before);
    assertEquals(1, opened.size());
    assertTrue(Workbench.texts(opened.get(0)).contains("relax\n    Exclusive time"));
    opened.get(0).close();
  }

  /** 2,000 functions, of which each has a line of its own and one that calls. */
  @Test
  void longFilesDoNotStallTheUserInterface() throws Exception {
    TraceBuilder builder = new TraceBuilder(Files.createDirectory(directory.resolve("trace")));
    TracedProcess process = builder.process("node1", "/opt/ring");
    TracedThread thread = process.thread(0).threadBegin(0, -1);
    for (int i = 0; i < 2_000; i++) {
      thread.sample(1_000_000L * (i + 1), "f" + i + "/f" + (i + 1));
    }
    thread.threadEnd(2_001_000_000L);
    builder.write();
    IProject project = Workbench.project("sources");
    Files.writeString(project.getLocation().append("ring.c").toPath(), lines(202_000));
    project.refreshLocal(IResource.DEPTH_INFINITE, null);
    ITextEditor editor = (ITextEditor) IDE.openEditor(Workbench.page(),
        project.getFile("ring.c"), editorId());
    ProfileColumn column = column(editor);
    QuietMachine.measure(attempt -> {
      OpenSession.current().close(OpenSession.current().state().traces());
      settle();
      UiWatch watch = new UiWatch();
      OpenSession.current().open(List.of(directory.resolve("trace")));
      watch.run(() -> column.getWidth() > 0
          && Job.getJobManager().find(OpenSession.current()).length == 0);
      StyledText text = (StyledText) editor.getAdapter(Control.class);
      for (int top = 0; top < 2_000; top += 100) {
        text.setTopIndex(top);
        watch.run(() -> true);
      }
      watch.assertNoStall(100);
    });
    assertTrue(EditorNumbers.of(editor).numbers().entries().size() > 4_000);
  }

  /** A project that is closed, and a file that is gone, while the trace is open. */
  @Test
  void projectsCloseWhileTheTraceIsOpen() throws Exception {
    openTrace();
    ITextEditor editor = openFile(BEFORE);
    shownColumn(editor);
    IFile file = editor.getEditorInput().getAdapter(IFile.class);
    Files.delete(file.getLocation().toPath());
    OpenSession.current().setScope(
        OpenSession.current().state().trees().get(0).children().get(1));
    settle();
    file.getProject().close(null);
    settle();
    OpenSession.current().setScope(OpenSession.current().state().trees().get(0));
    settle();
    assertTrue(OpenSession.current().state().isOpen());
  }
}
