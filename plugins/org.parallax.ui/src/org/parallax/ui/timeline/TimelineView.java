package org.parallax.ui.timeline;

import java.awt.Color;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.util.IPropertyChangeListener;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.ColorDialog;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.parallax.analysis.compare.OtherRun;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.timeline.StateColumns;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.preferences.Preferences;
import org.parallax.ui.preferences.StateColorChoices;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.views.NewPhase;
import org.parallax.ui.views.SessionView;
import org.parallax.ui.widgets.NavigationKeys;
import org.parallax.ui.widgets.RunAction;

/** What threads do when, with the messages between them and the critical path through them. */
public final class TimelineView extends SessionView<TimelineView.Content> {
  /** What is shown. */
  record Content(AlignedRuns runs) {}

  private SashForm sash;
  /** From top to bottom; at least one. */
  private final List<TimelineStrip> strips = new ArrayList<>();
  /** The strip of the run that is selected. */
  private TimelineStrip strip;
  /** Where the menu was asked for. */
  private Point pointed;
  private Action back;
  private Action forward;
  private Action messages;
  private Action path;
  private Action onlySelected;
  private Action together;
  private Action marksDifferences;
  private final RunComparison comparison = new RunComparison(this::visible);
  private final AlignMenu align = new AlignMenu(() -> getSite().getShell());
  private final LaneMenu lanes =
      new LaneMenu(() -> getSite().getShell(), this::refresh,
          height -> control().setLaneHeight(height));

  @Override
  protected String subject() {
    return Messages.subject;
  }

  @Override
  protected void createContent(Composite parent) {
    sash = new SashForm(parent, SWT.VERTICAL);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
    addStrip();
    strip = strips.get(0);
    createActions();
    IPropertyChangeListener colors = Preferences.onColors(
        () -> strips.forEach(each -> each.control().update()));
    sash.addListener(SWT.Dispose, event -> Preferences.remove(colors));
  }

  /** Makes room for one more run. */
  private void addStrip() {
    TimelineStrip added = new TimelineStrip(sash, moved -> enable(),
        moment -> goTo(moment.strip(), moment.ns()), this::refresh);
    added.control().setBeside(() -> visible().stream().map(TimelineStrip::control).toList());
    addInput(added);
    createMenu(added);
    if (!strips.isEmpty()) {
      added.control().setLaneHeight(strips.get(0).control().laneHeight());
    }
    strips.add(added);
  }

  private List<TimelineStrip> visible() {
    return strips.stream().filter(each -> each.run() != null).toList();
  }

  private void addInput(TimelineStrip of) {
    TimelineControl control = of.control();
    TimelineFinder finder = of.finder();
    new TimelineInput(control, new TimelineInput.Actions() {
      @Override
      public void select(int row, long timeNs) {
        TimelineView.this.select(of, row, timeNs);
      }

      @Override
      public void moveCursor(long timeNs) {
        TimelineView.this.moveCursor(of, timeNs);
      }

      @Override
      public void selectRange(TimeWindow part) {
        if (!pin().isChecked()) {
          NewPhase.select(inSelected(of, part));
        }
      }

      @Override
      public void shift(long byNs) {
        OpenSession session = OpenSession.current();
        if (visible().size() > 1) {
          session.align(session.state().alignment().shifted(of.trace(), byNs));
        }
      }

      @Override
      public void definePhase(TimeWindow visible) {
        TimelineView.this.definePhase(of, visible);
      }

      @Override
      public void find(FindJob.Sought sought, boolean forward) {
        finder.find(sought, forward);
      }

      @Override
      public void goToTime() {
        finder.goToTime(of.run().analysis());
      }

      @Override
      public void toggleBookmark() {
        finder.toggleBookmark();
      }

      @Override
      public void goToBookmark(boolean forward) {
        finder.goToBookmark(forward);
      }

      @Override
      public void turn(String group) {
        lanes.turn(group);
      }

      @Override
      public void clearTime() {
        OpenSession.current().clearTime();
      }

      @Override
      public void readAgain() {
        of.read();
        compare(result() == null ? null : result().runs());
      }
    });
  }

  private static ImageDescriptor shared(String name) {
    return PlatformUI.getWorkbench().getSharedImages().getImageDescriptor(name);
  }

  private void createActions() {
    back = new RunAction(Messages.back, shared(ISharedImages.IMG_TOOL_BACK),
        () -> control().back());
    forward = new RunAction(Messages.forward, shared(ISharedImages.IMG_TOOL_FORWARD),
        () -> control().forward());
    Action all = new RunAction(Messages.showAll, Icons.descriptor("show_all"),
        () -> control().showAll());
    messages = new RunAction(Messages.messages, Icons.descriptor("arc"), IAction.AS_CHECK_BOX,
        this::showLines);
    messages.setChecked(true);
    path = new RunAction(Messages.path, Icons.descriptor("critical_path"),
        IAction.AS_CHECK_BOX,
        this::showLines);
    path.setChecked(true);
    onlySelected = new RunAction(Messages.onlySelected, Icons.descriptor("thread"),
        IAction.AS_CHECK_BOX, this::refresh);
    together = new RunAction(Messages.together, Icons.descriptor("comparison"),
        IAction.AS_CHECK_BOX, this::refresh);
    together.setToolTipText(Messages.togetherTip);
    marksDifferences = new RunAction(Messages.differences, null, IAction.AS_CHECK_BOX,
        () -> compare(result() == null ? null : result().runs()));
    marksDifferences.setChecked(true);
    IToolBarManager tools = getViewSite().getActionBars().getToolBarManager();
    List.of(back, forward, all, lanes.fit(), messages, path, onlySelected, together)
        .forEach(tools::add);
    IMenuManager menu = getViewSite().getActionBars().getMenuManager();
    lanes.fill(menu);
    align.fill(menu);
    menu.add(marksDifferences);
    NavigationKeys.register(getSite(), back, forward);
    enable();
  }

  private void createMenu(TimelineStrip of) {
    TimelineControl control = of.control();
    Menu menu = control.canvas().getMenu();
    item(menu, Messages.source, () -> {
      Procedure procedure = selection().procedure();
      if (procedure != null) {
        SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
      }
    });
    item(menu, Messages.definePhase, () -> {
      if (control.scene() != null) {
        definePhase(of, control.scene().window());
      }
    }).setToolTipText(Messages.definePhaseTip);
    MenuItem color = item(menu, Messages.color, () -> changeColor(control));
    control.canvas().addListener(SWT.MenuDetect, event -> {
      pointed = control.canvas().toControl(event.x, event.y);
      color.setEnabled(stateAt(control, pointed.x, pointed.y) != StateColumns.NONE);
    });
    createFindMenu(menu, of);
    item(menu, Messages.zoomIn, () -> control.zoom(0.5));
    item(menu, Messages.zoomOut, () -> control.zoom(2));
    item(menu, Messages.showAll, () -> control.showAll());
  }

  private void createFindMenu(Menu menu, TimelineStrip of) {
    TimelineControl control = of.control();
    TimelineFinder finder = of.finder();
    MenuItem find = new MenuItem(menu, SWT.CASCADE);
    find.setText(Messages.find);
    Menu what = new Menu(menu);
    find.setMenu(what);
    item(what, Messages.findNextState, () -> finder.find(FindJob.Sought.STATE, true));
    item(what, Messages.findPreviousState, () -> finder.find(FindJob.Sought.STATE, false));
    item(what, Messages.findNextWait, () -> finder.find(FindJob.Sought.WAIT, true));
    item(what, Messages.findPreviousWait, () -> finder.find(FindJob.Sought.WAIT, false));
    item(what, Messages.findNextMessage, () -> finder.find(FindJob.Sought.MESSAGE, true));
    item(what, Messages.findPreviousMessage, () -> finder.find(FindJob.Sought.MESSAGE, false));
    item(menu, Messages.goTo, () -> {
      if (of.run() != null) {
        finder.goToTime(of.run().analysis());
      }
    });
    item(menu, Messages.bookmarkToggle, () -> finder.toggleBookmark());
    MenuItem bookmarks = new MenuItem(menu, SWT.CASCADE);
    bookmarks.setText(Messages.bookmarks);
    Menu marked = new Menu(menu);
    bookmarks.setMenu(marked);
    menu.addListener(SWT.Show, event -> {
      if (control.scene() != null) {
        finder.fill(marked);
      }
      bookmarks.setEnabled(marked.getItemCount() > 0);
    });
  }

  /** The state at a place of the picture, or NONE. */
  private static int stateAt(TimelineControl control, int x, int y) {
    TimelineDrawing drawn = control.drawn();
    int row = drawn == null ? -1 : drawn.layout().rowAt(y, drawn.scene().scroll());
    return row < 0 ? StateColumns.NONE : drawn.stateOfRow(row, x - drawn.layout().plot().x);
  }

  /** Asks for the colour of the state that was pointed at, and keeps it. */
  private void changeColor(TimelineControl control) {
    int state = pointed == null ? StateColumns.NONE : stateAt(control, pointed.x, pointed.y);
    if (state == StateColumns.NONE) {
      return;
    }
    String name = control.drawn().scene().timeline().name(state);
    Color now = control.drawn().colors().of(state);
    ColorDialog dialog = new ColorDialog(getSite().getShell());
    dialog.setText(NLS.bind(Messages.colorOf, name));
    dialog.setRGB(new RGB(now.getRed(), now.getGreen(), now.getBlue()));
    RGB chosen = dialog.open();
    if (chosen != null) {
      StateColorChoices.load().with(name, new Color(chosen.red, chosen.green, chosen.blue)).save();
    }
  }

  private static MenuItem item(Menu menu, String text, Runnable action) {
    MenuItem item = new MenuItem(menu, SWT.PUSH);
    item.setText(text);
    item.addListener(SWT.Selection, event -> action.run());
    return item;
  }

  private void enable() {
    if (back != null) {
      back.setEnabled(control().canGoBack());
      forward.setEnabled(control().canGoForward());
    }
  }

  private void showLines() {
    strips.forEach(
        each -> each.control().showLines(messages.isChecked(), path.isChecked()));
  }

  // ----------------------------------------------------------------- content

  @Override
  protected boolean needsEvents() {
    return true;
  }

  @Override
  protected Computation<Content> computation() {
    boolean only = onlySelected.isChecked();
    boolean others = together.isChecked();
    SessionState state = OpenSession.current().state();
    Set<Path> baseline = state.baseline();
    LaneArrangement arrangement = lanes.arrangement();
    return (analysis, selection, progress) -> new Content(AlignedRuns.of(
        analysis, selection, state, others, baseline, only, arrangement, progress));
  }

  @Override
  protected void show(Content content, Selection selection) {
    AlignedRuns runs = content.runs();
    while (strips.size() < runs.runs().size()) {
      addStrip();
    }
    TimelineStrip before = strip;
    strip = strips.get(runs.reference());
    for (int i = 0; i < strips.size(); i++) {
      boolean isShown = i < runs.runs().size();
      if (strips.get(i).widget().getVisible() != isShown) {
        strips.get(i).widget().setVisible(isShown);
      }
      if (isShown) {
        show(strips.get(i), runs.runs().get(i), runs, selection);
      } else {
        strips.get(i).stopReading();
        strips.get(i).clear();
      }
    }
    TimelineControl first = (before.run() == null ? strip : before).control();
    visible().forEach(each -> each.control().follow(first));
    sash.layout();
    align.setRuns(runs);
    lanes.setShown(runs.selected().lanes(), selection.procedure());
    compare(runs);
    enable();
    cursorMoved(false);
  }

  private void show(TimelineStrip of, TimelineRun run, AlignedRuns runs, Selection selection) {
    Set<ProgramThread> threads = new HashSet<>();
    selection.nodes().forEach(node -> threads.addAll(node.threads()));
    Set<Integer> selected = new HashSet<>();
    for (int thread : run.lanes().threads()) {
      if (threads.contains(run.analysis().thread(run.timeline().threads().get(thread)))) {
        selected.add(thread);
      }
    }
    if (selected.size() == run.timeline().threads().size() && runs.runs().size() == 1) {
      selected.clear();
    }
    of.setRun(run);
    of.setHeading(AlignMenu.heading(run, runs));
    of.control().show(run.timeline(), run.lanes(),
        OtherRun.moved(selection.phase(), -runs.toSelectedNs(run)),
        OpenSession.current().state().phases(run.analysis()), selected, selection.procedure(),
        messages.isChecked(), path.isChecked(), runs.frame(run).with(of.differences()));
    of.finder().showBookmarks();
    of.readUnlessReading();
  }

  /** Marks by what runs differ from the first one, or from that with which a person compares. */
  private void compare(AlignedRuns runs) {
    comparison.compare(marksDifferences.isChecked() ? runs : null);
  }

  @Override
  protected void clear() {
    compare(null);
    strips.forEach(TimelineStrip::clear);
    align.setRuns(null);
  }

  @Override
  protected List<String> warnings(Content content) {
    return content.runs().runs().stream().flatMap(run -> run.timeline().warnings().stream())
        .map(Texts::sentence).distinct().toList();
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    super.stateChanged(before, now);
    strips.forEach(each -> each.stopReadingUnless(now.traces()));
    comparison.forgetUnless(now.traces());
    if (!now.phases().equals(before.phases()) || !now.alignment().equals(before.alignment())
        || !now.baseline().equals(before.baseline())) {
      refresh();
    }
  }

  @Override
  protected void procedureSelected(Selection selection) {
    strips.forEach(each -> each.control().showProcedure(selection.procedure()));
    if (result() != null) {
      lanes.setShown(result().runs().selected().lanes(), selection.procedure());
    }
  }

  @Override
  protected void cursorMoved() {
    cursorMoved(true);
  }

  private void cursorMoved(boolean reveals) {
    showCursor(cursorNs(), reveals);
  }

  private void showCursor(Long cursor, boolean reveals) {
    for (TimelineStrip each : visible()) {
      each.control().setCursor(cursor == null || strip.run() == null ? null
          : Long.valueOf(strip.control().in(each.control(), cursor)));
    }
    if (reveals && cursor != null) {
      control().reveal(cursor);
    }
  }

  // ----------------------------------------------------------------- selecting

  /** A moment of a run in the time of the one that is selected. */
  private long inSelected(TimelineStrip of, long timeNs) {
    return of.control().in(control(), timeNs);
  }

  private Window inSelected(TimelineStrip of, TimeWindow part) {
    return new Window(inSelected(of, part.beginNs()), inSelected(of, part.endNs()));
  }

  private void moveCursor(TimelineStrip of, long timeNs) {
    if (!pin().isChecked()) {
      OpenSession.current().setCursor(inSelected(of, timeNs));
    }
  }

  /** Goes to a moment that was looked for; a pinned view does so by itself. */
  private void goTo(TimelineStrip of, long timeNs) {
    if (pin().isChecked()) {
      showCursor(inSelected(of, timeNs), true);
    } else {
      moveCursor(of, timeNs);
    }
  }

  /** Selects a thread, and the procedure in which most of the time around a moment is spent. */
  private void select(TimelineStrip of, int row, long timeNs) {
    TimelineControl control = of.control();
    TimelineScene scene = control.scene();
    OpenSession session = OpenSession.current();
    Selection selection = session.state().selection();
    Set<ProgramThread> threads = threads(of.run(), row);
    TreeNode node = threads.isEmpty() ? null : find(session.state(), threads);
    if (node != null) {
      // The range and the cursor stay where they are in the picture.
      long byNs = of.control().in(control(), 0);
      Long cursorNs = selection.cursorNs();
      selection = selection.withNodes(List.of(node))
          .withPhase(OtherRun.moved(selection.phase(), -byNs))
          .withCursor(cursorNs == null ? null : Long.valueOf(cursorNs - byNs));
    }
    TimelineDrawing drawn = control.drawn();
    if (drawn != null && timeNs >= scene.window().beginNs()) {
      int column = (int) drawn.scene().window().place(timeNs, drawn.states().columns());
      int state = drawn.stateOfRow(row, column);
      of.finder().setSought(state);
      Procedure procedure = state == StateColumns.NONE || scene.timeline().wait(state) != null
          ? null : scene.timeline().workload().procedure(state);
      selection = procedure == null ? selection : selection.withProcedure(procedure);
      selection = selection.withCursor(timeNs);
    }
    session.select(selection);
  }

  /** The threads of a lane, or those of a group. */
  private static Set<ProgramThread> threads(TimelineRun run, int row) {
    Set<ProgramThread> threads = new HashSet<>();
    for (int thread : run.lanes().threadsOf(row)) {
      threads.add(run.analysis().thread(run.timeline().threads().get(thread)));
    }
    return threads;
  }

  /** The node of threads in the tree that is selected, or in the first one that has them. */
  private static TreeNode find(SessionState state, Set<ProgramThread> threads) {
    TreeNode root = state.scope();
    while (root != null && root.parent() != null) {
      root = root.parent();
    }
    TreeNode found = root == null ? null : find(root, threads);
    for (TreeNode tree : found != null ? List.<TreeNode>of() : state.trees()) {
      found = found != null ? found : find(tree, threads);
    }
    return found;
  }

  /** The lowest node that has all these threads, but none of their procedures. */
  private static TreeNode find(TreeNode node, Set<ProgramThread> threads) {
    Predicate<TreeNode> has = each -> each.threads().containsAll(threads);
    TreeNode at = has.test(node) ? node : null;
    boolean isOne = threads.size() == 1;
    while (at != null && !(isOne && threads.contains(at.object())) && at.areChildrenKnown()) {
      TreeNode below = at.children().stream()
          .filter(each -> has.test(each) && each.procedure().isEmpty()).findFirst().orElse(null);
      if (below == null) {
        break;
      }
      at = below;
    }
    return at;
  }

  private void definePhase(TimelineStrip of, TimeWindow part) {
    NewPhase.keep(getSite().getShell(), inSelected(of, part));
  }

  @Override
  protected void focusOnResult() {
    control().canvas().setFocus();
  }

  @Override
  public void dispose() {
    strips.forEach(TimelineStrip::stopReading);
    comparison.cancel();
    super.dispose();
  }

  // ----------------------------------------------------------------- for tests

  /** The timeline of the run that is selected. */
  TimelineControl control() {
    return strip.control();
  }

  /** The timelines that are shown, from top to bottom. */
  List<TimelineStrip> runs() {
    return visible();
  }

  Action together() {
    return together;
  }

  RunComparison comparison() {
    return comparison;
  }

  AlignMenu align() {
    return align;
  }

  LaneMenu lanes() {
    return lanes;
  }

  Action onlySelected() {
    return onlySelected;
  }
}
