package org.parallax.ui.timeline;

import java.awt.Color;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.util.IPropertyChangeListener;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.ColorDialog;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.timeline.ProgramTimeline;
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
  /** What is shown: a timeline and the threads of it that have lanes. */
  record Content(ProgramTimeline timeline, Lanes lanes) {}

  private TimelineControl control;
  private TimelineTips tips;
  private TimelineFinder finder;
  /** Where the menu was asked for. */
  private Point pointed;
  private ReadTimelineJob reading;
  private Action back;
  private Action forward;
  private Action messages;
  private Action path;
  private Action onlySelected;

  @Override
  protected String subject() {
    return Messages.subject;
  }

  @Override
  protected void createContent(Composite parent) {
    control = new TimelineControl(parent, moved -> enable());
    GridDataFactory.fillDefaults().grab(true, true).applyTo(control.widget());
    tips = new TimelineTips(control);
    finder = new TimelineFinder(control, this::moveCursor);
    control.canvas().setToolTips(tips::at);
    new TimelineInput(control, new TimelineInput.Actions() {
      @Override
      public void select(int row, long timeNs) {
        TimelineView.this.select(row, timeNs);
      }

      @Override
      public void moveCursor(long timeNs) {
        TimelineView.this.moveCursor(timeNs);
      }

      @Override
      public void selectRange(TimeWindow part) {
        if (!pin().isChecked()) {
          NewPhase.select(new Window(part.beginNs(), part.endNs()));
        }
      }

      @Override
      public void definePhase(TimeWindow visible) {
        TimelineView.this.definePhase(visible);
      }

      @Override
      public void find(FindJob.Sought sought, boolean forward) {
        finder.find(sought, forward);
      }

      @Override
      public void goToTime() {
        finder.goToTime(analysis());
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
      public void clearTime() {
        OpenSession.current().clearTime();
      }

      @Override
      public void readAgain() {
        if (result() != null) {
          read(result());
        }
      }
    });
    createActions();
    createMenu();
    IPropertyChangeListener colors = Preferences.onColors(control::update);
    control.canvas().addListener(SWT.Dispose, event -> Preferences.remove(colors));
  }

  private static ImageDescriptor shared(String name) {
    return PlatformUI.getWorkbench().getSharedImages().getImageDescriptor(name);
  }

  private void createActions() {
    back = new RunAction(Messages.back, shared(ISharedImages.IMG_TOOL_BACK),
        () -> control.back());
    forward = new RunAction(Messages.forward, shared(ISharedImages.IMG_TOOL_FORWARD),
        () -> control.forward());
    Action all = new RunAction(Messages.showAll, Icons.descriptor("show_all"),
        () -> control.showAll());
    messages = new RunAction(Messages.messages, Icons.descriptor("arc"), IAction.AS_CHECK_BOX,
        this::showLines);
    messages.setChecked(true);
    path = new RunAction(Messages.path, Icons.descriptor("critical_path"),
        IAction.AS_CHECK_BOX,
        this::showLines);
    path.setChecked(true);
    onlySelected = new RunAction(Messages.onlySelected, Icons.descriptor("thread"),
        IAction.AS_CHECK_BOX, this::refresh);
    IToolBarManager tools = getViewSite().getActionBars().getToolBarManager();
    List.of(back, forward, all, messages, path, onlySelected).forEach(tools::add);
    NavigationKeys.register(getSite(), back, forward);
    enable();
  }

  private void createMenu() {
    Menu menu = control.canvas().getMenu();
    item(menu, Messages.source, () -> {
      Procedure procedure = selection().procedure();
      if (procedure != null) {
        SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
      }
    });
    item(menu, Messages.definePhase, () -> {
      if (control.scene() != null) {
        definePhase(control.scene().window());
      }
    }).setToolTipText(Messages.definePhaseTip);
    MenuItem color = item(menu, Messages.color, this::changeColor);
    control.canvas().addListener(SWT.MenuDetect, event -> {
      pointed = control.canvas().toControl(event.x, event.y);
      color.setEnabled(stateAt(pointed.x, pointed.y) != StateColumns.NONE);
    });
    createFindMenu(menu);
    item(menu, Messages.zoomIn, () -> control.zoom(0.5));
    item(menu, Messages.zoomOut, () -> control.zoom(2));
    item(menu, Messages.showAll, () -> control.showAll());
  }

  private void createFindMenu(Menu menu) {
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
    item(menu, Messages.goTo, () -> finder.goToTime(analysis()));
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
  private int stateAt(int x, int y) {
    TimelineDrawing drawn = control.drawn();
    int row = drawn == null ? -1 : drawn.layout().rowAt(y, drawn.scene().scroll());
    return row < 0 || !drawn.scene().lanes().rows().get(row).isThread() ? StateColumns.NONE
        : drawn.state(drawn.scene().lanes().rows().get(row).thread(), x - drawn.layout().plot().x);
  }

  /** Asks for the colour of the state that was pointed at, and keeps it. */
  private void changeColor() {
    int state = pointed == null ? StateColumns.NONE : stateAt(pointed.x, pointed.y);
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
      back.setEnabled(control.canGoBack());
      forward.setEnabled(control.canGoForward());
    }
  }

  private void showLines() {
    control.showLines(messages.isChecked(), path.isChecked());
  }

  // ----------------------------------------------------------------- content

  @Override
  protected Computation<Content> computation() {
    boolean only = onlySelected.isChecked();
    return (analysis, selection, progress) -> {
      ProgramTimeline timeline = analysis.timeline();
      timeline.beginNs();
      List<ProgramThread> threads = selection.nodes().stream()
          .flatMap(node -> node.threads().stream()).toList();
      return new Content(timeline, Lanes.of(analysis, timeline, only ? threads : null));
    };
  }

  @Override
  protected void show(Content content, Selection selection) {
    Set<ProgramThread> threads = new HashSet<>();
    selection.nodes().forEach(node -> threads.addAll(node.threads()));
    Set<Integer> selected = new HashSet<>();
    content.lanes().rows().stream()
        .filter(lane -> lane.isThread() && threads.contains(lane.model()))
        .forEach(lane -> selected.add(lane.thread()));
    if (selected.size() == content.timeline().threads().size()) {
      selected.clear();
    }
    if (control.scene() == null || control.scene().timeline() != content.timeline()) {
      tips.clear();
    }
    control.show(content.timeline(), content.lanes(), selection.phase(),
        OpenSession.current().state().phases(selection.nodes()), selected, selection.procedure(),
        messages.isChecked(), path.isChecked());
    control.setCursor(cursorNs());
    finder.showBookmarks();
    if (reading == null || reading.timeline() != content.timeline()) {
      read(content);
    }
  }

  @Override
  protected void clear() {
    control.clear();
    tips.clear();
    finder.clear();
  }

  /** Reads what is not known yet. */
  private void read(Content content) {
    if (reading != null) {
      reading.cancel();
    }
    ReadTimelineJob job = new ReadTimelineJob(
        content.timeline(), content.lanes().threads(), control.canvas()::isDrawing,
        this::moreRead);
    reading = job;
    job.schedule();
  }

  private void moreRead(ReadTimelineJob job, String work) {
    if (job == reading && !control.canvas().isDisposed()) {
      control.setWork(work);
      control.update();
      if (work.isEmpty() && !job.timeline().warnings().isEmpty()) {
        refresh();
      }
    }
  }

  @Override
  protected List<String> warnings(Content content) {
    return content.timeline().warnings().stream().map(Texts::sentence).toList();
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    super.stateChanged(before, now);
    if (reading != null && !now.traces().containsAll(
        reading.timeline().workload().traces())) {
      reading.cancel();
      reading = null;
    }
    if (!now.phases().equals(before.phases())) {
      refresh();
    }
  }

  @Override
  protected void procedureSelected(Selection selection) {
    control.showProcedure(selection.procedure());
  }

  @Override
  protected void cursorMoved() {
    control.setCursor(cursorNs());
    if (cursorNs() != null) {
      control.reveal(cursorNs());
    }
  }

  // ----------------------------------------------------------------- selecting

  private void moveCursor(long timeNs) {
    if (!pin().isChecked()) {
      OpenSession.current().setCursor(timeNs);
    }
  }

  /** Selects a thread, and the procedure in which most of the time around a moment is spent. */
  private void select(int row, long timeNs) {
    TimelineScene scene = control.scene();
    Lanes.Lane lane = scene.lanes().rows().get(row);
    OpenSession session = OpenSession.current();
    Selection selection = session.state().selection();
    TreeNode node = lane.isThread() ? find(session.state(), lane.model()) : null;
    if (node != null) {
      selection = selection.withNodes(List.of(node));
    }
    TimelineDrawing drawn = control.drawn();
    if (lane.isThread() && drawn != null && timeNs >= scene.window().beginNs()) {
      int column = (int) drawn.scene().window().place(timeNs, drawn.states().columns());
      int state = drawn.state(lane.thread(), column);
      finder.setSought(state);
      Procedure procedure = state == StateColumns.NONE || scene.timeline().wait(state) != null
          ? null : scene.timeline().workload().procedure(state);
      selection = procedure == null ? selection : selection.withProcedure(procedure);
      selection = selection.withCursor(timeNs);
    }
    session.select(selection);
  }

  /** The node of a thread in the tree that is selected, or in the first one that has it. */
  private static TreeNode find(SessionState state, ProgramThread thread) {
    TreeNode root = state.scope();
    while (root != null && root.parent() != null) {
      root = root.parent();
    }
    TreeNode found = root == null ? null : find(root, thread);
    for (TreeNode tree : found != null ? List.<TreeNode>of() : state.trees()) {
      found = found != null ? found : find(tree, thread);
    }
    return found;
  }

  /** The lowest node that stands for this thread alone, but none of its procedures. */
  private static TreeNode find(TreeNode node, ProgramThread thread) {
    Predicate<TreeNode> has = each -> each.threads().contains(thread);
    TreeNode at = has.test(node) ? node : null;
    while (at != null && at.object() != thread && at.areChildrenKnown()) {
      TreeNode below = at.children().stream()
          .filter(each -> has.test(each) && each.procedure().isEmpty()).findFirst().orElse(null);
      if (below == null) {
        break;
      }
      at = below;
    }
    return at;
  }

  private void definePhase(TimeWindow part) {
    NewPhase.keep(getSite().getShell(), new Window(part.beginNs(), part.endNs()));
  }

  @Override
  protected void focusOnResult() {
    control.canvas().setFocus();
  }

  @Override
  public void dispose() {
    if (reading != null) {
      reading.cancel();
    }
    super.dispose();
  }

  // ----------------------------------------------------------------- for tests

  TimelineControl control() {
    return control;
  }

  Action onlySelected() {
    return onlySelected;
  }
}
