package org.parallax.ui.trees;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ColumnViewerToolTipSupport;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.viewers.TreeViewer;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.TreeItem;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.part.ViewPart;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Trace;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.platform.ViewHelp;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.session.TraceNames;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.widgets.MessageBar;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.Unmeasured;

/**
 * The logical tree of each application and the physical tree over all of them. What is selected here
 * is the scope of the tables.
 */
public final class ProgramTreesView extends ViewPart implements OpenSession.Listener {
  /** A machine can have thousands of processes: more of them come when they are asked for. */
  public static final int MAX_CHILDREN = 200;

  private Composite content;
  private Composite treePage;
  private MessagePage messagePage;
  private MessageBar warnings;
  private TreeViewer viewer;
  private TreeContent nodes;
  private Action closeTrace;
  private Action source;
  private Action follow;
  private final Runnable followed = this::showFollow;
  /** Set while the view itself changes the selection. */
  private boolean selecting;

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    ViewHelp.offer(content, getSite().getId());
    messagePage = new MessagePage(content, target -> TraceOpening.followLink(getSite(), target));
    treePage = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(treePage);
    warnings = new MessageBar(treePage, (messages, most) -> messages.size() == 1
        ? Messages.oneWarning : NLS.bind(Messages.warnings, messages.size()));
    viewer = new TreeViewer(Unmeasured.in(treePage), SWT.MULTI | SWT.H_SCROLL | SWT.V_SCROLL);
    viewer.setUseHashlookup(true);
    viewer.setDisplayIncrementally(MAX_CHILDREN);
    nodes = new TreeContent(viewer);
    viewer.setContentProvider(nodes);
    viewer.setLabelProvider(new TreeLabels());
    ColumnViewerToolTipSupport.enableFor(viewer);
    viewer.addSelectionChangedListener(event -> {
      List<TreeNode> selected = selectedNodes();
      if (!selecting && !selected.isEmpty()) {
        OpenSession session = OpenSession.current();
        session.select(session.state().selection().withNodes(selected)
            .withProcedure(selectedProcedure()));
      }
      closeTrace.setEnabled(!selected.isEmpty());
      source.setEnabled(selectedProcedure() != null);
    });
    viewer.addDoubleClickListener(event -> activate());
    createActions();
    getSite().setSelectionProvider(viewer);
    OpenSession.current().addListener(this);
    SessionState now = OpenSession.current().state();
    show(now);
    if (now.isOpen()) {
      showTrees(now, false);
    }
  }

  private void createActions() {
    closeTrace = new RunAction(Messages.closeTrace, Icons.descriptor("close_trace"),
        () -> OpenSession.current().close(selectedTraces()));
    closeTrace.setToolTipText(Messages.closeTraceTip);
    closeTrace.setEnabled(false);
    Action collapse = new RunAction(Messages.collapseAll, PlatformUI.getWorkbench().getSharedImages()
        .getImageDescriptor(ISharedImages.IMG_ELCL_COLLAPSEALL), viewer::collapseAll);
    source = new RunAction(Messages.openSource, this::activate);
    source.setEnabled(false);
    source.setActionDefinitionId("org.parallax.ui.openSource");
    closeTrace.setActionDefinitionId("org.parallax.ui.closeTrace");
    collapse.setActionDefinitionId("org.eclipse.ui.navigate.collapseAll");
    for (Action action : List.of(source, closeTrace, collapse)) {
      getViewSite().getActionBars().setGlobalActionHandler(action.getActionDefinitionId(), action);
    }
    follow = new RunAction(Messages.follow, Icons.descriptor("follow"), IAction.AS_CHECK_BOX,
        () -> OpenSession.current().follow().setOn(follow.isChecked()));
    follow.setToolTipText(Messages.followTip);
    OpenSession.current().follow().addListener(followed);
    showFollow();
    getViewSite().getActionBars().getToolBarManager().add(follow);
    getViewSite().getActionBars().getToolBarManager().add(collapse);
    getViewSite().getActionBars().getToolBarManager().add(closeTrace);
    MenuManager menu = new MenuManager();
    menu.setRemoveAllWhenShown(true);
    menu.addMenuListener(manager -> {
      manager.add(source);
      manager.add(closeTrace);
    });
    viewer.getTree().setMenu(menu.createContextMenu(viewer.getTree()));
  }

  /** It may be switched in other views, too. */
  private void showFollow() {
    UiThread.later(() -> follow.setChecked(OpenSession.current().follow().isOn()));
  }

  /** Opens the source of a procedure, and folds or unfolds any other node. */
  private void activate() {
    Procedure procedure = selectedProcedure();
    TreeNode node = selectedNode();
    if (procedure != null) {
      SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
    } else if (node != null) {
      viewer.setExpandedState(node, !viewer.getExpandedState(node));
    }
  }

  /** Those of the selected nodes that are in a tree, not those that stand for what is being read. */
  private List<TreeNode> selectedNodes() {
    List<TreeNode> nodes = new ArrayList<>();
    for (Object each : viewer.getStructuredSelection().toList()) {
      if (each instanceof TreeNode node) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  private TreeNode selectedNode() {
    List<TreeNode> nodes = selectedNodes();
    return nodes.isEmpty() ? null : nodes.get(0);
  }

  private Procedure selectedProcedure() {
    TreeNode node = selectedNode();
    return node == null ? null : node.procedure().orElse(null);
  }

  /** The traces of the applications that the selected nodes stand for. */
  private Set<Trace> selectedTraces() {
    Set<Trace> traces = new LinkedHashSet<>();
    for (TreeNode node : selectedNodes()) {
      node.threads().forEach(
          thread -> traces.add(thread.getProcess().getApplication().getTrace()));
      if (node.object() instanceof Application application) {
        traces.add(application.getTrace());
      }
    }
    return traces;
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    show(now);
    if (now.trees() != before.trees()) {
      showTrees(now, OpenSession.current().isUpdate(now));
    } else if (!now.selection().nodes().equals(selectedNodes())) {
      select(now.selection().nodes(), true);
    }
  }

  /** @param isUpdate whether they are newer readings of those that are shown: what is unfolded stays so */
  private void showTrees(SessionState now, boolean isUpdate) {
    Set<String> unfolded = new HashSet<>();
    for (Object each : isUpdate ? viewer.getExpandedElements() : new Object[0]) {
      if (each instanceof TreeNode node) {
        unfolded.add(node.path());
      }
    }
    TreeItem top = isUpdate ? viewer.getTree().getTopItem() : null;
    String topPath = top != null && top.getData() instanceof TreeNode node ? node.path() : "";
    viewer.getTree().setRedraw(false);
    try {
      viewer.setInput(now);
      for (TreeNode tree : now.trees()) {
        if (isUpdate) {
          unfoldAgain(tree, unfolded);
        } else {
          unfold(tree);
        }
      }
      select(now.selection().nodes(), !isUpdate);
      scrollTo(viewer.getTree().getItems(), topPath);
    } finally {
      viewer.getTree().setRedraw(true);
    }
  }

  private void unfoldAgain(TreeNode node, Set<String> unfolded) {
    if (unfolded.contains(node.path())) {
      viewer.setExpandedState(node, true);
      if (node.areChildrenKnown()) {
        node.children().forEach(each -> unfoldAgain(each, unfolded));
      }
    }
  }

  private boolean scrollTo(TreeItem[] items, String path) {
    for (TreeItem item : items) {
      if (item.getData() instanceof TreeNode node && node.path().equals(path)) {
        viewer.getTree().setTopItem(item);
        return true;
      }
      if (item.getExpanded() && scrollTo(item.getItems(), path)) {
        return true;
      }
    }
    return false;
  }

  /** Shows machines, and processes where there are few of them. */
  private void unfold(TreeNode tree) {
    viewer.setExpandedState(tree, true);
    for (TreeNode machine : tree.children()) {
      if (tree.level() == Level.APPLICATION && machine.children().size() <= 16) {
        viewer.setExpandedState(machine, true);
      }
    }
  }

  private void select(List<TreeNode> selected, boolean reveals) {
    selecting = true;
    try {
      viewer.setSelection(new StructuredSelection(selected), reveals);
    } finally {
      selecting = false;
    }
  }

  private void show(SessionState now) {
    StackLayout stack = (StackLayout) content.getLayout();
    if (now.isOpen()) {
      List<String> told = new ArrayList<>();
      Map<Trace, String> names = TraceNames.of(now.traces());
      boolean isOne = names.size() == 1;
      now.traces().forEach(trace -> now.warnings().get(trace).forEach(warning ->
          told.add(isOne ? Texts.sentence(warning) : names.get(trace) + ": " + Texts.sentence(warning))));
      warnings.setSubject(now.traces().stream().map(names::get).collect(Collectors.joining(", ")));
      warnings.show(PlatformUI.getWorkbench().getSharedImages()
          .getImage(ISharedImages.IMG_OBJS_WARN_TSK), told);
      stack.topControl = treePage;
    } else {
      messagePage.show(null, !now.opening().isEmpty() ? Messages.openingTrees
          : TraceOpening.nothingOpen(Messages.subjectTrees));
      stack.topControl = messagePage;
    }
    content.layout(true, true);
  }

  /** The switch that has the views follow programs that run. */
  public Action follow() {
    return follow;
  }

  /** The viewer of the trees. */
  public TreeViewer viewer() {
    return viewer;
  }

  /** All warnings about the open traces. */
  public List<String> warnings() {
    return warnings.messages();
  }

  /** What the dialog of the warnings tells. */
  public String warningDetails() {
    return warnings.details();
  }

  /** The message that is shown in place of the trees, empty while there are any. */
  public String message() {
    return ((StackLayout) content.getLayout()).topControl == messagePage
        ? messagePage.message() : "";
  }

  @Override
  public void setFocus() {
    if (message().isEmpty()) {
      viewer.getTree().setFocus();
    } else {
      messagePage.setFocus();
    }
  }

  @Override
  public void dispose() {
    OpenSession.current().removeListener(this);
    OpenSession.current().follow().removeListener(followed);
    super.dispose();
  }
}
