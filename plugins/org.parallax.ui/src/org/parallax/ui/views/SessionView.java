package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.layout.RowData;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IPartListener2;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.IWorkbenchPartReference;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.part.IShowInSource;
import org.eclipse.ui.part.IShowInTarget;
import org.eclipse.ui.part.ShowInContext;
import org.eclipse.ui.part.ViewPart;
import org.eclipse.ui.progress.IWorkbenchSiteProgressService;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.ApplicationAnalysis.PathScope;
import org.parallax.analysis.catalogue.NeededEvents;
import org.parallax.model.program.Application;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.trace.Trace;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.platform.ViewHelp;
import org.parallax.ui.session.Equivalents;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.Selection;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.widgets.MessageBar;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.ViewHeader;

/**
 * A view of what an analysis says about the selection: a line of choices, the result, and, while
 * there is none, the reason. Results are computed by jobs; a newer choice cancels the job of the older
 * one, unless that reads what the newer one needs. A view that is pinned stays with the selection of that moment.
 *
 * @param <R> what is computed
 */
public abstract class SessionView<R> extends ViewPart
    implements OpenSession.Listener, IShowInSource, IShowInTarget {
  private static final int MIB = 1 << 20;

  private Composite content;
  private Composite resultPage;
  private MessagePage messagePage;
  private MessageBar warnings;
  private ViewHeader header;
  private Composite applicationChoice;
  private Combo applicationCombo;
  private List<Application> applications = List.of();
  /** Whether the last choice is all applications together. */
  private boolean offersAll;
  private PinAction pin;
  private R result;
  private ApplicationAnalysis analysis;
  private Selection shown = Selection.NONE;
  /** What this view goes on showing after it has selected a part of it; null if it has not. */
  private Selection own;
  private boolean selectingOwn;
  private ComputeJob job;
  /** The oldest job that runs: it reads what those after it take from the same analysis. */
  private ComputeJob reader;
  /** Whether the choices have changed while the view was behind others. */
  private boolean stale;
  private final IPartListener2 visibility = new IPartListener2() {
    @Override
    public void partVisible(IWorkbenchPartReference reference) {
      if (stale && reference.getPart(false) == SessionView.this) {
        refresh();
      }
    }
  };

  /** Computes a result, off the UI thread. */
  protected interface Computation<R> {
    /** @param selection that of the moment in which it was asked for */
    R compute(ApplicationAnalysis analysis, Selection selection, Progress progress);
  }

  /** What the view shows, in the middle of a sentence. */
  protected abstract String subject();

  /** Adds choices to the line above the result; {@link #refresh} applies them. */
  protected void createChoices(Composite parent) {
  }

  /** Makes the widgets of the result; called once. */
  protected abstract void createContent(Composite parent);

  /** Called on the UI thread: what computes the result for the choices of this moment. */
  protected abstract Computation<R> computation();

  /** Whether nothing can be shown of a profile, which has sums and no events. */
  protected boolean needsEvents() {
    return false;
  }

  /** Shows a result; on the UI thread. */
  protected abstract void show(R computed, Selection selection);

  /** Lets go of all that {@link #show} has kept: its traces are closed. */
  protected void clear() {
  }

  /** What a person must know before trusting a result. */
  protected List<String> warnings(R computed) {
    return List.of();
  }

  /** What all of a result amounts to, for the end of the line of choices; empty for nothing. */
  protected String total(R computed) {
    return "";
  }

  /** Whether it is of one application at a time; else of all that are open. */
  protected boolean choosesApplication() {
    return true;
  }

  /** Whether several applications can be chosen together, as one program. */
  protected boolean joinsApplications() {
    return false;
  }

  /**
   * Whether a job reads what serves for other selections of the same analysis, too. It is not begun anew then
   * when nodes are selected meanwhile.
   */
  protected boolean sharesWhatIsRead() {
    return true;
  }

  /** Whose critical path counts, for views of paths. */
  protected PathScope pathScope() {
    return PathScope.INTRA;
  }

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    ViewHelp.offer(content, getSite().getId());
    messagePage = new MessagePage(content, target -> TraceOpening.followLink(getSite(), target));
    resultPage = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(resultPage);
    createHeader(resultPage);
    warnings = new MessageBar(resultPage, MessageBar::summary);
    createContent(resultPage);
    pin = new PinAction(this::selection, this::refresh);
    pin.setActionDefinitionId("org.parallax.ui.pin");
    getViewSite().getActionBars().setGlobalActionHandler(pin.getActionDefinitionId(), pin);
    getViewSite().getActionBars().getToolBarManager().add(pin);
    OpenSession.current().addListener(this);
    getSite().getPage().addPartListener(visibility);
    refresh();
  }

  private void createHeader(Composite parent) {
    header = new ViewHeader(parent);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(header.control());
    createChoices(header.choices());
    applicationChoice = ViewHeader.labelled(header.choices(), Messages.application);
    applicationCombo = new Combo(applicationChoice, SWT.READ_ONLY);
    // It says what all others are about, and is in sight where not all have room.
    applicationChoice.moveAbove(null);
    applicationCombo.addListener(SWT.Selection, event -> refresh());
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    boolean isUpdate = now.trees() != before.trees() && OpenSession.current().isUpdate(now);
    if (isUpdate) {
      pin.update(now);
    }
    pin.forgetUnless(now);
    if (selectingOwn) {
      return;
    }
    if (own != null && isUpdate) {
      own = Equivalents.of(own, now.trees());
    } else if (own != null) {
      own = now.selection().nodes().equals(before.selection().nodes())
          && now.trees() == before.trees() ? own.withPhase(now.selection().phase())
              .withProcedure(now.selection().procedure()).withCursor(now.selection().cursorNs())
          : null;
    }
    if (now.trees() != before.trees() && !getSite().getPage().isPartVisible(this)) {
      // Choices, too, can be of what is closed now.
      forget();
    }
    boolean selected = !pin.isChecked() && !now.selection().sameScope(before.selection());
    if (selected || now.trees() != before.trees() || !now.opening().equals(before.opening())
        || !now.error().equals(before.error())) {
      refresh();
    } else if (!now.selection().equals(before.selection())) {
      if (!Objects.equals(now.selection().procedure(), before.selection().procedure())) {
        procedureSelected(now.selection());
      }
      if (!Objects.equals(now.selection().cursorNs(), before.selection().cursorNs())) {
        cursorMoved();
      }
    }
  }

  /** Another moment is looked at: results stay as they are, marks in them change. */
  protected void cursorMoved() {
  }

  /** The moment that is looked at, null if there is none in the time of what this view shows. */
  protected final Long cursorNs() {
    SessionState state = OpenSession.current().state();
    return state.isOpen() && state.isSelectedTime(selection().nodes())
        ? state.selection().cursorNs() : null;
  }

  /** Another procedure is looked at: results stay as they are, marks in them change. */
  protected void procedureSelected(Selection selection) {
  }

  /** The selection that this view shows: the session's, or the pinned one. */
  protected final Selection selection() {
    return pin != null && pin.pinned() != null ? pin.pinned()
        : own != null ? own : OpenSession.current().state().selection();
  }

  /** Selects nodes for the other views; this one goes on showing what they were selected in. */
  protected final void selectWithin(List<TreeNode> nodes) {
    if (pin.isChecked() || nodes.isEmpty()) {
      return;
    }
    Selection kept = selection();
    selectingOwn = true;
    try {
      OpenSession.current().select(kept.withNodes(nodes));
    } finally {
      selectingOwn = false;
    }
    own = kept;
  }

  /** Computes and shows what is chosen now, or later if nobody sees it; on the UI thread. */
  protected final void refresh() {
    ComputeJob before = job;
    job = null;
    if (before != null && before != reader) {
      before.cancel();
    }
    SessionState state = OpenSession.current().state();
    // It may not have been told yet that traces are no longer open.
    pin.forgetUnless(state);
    if (own != null && (own.nodes().isEmpty() || !state.holds(own.nodes()))) {
      own = null;
    }
    if (analysis != null && !isOfOpenTraces(analysis)) {
      if (isOlderReading(analysis, state)) {
        cancelReader();
      } else {
        forget();
      }
    }
    stale = !getSite().getPage().isPartVisible(this);
    if (stale) {
      cancelReader();
      return;
    }
    if (!state.isOpen()) {
      cancelReader();
      showMessage(state);
      return;
    }
    Selection selection = selection();
    chooseApplications(state, selection);
    int chosen = Math.max(0, applicationCombo.getSelectionIndex());
    boolean all = offersAll && chosen == applications.size();
    ApplicationAnalysis analysis = state.analyses().of(applications.get(all ? 0 : chosen),
        all ? PathScope.GLOBAL : pathScope(), selection.phase());
    if (result == null) {
      showPage(null, NLS.bind(Messages.computing, subject()));
    }
    if (reader != null && (reader.analysis != analysis || !sharesWhatIsRead())) {
      cancelReader();
    }
    job = new ComputeJob(analysis, selection, computation());
    if (reader == null || reader.getResult() != null) {
      reader = job;
    }
    IWorkbenchSiteProgressService service =
        getSite().getService(IWorkbenchSiteProgressService.class);
    service.schedule(job, 0, true);
  }

  private static boolean isOfOpenTraces(ApplicationAnalysis analysis) {
    return OpenSession.current().state().traces().containsAll(analysis.workload().traces());
  }

  /** Whether its traces are open as they were read later: its result is shown until there is a newer one. */
  private static boolean isOlderReading(ApplicationAnalysis analysis, SessionState state) {
    return OpenSession.current().isUpdate(state)
        && state.traces().stream().map(Trace::directory).collect(Collectors.toSet())
            .containsAll(analysis.workload().traces().stream().map(Trace::directory).toList());
  }

  private void cancelReader() {
    if (reader != null) {
      reader.cancel();
      reader = null;
    }
  }

  /** Drops what would keep traces in memory that are closed. */
  private void forget() {
    cancelReader();
    result = null;
    analysis = null;
    shown = Selection.NONE;
    applications = List.of();
    applicationCombo.removeAll();
    clear();
  }

  /** The applications that have threads in the scope; a choice is offered if there are several. */
  private void chooseApplications(SessionState state, Selection selection) {
    Set<Application> found = new LinkedHashSet<>();
    for (ProgramThread thread : selection.scope().threads()) {
      found.add(thread.getProcess().getApplication());
    }
    if (found.isEmpty()) {
      found.addAll(state.session().getApplications());
    }
    boolean several = found.size() > 1 && choosesApplication();
    boolean all = several && joinsApplications() && state.analyses().areTogether();
    if (!List.copyOf(found).equals(applications) || all != offersAll) {
      int chosen = all == offersAll && names(found).equals(names(applications))
          ? Math.max(0, applicationCombo.getSelectionIndex()) : 0;
      applications = List.copyOf(found);
      offersAll = all;
      applicationCombo.setItems(
          names(applications).toArray(String[]::new));
      if (all) {
        applicationCombo.add(NLS.bind(Messages.allTogether, applications.size()));
      }
      applicationCombo.select(chosen);
      applicationChoice.setVisible(several);
      RowData data = new RowData();
      data.exclude = !several;
      applicationChoice.setLayoutData(data);
      resultPage.layout(true, true);
    }
  }

  private static List<String> names(Collection<Application> of) {
    return of.stream().map(Application::getName).toList();
  }

  private void showMessage(SessionState state) {
    if (!state.opening().isEmpty()) {
      String names = String.join(", ",
          state.opening().stream().map(path -> String.valueOf(path.getFileName())).toList());
      showPage(null, NLS.bind(Messages.opening, MessagePage.escape(names)));
    } else if (!state.error().isEmpty()) {
      showPage(shared(ISharedImages.IMG_OBJS_ERROR_TSK),
          MessagePage.escape(state.error()) + "\n\n" + Messages.openAnother);
    } else {
      showPage(null, TraceOpening.nothingOpen(subject()));
    }
  }

  private void showPage(Image image, String message) {
    messagePage.show(image, message);
    toTop(messagePage);
  }

  private void toTop(Composite page) {
    StackLayout stack = (StackLayout) content.getLayout();
    if (stack.topControl != page) {
      stack.topControl = page;
      // What is on the pages lays itself out when it changes.
      content.layout();
    }
  }

  private void showResult(R computed, ApplicationAnalysis made, Selection selection) {
    result = computed;
    analysis = made;
    shown = selection;
    show(computed, selection);
    String total = total(computed);
    header.show(scopeText(made, selection), total.isEmpty() ? "" : NLS.bind(Messages.total, total));
    showWarnings();
    toTop(resultPage);
  }

  /** Shows what must be known of the result once more: it is another thing now. */
  protected final void showWarnings() {
    if (result == null) {
      return;
    }
    SessionState state = OpenSession.current().state();
    List<String> told = new ArrayList<>(state.error().lines().toList());
    told.addAll(warnings(result));
    warnings.setSubject(warningsAbout());
    warnings.show(shared(state.error().isEmpty() ? ISharedImages.IMG_OBJS_WARN_TSK
        : ISharedImages.IMG_OBJS_ERROR_TSK), told);
  }

  /** What the warnings are about, for people: the traces. */
  protected String warningsAbout() {
    return analysis == null ? "" : analysis.workload().traceNames();
  }

  /** What the dialog of the warnings tells. */
  public final String warningDetails() {
    return warnings.details();
  }

  /** One application does not tell what it does together with others: they are mentioned. */
  private String scopeText(ApplicationAnalysis made, Selection selection) {
    String scope = scopeText(selection);
    int together = made.applications().size() == 1 && joinsApplications()
        ? OpenSession.current().state().analyses().together(made.application()) : 1;
    return together == 1 ? scope : NLS.bind(Messages.scopeOneOf, scope, together);
  }

  /** What a result is of, for the line of choices. */
  protected String scopeText(Selection selection) {
    String node = selection.scope().path();
    return selection.phase() == null ? node
        : NLS.bind(Messages.scopeInPhase, node, selection.phase().name());
  }

  private static Image shared(String name) {
    return PlatformUI.getWorkbench().getSharedImages().getImage(name);
  }

  /** The selection is that of all views: what is looked at here is marked in the other one. */
  @Override
  public ShowInContext getShowInContext() {
    Selection now = selection();
    return new ShowInContext(null, new StructuredSelection(
        now.procedure() == null ? now.nodes() : List.of(now.procedure())));
  }

  @Override
  public boolean show(ShowInContext context) {
    return OpenSession.current().state().isOpen();
  }

  /** The analysis that the result was made by, null while there is none. */
  protected final ApplicationAnalysis analysis() {
    return analysis;
  }

  /** What is shown, null while there is a message instead. */
  public final R result() {
    return ((StackLayout) content.getLayout()).topControl == resultPage ? result : null;
  }

  /** The selection that belongs to the result. */
  protected final Selection shown() {
    return shown;
  }

  /** The message that is shown in place of a result, empty while there is one. */
  public final String message() {
    return result() == null ? messagePage.message() : "";
  }

  /** The warnings above the result. */
  public final List<String> warnings() {
    return warnings.messages();
  }

  final Combo applicationChoice() {
    return applicationCombo;
  }

  /** The action that keeps the view on what is selected now. */
  public final Action pin() {
    return pin;
  }

  /** What takes the focus of the keyboard while there is a result. */
  protected abstract void focusOnResult();

  @Override
  public void setFocus() {
    if (result() != null) {
      focusOnResult();
    } else {
      content.setFocus();
    }
  }

  @Override
  public void dispose() {
    OpenSession.current().removeListener(this);
    getSite().getPage().removePartListener(visibility);
    if (job != null) {
      job.cancel();
    }
    cancelReader();
    super.dispose();
  }

  private final class ComputeJob extends Job {
    private final ApplicationAnalysis analysis;
    private final Selection selection;
    private final Computation<R> computation;

    ComputeJob(ApplicationAnalysis analysis, Selection selection, Computation<R> computation) {
      super(NLS.bind(Messages.computeJob, subject(), analysis.name()));
      this.analysis = analysis;
      this.selection = selection;
      this.computation = computation;
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      Trace profile = needsEvents() ? NeededEvents.profile(List.of(analysis)).orElse(null) : null;
      if (profile != null) {
        finish(() -> {
          result = null;
          showPage(null, MessagePage.escape(NLS.bind(Messages.onlyProfile, profile, subject())));
        });
        return Status.OK_STATUS;
      }
      try {
        R computed =
            computation.compute(analysis, selection, new JobProgress(getName(), monitor));
        finish(() -> showResult(computed, analysis, selection));
        analysis.workload().traces().forEach(OpenSession.current()::updateWarnings);
        return Status.OK_STATUS;
      } catch (CancellationException | OperationCanceledException e) {
        finish(() -> {
          if (result() == null) {
            showPage(null, NLS.bind(Messages.computeCancelled, subject()));
          }
        });
        return Status.CANCEL_STATUS;
      } catch (RuntimeException | StackOverflowError e) {
        String message = NLS.bind(Messages.computeFailed, subject(), e);
        UiLog.log(message, e);
        finish(() -> {
          // What was shown is of another choice.
          result = null;
          showPage(shared(ISharedImages.IMG_OBJS_ERROR_TSK), MessagePage.escape(message));
        });
        return Status.OK_STATUS;
      } catch (OutOfMemoryError e) {
        // What analyses keep has been given back before: they can be tried again.
        String message = NLS.bind(Messages.computeMemory, subject(),
            Runtime.getRuntime().maxMemory() / MIB);
        finish(() -> showPage(shared(ISharedImages.IMG_OBJS_ERROR_TSK), MessagePage.escape(message)));
        return Status.OK_STATUS;
      }
    }

    /**
     * Acts on the view, unless a later choice has been made, or the view or a trace is closed; of that the view may not
     * have been told yet.
     */
    private void finish(Runnable action) {
      UiThread.later(() -> {
        if (job == this && !content.isDisposed() && isOfOpenTraces(analysis)) {
          action.run();
        }
      });
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == OpenSession.current();
    }
  }
}
