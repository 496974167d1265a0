package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IPartListener2;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.IWorkbenchPartReference;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.eclipse.ui.progress.IWorkbenchSiteProgressService;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.Row;
import org.parallax.analysis.Table;
import org.parallax.model.Application;
import org.parallax.model.Level;
import org.parallax.model.Procedure;
import org.parallax.model.Thread;
import org.parallax.model.TreeNode;
import org.parallax.trace.Progress;
import org.parallax.ui.Messages;
import org.parallax.ui.ParallaxUi;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.session.JobProgress;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;

/**
 * A view of one table of an analysis: a line of choices, the table for the scope that is selected in
 * the program trees, and, while there is no table, the reason. Tables are computed by jobs; a newer
 * choice cancels the job of the older one.
 */
public abstract class ReportView extends ViewPart implements OpenSession.Listener {
  private Composite content;
  private Composite tablePage;
  private MessagePage messagePage;
  private MessageBar warnings;
  private Label scopeLabel;
  private Label totalLabel;
  private Combo levelCombo;
  private Label applicationLabel;
  private Combo applicationCombo;
  private List<Application> applications = List.of();
  private ResultTable table;
  private Job job;
  /** Whether the choices have changed while the view was behind others. */
  private boolean stale;
  private final IPartListener2 visibility = new IPartListener2() {
    @Override
    public void partVisible(IWorkbenchPartReference reference) {
      if (stale && reference.getPart(false) == ReportView.this) {
        refresh();
      }
    }
  };

  /** The levels that a person can choose, and the index of the first choice. */
  protected abstract List<Level> levels();

  protected abstract Level initialLevel();

  /** What the view shows, in the middle of a sentence. */
  protected abstract String subject();

  /** Adds choices besides the level; {@link #refresh} applies them. */
  protected void createChoices(Composite parent) {
  }

  /** Called on the UI thread: what computes the table for the choices of this moment. */
  protected abstract Computation computation(Level level);

  /** Called on the UI thread when a table has come into sight. */
  protected void shown(Table result) {
  }

  /** The icon of a row, null for none; on the UI thread. */
  protected Image icon(Row row) {
    return row.subject() == null ? null : NodeImages.of(row.subject());
  }

  /** Makes a table, off the UI thread. */
  protected interface Computation {
    Table compute(ApplicationAnalysis analysis, TreeNode scope, Progress progress);
  }

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    messagePage = new MessagePage(content, target -> TraceOpening.followLink(getSite(), target));
    tablePage = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(tablePage);
    createHeader(tablePage);
    warnings = new MessageBar(tablePage, MessageBar::summary);
    table = new ResultTable(tablePage, this::icon);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(table.widget());
    table.widget().addListener(SWT.DefaultSelection, event -> openSource());
    createActions();
    ParallaxUi.session().addListener(this);
    getSite().getPage().addPartListener(visibility);
    refresh();
  }

  private void createHeader(Composite parent) {
    Composite header = new Composite(parent, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(header);
    Composite choices = new Composite(header, SWT.NONE);
    new Label(choices, SWT.NONE).setText(Messages.level);
    levelCombo = new Combo(choices, SWT.READ_ONLY);
    levels().forEach(level -> levelCombo.add(LevelNames.of(level)));
    levelCombo.select(levels().indexOf(initialLevel()));
    levelCombo.addListener(SWT.Selection, event -> refresh());
    createChoices(choices);
    applicationLabel = new Label(choices, SWT.NONE);
    applicationLabel.setText(Messages.application);
    applicationCombo = new Combo(choices, SWT.READ_ONLY);
    applicationCombo.addListener(SWT.Selection, event -> refresh());
    GridLayoutFactory.fillDefaults().numColumns(choices.getChildren().length).applyTo(choices);
    scopeLabel = new Label(header, SWT.NONE);
    GridDataFactory.fillDefaults().align(SWT.FILL, SWT.CENTER).grab(true, false)
        .applyTo(scopeLabel);
    totalLabel = new Label(header, SWT.RIGHT);
    GridDataFactory.fillDefaults().align(SWT.END, SWT.CENTER).applyTo(totalLabel);
    GridLayoutFactory.swtDefaults().numColumns(3).margins(6, 3).spacing(12, 0).applyTo(header);
  }

  private void createActions() {
    Action copy = new Action(Messages.copy) {
      @Override
      public void run() {
        table.copy();
      }
    };
    copy.setActionDefinitionId(ActionFactory.COPY.getCommandId());
    Action selectAll = new Action(Messages.selectAll) {
      @Override
      public void run() {
        table.widget().selectAll();
      }
    };
    selectAll.setActionDefinitionId(ActionFactory.SELECT_ALL.getCommandId());
    Action source = new Action(Messages.openSource) {
      @Override
      public void run() {
        openSource();
      }
    };
    IActionBars bars = getViewSite().getActionBars();
    bars.setGlobalActionHandler(ActionFactory.COPY.getId(), copy);
    bars.setGlobalActionHandler(ActionFactory.SELECT_ALL.getId(), selectAll);
    MenuManager menu = new MenuManager();
    menu.setRemoveAllWhenShown(true);
    menu.addMenuListener(manager -> {
      source.setEnabled(selectedProcedure() != null);
      manager.add(source);
      manager.add(copy);
      manager.add(selectAll);
    });
    table.widget().setMenu(menu.createContextMenu(table.widget()));
  }

  @Override
  public void stateChanged(SessionState before, SessionState now) {
    if (now.scope() != before.scope() || now.trees() != before.trees()
        || !now.opening().equals(before.opening()) || !now.error().equals(before.error())) {
      refresh();
    }
  }

  /** Computes and shows what is chosen now, or later if nobody sees it; on the UI thread. */
  protected final void refresh() {
    if (job != null) {
      job.cancel();
      job = null;
    }
    stale = !getSite().getPage().isPartVisible(this);
    if (stale) {
      return;
    }
    SessionState state = ParallaxUi.session().state();
    if (!state.isOpen()) {
      showMessage(state);
      return;
    }
    chooseApplications(state);
    TreeNode scope = state.scope();
    Application application = applications.get(Math.max(0, applicationCombo.getSelectionIndex()));
    ApplicationAnalysis analysis = state.analyses().get(application);
    Computation computation = computation(levels().get(levelCombo.getSelectionIndex()));
    if (table.table() == null) {
      showPage(null, NLS.bind(Messages.computing, subject()));
    }
    job = new ComputeJob(analysis, scope, computation);
    IWorkbenchSiteProgressService service =
        getSite().getService(IWorkbenchSiteProgressService.class);
    service.schedule(job, 0, true);
  }

  /** The applications that have threads in the scope; a choice is offered if there are several. */
  private void chooseApplications(SessionState state) {
    Set<Application> found = new LinkedHashSet<>();
    for (Thread thread : state.scope().threads()) {
      found.add(thread.getProcess().getApplication());
    }
    if (found.isEmpty()) {
      found.addAll(state.session().getApplications());
    }
    if (!List.copyOf(found).equals(applications)) {
      applications = List.copyOf(found);
      applicationCombo.setItems(
          applications.stream().map(Application::getName).toArray(String[]::new));
      applicationCombo.select(0);
      boolean several = applications.size() > 1;
      applicationLabel.setVisible(several);
      applicationCombo.setVisible(several);
      GridDataFactory.swtDefaults().exclude(!several).applyTo(applicationLabel);
      GridDataFactory.swtDefaults().exclude(!several).applyTo(applicationCombo);
      tablePage.layout(true, true);
    }
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
      showPage(null, NLS.bind(Messages.nothingOpen, subject()));
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
      content.layout(true, true);
    }
  }

  private void showTable(Table result, TreeNode scope) {
    SessionState state = ParallaxUi.session().state();
    table.show(result);
    scopeLabel.setText(scope.path());
    scopeLabel.setToolTipText(result.title() + "\n" + scope.path());
    String total = new CellText(result).total();
    totalLabel.setText(total.isEmpty() ? "" : NLS.bind(Messages.total, total));
    totalLabel.getParent().layout();
    List<String> told = new ArrayList<>();
    if (!state.error().isEmpty()) {
      told.add(state.error());
    }
    result.warnings().forEach(warning -> told.add(ParallaxUi.sentence(warning)));
    if (table.hiddenColumns() > 0) {
      told.add(NLS.bind(Messages.hiddenColumns, table.hiddenColumns()));
    }
    if (result.rows().isEmpty()) {
      told.add(NLS.bind(Messages.noRows, scope.path()));
    }
    warnings.show(shared(state.error().isEmpty() ? ISharedImages.IMG_OBJS_WARN_TSK
        : ISharedImages.IMG_OBJS_ERROR_TSK), told);
    toTop(tablePage);
    shown(result);
  }

  private static Image shared(String name) {
    return PlatformUI.getWorkbench().getSharedImages().getImage(name);
  }

  private Procedure selectedProcedure() {
    List<Row> selected = table.selection();
    return selected.size() == 1 && selected.get(0).subject() instanceof Procedure procedure
        ? procedure : null;
  }

  private void openSource() {
    Procedure procedure = selectedProcedure();
    if (procedure != null) {
      SourceOpener.open(getSite().getPage(), SourceLocation.of(procedure));
    }
  }

  /** What is shown, null while there is a message instead. */
  Table result() {
    return ((StackLayout) content.getLayout()).topControl == tablePage ? table.table() : null;
  }

  ResultTable table() {
    return table;
  }

  /** The message that is shown in place of a table, empty while there is one. */
  String message() {
    return result() == null ? messagePage.message() : "";
  }

  /** The warnings above the table. */
  List<String> warnings() {
    return warnings.messages();
  }

  Combo levelChoice() {
    return levelCombo;
  }

  Combo applicationChoice() {
    return applicationCombo;
  }

  @Override
  public void setFocus() {
    if (result() != null) {
      table.widget().setFocus();
    } else {
      content.setFocus();
    }
  }

  @Override
  public void dispose() {
    ParallaxUi.session().removeListener(this);
    getSite().getPage().removePartListener(visibility);
    if (job != null) {
      job.cancel();
    }
    super.dispose();
  }

  private final class ComputeJob extends Job {
    private final ApplicationAnalysis analysis;
    private final TreeNode scope;
    private final Computation computation;

    ComputeJob(ApplicationAnalysis analysis, TreeNode scope, Computation computation) {
      super(NLS.bind(Messages.computeJob, subject(), analysis.name()));
      this.analysis = analysis;
      this.scope = scope;
      this.computation = computation;
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      try {
        Table result =
            computation.compute(analysis, scope, new JobProgress(getName(), monitor));
        finish(() -> showTable(result, scope));
        analysis.workload().traces().forEach(ParallaxUi.session()::updateWarnings);
        return Status.OK_STATUS;
      } catch (CancellationException | OperationCanceledException e) {
        finish(() -> {
          if (result() == null) {
            showPage(null, NLS.bind(Messages.computeCancelled, subject()));
          }
        });
        return Status.CANCEL_STATUS;
      } catch (RuntimeException e) {
        String message = NLS.bind(Messages.computeFailed, subject(), e);
        ParallaxUi.log(message, e);
        finish(() -> showPage(shared(ISharedImages.IMG_OBJS_ERROR_TSK), MessagePage.escape(message)));
        return Status.OK_STATUS;
      }
    }

    /** Acts on the view, unless a later choice has been made or the view is closed. */
    private void finish(Runnable action) {
      ParallaxUi.onUiThread(() -> {
        if (job == this && !content.isDisposed()) {
          action.run();
        }
      });
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == ParallaxUi.session();
    }
  }
}
