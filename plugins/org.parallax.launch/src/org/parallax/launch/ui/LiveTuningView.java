package org.parallax.launch.ui;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.parallax.launch.LaunchViews;
import org.parallax.launch.ParallelLaunchDelegate;
import org.parallax.launch.tuning.TuningSession;
import org.parallax.launch.tuning.TuningSessions;
import org.parallax.tuning.live.ActionState;
import org.parallax.tuning.live.LiveState;
import org.parallax.tuning.live.LiveTables;
import org.parallax.tuning.session.SessionException;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.platform.ViewHelp;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.widgets.MessageBar;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.RunAction;

/**
 * What is tuned while it runs, or was: measure points and their metrics, conditions, actions with their gain, decisions.
 * It looks at the session four times a second while one runs, and keeps nothing of those that have ended after it is closed.
 */
public final class LiveTuningView extends ViewPart {
  private static final int LOOK_MS = 250;
  private static final long NOTHING = -1;

  private final AtomicBoolean isPending = new AtomicBoolean();
  private final Runnable listener = this::changed;
  private Composite content;
  private Composite page;
  private MessagePage none;
  private MessageBar messages;
  private Combo chooser;
  private Label summary;
  private TuningPages pages;
  private Action act;
  private Action pause;
  private Action undo;
  private Action stop;
  private Action open;
  private Action remove;
  private List<TuningSession> listed = List.of();
  private TuningSession session;
  /** Of the session, at the last look. */
  private LiveState state;
  private long version = NOTHING;
  private boolean isLooking;

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    ViewHelp.offer(content, LaunchViews.TUNING);
    none = new MessagePage(content, target -> askAndOpen());
    none.show(null, Messages.tuningNone);
    page = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(page);
    Composite header = new Composite(page, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(header);
    GridLayoutFactory.swtDefaults().numColumns(2).applyTo(header);
    chooser = new Combo(header, SWT.DROP_DOWN | SWT.READ_ONLY);
    chooser.setToolTipText(Messages.tuningSession);
    chooser.addListener(SWT.Selection, event -> choose(listed.get(chooser.getSelectionIndex())));
    summary = new Label(header, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(summary);
    messages = new MessageBar(page, MessageBar::summary);
    pages = new TuningPages(page, this::enable);
    createActions();
    TuningSessions.get().addListener(listener);
    refresh();
  }

  private void createActions() {
    act = check(Messages.tuningAct, Messages.tuningActTip, "act",
        () -> session.command(act.isChecked() ? "act" : "advise"));
    pause = check(Messages.tuningPause, Messages.tuningPauseTip, "pause_recording",
        () -> session.command(pause.isChecked() ? "pause" : "resume"));
    undo = new RunAction(Messages.tuningUndo,
        PlatformUI.getWorkbench().getSharedImages().getImageDescriptor(ISharedImages.IMG_TOOL_UNDO), () -> pages
            .selectedActions().stream().map(ActionState::number).sorted((a, b) -> b - a)
            .forEach(number -> session.command("undo " + number)));
    undo.setToolTipText(Messages.tuningUndoTip);
    stop = new RunAction(Messages.tuningStop, Icons.descriptor("stop_experiment"), () -> session.command("stop"));
    stop.setToolTipText(Messages.tuningStopTip);
    open = new RunAction(Messages.tuningOpen,
        PlatformUI.getWorkbench().getSharedImages().getImageDescriptor(ISharedImages.IMG_OBJ_FOLDER), this::askAndOpen);
    open.setToolTipText(Messages.tuningOpenTip);
    remove = new RunAction(Messages.tuningRemove, descriptor("remove_ended"), TuningSessions.get()::removeEnded);
    remove.setToolTipText(Messages.tuningRemoveTip);
    IActionBars bars = getViewSite().getActionBars();
    actions().forEach(bars.getToolBarManager()::add);
    new TableMenu(pages.table(0)).contribute(bars);
    for (int i = 0; i < TuningPages.COUNT; i++) {
      boolean hasActions = i == 0;
      new TableMenu(pages.table(i)).installOnRows(menu -> {
        if (hasActions) {
          menu.add(undo);
        }
      });
    }
    bars.setGlobalActionHandler(ActionFactory.UNDO.getId(), undo);
  }

  private static ImageDescriptor descriptor(String icon) {
    return ResourceLocator.imageDescriptorFromBundle(ParallelLaunchDelegate.ID, "icons/" + icon + ".png").orElseThrow();
  }

  private static Action check(String text, String tip, String icon, Runnable code) {
    Action action = new RunAction(text, descriptor(icon), IAction.AS_CHECK_BOX, code);
    action.setToolTipText(tip);
    return action;
  }

  /** Sessions have come, begun or ended; called on any thread. */
  private void changed() {
    if (!isPending.getAndSet(true)) {
      UiThread.later(() -> {
        isPending.set(false);
        refresh();
      });
    }
  }

  private void refresh() {
    if (content.isDisposed()) {
      return;
    }
    List<TuningSession> all = TuningSessions.get().all();
    if (!all.equals(listed)) {
      boolean isNew = !all.isEmpty() && !listed.contains(all.get(0));
      listed = all;
      chooser.setItems(all.stream().map(TuningSession::name).toArray(String[]::new));
      // What has just begun is what a person wants to see.
      boolean isGone = session == null || !all.contains(session);
      choose(all.isEmpty() ? null : isNew || isGone ? all.get(0) : session);
      chooser.getParent().layout();
    }
    StackLayout stack = (StackLayout) content.getLayout();
    Composite top = session == null ? none : page;
    if (stack.topControl != top) {
      stack.topControl = top;
      content.layout(true, true);
    }
    look();
    if (!isLooking && listed.stream().anyMatch(TuningSession::isLive)) {
      isLooking = true;
      content.getDisplay().timerExec(LOOK_MS, () -> {
        isLooking = false;
        refresh();
      });
    }
  }

  private void choose(TuningSession chosen) {
    session = chosen;
    version = NOTHING;
    if (chosen != null) {
      chooser.select(listed.indexOf(chosen));
    }
    look();
  }

  /** Shows what has changed since the last look, at once however much it is. */
  private void look() {
    if (session != null && session.version() != version) {
      version = session.version();
      state = session.state();
      summary.setText(LiveTables.summary(state));
      summary.setToolTipText(String.join(" ", state.command()) + "\n" + String.join(", ", state.hosts()));
      pages.show(state);
      messages.show(PlatformUI.getWorkbench().getSharedImages().getImage(ISharedImages.IMG_OBJS_WARN_TSK),
          session.problem().isEmpty() ? List.of() : List.of(session.problem()));
    }
    enable();
  }

  private void enable() {
    boolean isLive = session != null && session.isLive() && !state.isEnded();
    boolean goesOn = isLive && !state.isStopped();
    act.setEnabled(goesOn);
    act.setChecked(session != null && state.isActing());
    pause.setEnabled(goesOn);
    pause.setChecked(goesOn && state.isPaused());
    stop.setEnabled(goesOn);
    undo.setEnabled(isLive && !pages.selectedActions().isEmpty());
    remove.setEnabled(listed.stream().anyMatch(each -> !each.isLive()));
  }

  private void askAndOpen() {
    DirectoryDialog dialog = new DirectoryDialog(content.getShell(), SWT.OPEN);
    dialog.setText(Messages.tuningOpenTitle);
    String chosen = dialog.open();
    if (chosen != null) {
      open(Path.of(chosen));
    }
  }

  /** Opens a recorded session, in the background. */
  Job open(Path directory) {
    Job job = Job.create(NLS.bind(Messages.tuningOpenJob, directory), (ICoreRunnable) monitor -> {
      try {
        TuningSessions.get().open(directory);
      } catch (SessionException e) {
        throw new CoreException(UiLog.error(e.getMessage()));
      }
    });
    job.setUser(true);
    job.schedule();
    return job;
  }

  @Override
  public void setFocus() {
    if (session == null) {
      none.setFocus();
    } else {
      pages.setFocus();
    }
  }

  @Override
  public void dispose() {
    TuningSessions.get().removeListener(listener);
    TuningSessions.get().removeEnded();
    super.dispose();
  }

  /** What the view says while there is no session; null while there is one. */
  String message() {
    return ((StackLayout) content.getLayout()).topControl == none ? none.message() : null;
  }

  List<String> told() {
    return messages.messages();
  }

  String summary() {
    return summary.getText();
  }

  TuningPages pages() {
    return pages;
  }

  List<Action> actions() {
    return List.of(act, pause, undo, stop, open, remove);
  }
}
