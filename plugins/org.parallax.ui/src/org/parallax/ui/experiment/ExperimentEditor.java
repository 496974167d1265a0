package org.parallax.ui.experiment;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IResourceChangeEvent;
import org.eclipse.core.resources.IResourceChangeListener;
import org.eclipse.core.resources.IResourceDelta;
import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.emf.common.command.CommandStack;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.dialogs.IMessageProvider;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorSite;
import org.eclipse.ui.IPartListener2;
import org.eclipse.ui.IWorkbenchCommandConstants;
import org.eclipse.ui.IWorkbenchPartReference;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.forms.widgets.FormToolkit;
import org.eclipse.ui.forms.widgets.ScrolledForm;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.part.EditorPart;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.model.Experiment;
import org.parallax.model.Factor;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.widgets.RunAction;

/**
 * Edits an experiment: its command, factors, design and responses, with the aliases and the power of
 * the design beside. Places are looked for by a job after each change. While the experiment runs,
 * and only then, nothing can be changed: the runner writes the file.
 */
public final class ExperimentEditor extends EditorPart implements Experiments.Listener {
  /** The editor's id. */
  public static final String ID = "org.parallax.ui.experimentEditor";

  private static final int CHECK_DELAY_MS = 250;

  private Path file;
  private ExperimentDocument document;
  private FormToolkit toolkit;
  private ScrolledForm form;
  private ProgramSection program;
  private FactorsSection factors;
  private DesignSection design;
  private ResponsesSection responses;
  private Action runAction;
  private Action effectsAction;
  private StepHandler undo;
  private StepHandler redo;
  private ExperimentCheck check;
  private Job checkJob;
  private String loadError = "";
  private final IPartListener2 activation = new IPartListener2() {
    @Override
    public void partActivated(IWorkbenchPartReference reference) {
      if (reference.getPart(false) == ExperimentEditor.this) {
        Experiments.get().select(file);
        reloadIfChanged();
      }
    }
  };
  private final IResourceChangeListener resources = this::resourcesChanged;

  @Override
  public void init(IEditorSite site, IEditorInput input) throws PartInitException {
    file = Experiments.file(input);
    if (file == null) {
      throw new PartInitException(NLS.bind(Messages.notAFile, input.getName()));
    }
    setSite(site);
    setInput(input);
    setPartName(input.getName());
    Experiments.get().addListener(this);
    site.getPage().addPartListener(activation);
    ResourcesPlugin.getWorkspace().addResourceChangeListener(resources,
        IResourceChangeEvent.POST_CHANGE);
  }

  @Override
  public void createPartControl(Composite parent) {
    toolkit = new FormToolkit(parent.getDisplay());
    form = toolkit.createScrolledForm(parent);
    form.setText(Messages.formTitle);
    form.setImage(Icons.image("experiment"));
    toolkit.decorateFormHeading(form.getForm());
    createActions();
    Composite body = form.getBody();
    GridLayoutFactory.fillDefaults().numColumns(2).equalWidth(true).margins(8, 8).spacing(12, 8)
        .applyTo(body);
    program = new ProgramSection(this, toolkit, body);
    GridDataFactory.fillDefaults().span(2, 1).grab(true, false).applyTo(program.control());
    factors = new FactorsSection(this, toolkit, body);
    GridDataFactory.fillDefaults().span(2, 1).grab(true, false).applyTo(factors.control());
    design = new DesignSection(this, toolkit, body);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(design.control());
    responses = new ResponsesSection(this, toolkit, body);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(responses.control());
    load();
  }

  private void createActions() {
    runAction = new RunAction(Messages.run, Icons.descriptor("run_experiment"),
        this::runExperiment);
    runAction.setToolTipText(Messages.runTip);
    effectsAction = new RunAction(Messages.effects, Icons.descriptor("effects"),
        () -> show(Ids.EFFECTS_VIEW));
    effectsAction.setToolTipText(Messages.effectsTip);
    IHandlerService handlers = getSite().getService(IHandlerService.class);
    undo = new StepHandler(CommandStack::canUndo, ExperimentDocument::undo);
    redo = new StepHandler(CommandStack::canRedo, ExperimentDocument::redo);
    handlers.activateHandler(IWorkbenchCommandConstants.EDIT_UNDO, undo);
    handlers.activateHandler(IWorkbenchCommandConstants.EDIT_REDO, redo);
    form.getToolBarManager().add(runAction);
    form.getToolBarManager().add(effectsAction);
    form.getToolBarManager().update(true);
  }

  /** Saves and makes the trials that are left. */
  public void runExperiment() {
    if (document == null || isDirty() && !getSite().getPage().saveEditor(this, false) || isDirty()) {
      return;
    }
    show(Ids.RUN_VIEW);
    Experiments.get().start(file, false);
  }

  private void show(String view) {
    Experiments.get().select(file);
    try {
      getSite().getPage().showView(view);
    } catch (PartInitException e) {
      UiLog.log(e.getMessage(), e);
    }
  }

  /** Reads the file by a job, and shows it. */
  private void load() {
    Job job = Job.create(NLS.bind(Messages.loadJob, file.getFileName()), (ICoreRunnable) monitor -> {
      ExperimentDocument loaded = null;
      String error = "";
      try {
        loaded = new ExperimentDocument(file);
      } catch (TraceException e) {
        error = Texts.sentence(e.getMessage());
      }
      ExperimentDocument result = loaded;
      String message = error;
      UiThread.later(() -> {
        if (!form.isDisposed()) {
          loadError = message;
          if (result != null) {
            document = result;
            check = null;
            fill();
          }
          messages();
          firePropertyChange(PROP_DIRTY);
        }
      });
    });
    job.setSystem(true);
    job.schedule();
  }

  private void fill() {
    program.fill(document.experiment());
    factors.fill(document.experiment());
    design.fill(document.experiment());
    responses.fill(document.experiment());
    form.reflow(true);
    check();
  }

  /**
   * Changes the experiment as {@link ExperimentDocument#change}; says why when it cannot be changed so.
   *
   * @return whether it was changed
   */
  boolean change(Object field, boolean keepsTrials, ExperimentDocument.Edit edit) {
    try {
      document.change(field, keepsTrials, edit);
    } catch (ExperimentException e) {
      refuse(e.getMessage());
      return false;
    }
    firePropertyChange(PROP_DIRTY);
    check();
    return true;
  }

  /** What is entered next is undone by itself. */
  void endField() {
    if (document != null) {
      document.endField();
    }
  }

  /** The changes of the experiment; null until it is read. */
  CommandStack commands() {
    return document == null ? null : document.commands();
  }

  /** Goes a step back or forth in the changes, unless the experiment runs. */
  private final class StepHandler extends AbstractHandler {
    private final Predicate<CommandStack> possible;
    private final Consumer<ExperimentDocument> step;

    StepHandler(Predicate<CommandStack> possible, Consumer<ExperimentDocument> step) {
      this.possible = possible;
      this.step = step;
      update();
    }

    void update() {
      setBaseEnabled(document != null && !Experiments.get().isRunning(file)
          && possible.test(document.commands()));
    }

    @Override
    public Object execute(ExecutionEvent event) {
      step.accept(document);
      fill();
      firePropertyChange(PROP_DIRTY);
      return null;
    }
  }

  /** Looks for the places and makes the design by a job. */
  void check() {
    if (checkJob != null) {
      checkJob.cancel();
    }
    Experiment copy = document.copy();
    double noise = design.noise();
    messages();
    checkJob = new CheckJob(copy, noise);
    checkJob.schedule(CHECK_DELAY_MS);
  }

  private void show(ExperimentCheck result) {
    check = result;
    factors.show(result);
    design.show(result);
    messages();
    form.reflow(true);
  }

  /** The most important thing to say, above the form. */
  private void messages() {
    boolean running = Experiments.get().isRunning(file);
    List.of(program, factors, design, responses)
        .forEach(section -> section.setEnabled(document != null && !running));
    runAction.setEnabled(document != null && !running);
    undo.update();
    redo.update();
    String error = !loadError.isEmpty() ? loadError : check == null ? ""
        : !check.program().isEmpty() ? check.program()
            : check.problems().stream().filter(problem -> !problem.isEmpty()).findFirst()
                .orElse(check.design());
    if (running) {
      form.setMessage(Messages.running, IMessageProvider.INFORMATION);
    } else if (!error.isEmpty()) {
      String line = error.lines().findFirst().orElse(error);
      form.setMessage(line, document != null && document.experiment().getFactors().isEmpty()
          && loadError.isEmpty() ? IMessageProvider.INFORMATION : IMessageProvider.ERROR);
    } else if (document != null && document.obsoleteTrials() > 0) {
      form.setMessage(NLS.bind(Messages.obsolete, document.obsoleteTrials()),
          IMessageProvider.WARNING);
    } else {
      form.setMessage(null, IMessageProvider.NONE);
    }
    form.getForm().getHead().setToolTipText(error.isEmpty() ? null : error);
  }

  /** Tells that an input was refused. */
  void refuse(String message) {
    form.setMessage(Texts.sentence(message), IMessageProvider.ERROR);
  }

  /** Adds a factor at a place, as people write it; waits until the file is read. */
  public void addFactor(String place) {
    if (document == null) {
      if (loadError.isEmpty()) {
        getSite().getShell().getDisplay().timerExec(50, () -> {
          if (!form.isDisposed()) {
            addFactor(place);
          }
        });
      }
      return;
    }
    if (Experiments.get().isRunning(file)) {
      refuse(Messages.running);
      return;
    }
    for (Factor factor : document.experiment().getFactors()) {
      if (factor.getPlace().equals(place)) {
        factors.reveal(factor);
        refuse(NLS.bind(Messages.factorThere, place));
        return;
      }
    }
    try {
      Factor added = document.add(place);
      factors.fill(document.experiment());
      factors.reveal(added);
      firePropertyChange(PROP_DIRTY);
      form.reflow(true);
      check();
    } catch (ExperimentException e) {
      refuse(e.getMessage());
    }
  }

  @Override
  public void doSave(IProgressMonitor monitor) {
    if (document.hasChangedOutside() && !MessageDialog.openConfirm(getSite().getShell(),
        Messages.saveTitle, NLS.bind(Messages.changedOutside, file.getFileName()))) {
      monitor.setCanceled(true);
      return;
    }
    ExperimentDocument saved = document;
    Experiment copy = saved.copy();
    double noise = design.noise();
    boolean forget = saved.forgetsTrials();
    String[] failure = {""};
    FileTime[] written = {null};
    try {
      PlatformUI.getWorkbench().getProgressService().busyCursorWhile(progress -> {
        ExperimentCheck last = ExperimentCheck.of(file, copy, noise);
        try {
          if (!last.hasEqualLevels(copy)) {
            failure[0] = last.problems().stream().filter(each -> !each.isEmpty()).findFirst()
                .orElse("");
          } else {
            written[0] = ExperimentDocument.write(file, copy, last, forget);
          }
        } catch (IOException e) {
          failure[0] = NLS.bind(Messages.cannotSave, file, e.getMessage());
        }
      });
    } catch (InvocationTargetException e) {
      failure[0] = NLS.bind(Messages.cannotSave, file, e.getCause());
    } catch (InterruptedException e) {
      failure[0] = Messages.cancelled;
    }
    if (failure[0].isEmpty()) {
      saved.saved(copy, written[0]);
      fill();
      firePropertyChange(PROP_DIRTY);
      Experiments.get().written(file);
    } else {
      monitor.setCanceled(true);
      MessageDialog.openError(getSite().getShell(), Messages.saveTitle, failure[0]);
    }
  }

  @Override
  public void doSaveAs() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isSaveAsAllowed() {
    return false;
  }

  @Override
  public boolean isDirty() {
    return document != null && document.isDirty();
  }

  private void resourcesChanged(IResourceChangeEvent event) {
    IFile resource = getEditorInput().getAdapter(IFile.class);
    IResourceDelta delta = resource == null || event.getDelta() == null ? null
        : event.getDelta().findMember(resource.getFullPath());
    if (delta == null) {
      return;
    }
    UiThread.later(() -> {
      if (delta.getKind() == IResourceDelta.REMOVED) {
        getSite().getPage().closeEditor(this, false);
      } else {
        reloadIfChanged();
      }
    });
  }

  /** Shows what another program, or the runner, has written; changes of one's own stay. */
  private void reloadIfChanged() {
    if (document != null && !document.isDirty() && document.hasChangedOutside()
        && !form.isDisposed()) {
      load();
    }
  }

  @Override
  public void ran(ExperimentRun run) {
    if (run.file().equals(file) && !form.isDisposed()) {
      messages();
      if (!run.isRunning()) {
        reloadIfChanged();
      }
    }
  }

  /** The experiment as it is edited; null until it is read. */
  Experiment experiment() {
    return document == null ? null : document.experiment();
  }

  /** What is known of it; null until it was checked. */
  ExperimentCheck result() {
    return check;
  }

  /** The message above the form, or null. */
  String message() {
    return form.getMessage();
  }

  Path file() {
    return file;
  }

  FactorsSection factorsSection() {
    return factors;
  }

  DesignSection designSection() {
    return design;
  }

  ProgramSection programSection() {
    return program;
  }

  ResponsesSection responsesSection() {
    return responses;
  }

  @Override
  public void setFocus() {
    form.setFocus();
  }

  @Override
  public void dispose() {
    Experiments.get().removeListener(this);
    getSite().getPage().removePartListener(activation);
    ResourcesPlugin.getWorkspace().removeResourceChangeListener(resources);
    if (checkJob != null) {
      checkJob.cancel();
    }
    if (toolkit != null) {
      toolkit.dispose();
    }
    super.dispose();
  }

  private final class CheckJob extends Job {
    private final Experiment copy;
    private final double noise;

    CheckJob(Experiment copy, double noise) {
      super(NLS.bind(Messages.checkJob, file.getFileName()));
      this.copy = copy;
      this.noise = noise;
      setSystem(true);
    }

    @Override
    protected org.eclipse.core.runtime.IStatus run(IProgressMonitor monitor) {
      ExperimentCheck result = ExperimentCheck.of(file, copy, noise);
      UiThread.later(() -> {
        if (checkJob == this && !form.isDisposed()) {
          show(result);
        }
      });
      return org.eclipse.core.runtime.Status.OK_STATUS;
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == Experiments.shortFamily();
    }
  }
}
