package org.parallax.ui.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.part.ViewPart;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Unit;
import org.parallax.experiment.effects.EffectTables;
import org.parallax.experiment.effects.Verdict;
import org.parallax.experiment.run.ExperimentException;
import org.parallax.experiment.suggest.NextExperiment;
import org.parallax.model.Factor;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.platform.ViewHelp;
import org.parallax.ui.source.SourceLocation;
import org.parallax.ui.source.SourceOpener;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.widgets.MessageBar;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.RunAction;
import org.parallax.ui.widgets.ViewHeader;

/**
 * What the trials of the selected experiment tell: tables of effects, plots, warnings, and what to do
 * next. Jobs compute it, after each change of the file.
 */
public final class EffectsView extends ViewPart implements Experiments.Listener {
  private static final int REFRESH_DELAY_MS = 200;

  private Composite content;
  private Composite page;
  private MessagePage messagePage;
  private Label title;
  private Combo responses;
  private Combo tables;
  private MessageBar warnings;
  private SashForm sash;
  private ResultTable table;
  private EffectsPlots plots;
  private Composite nextPart;
  private ResultTable next;
  private EffectsResult result;
  private Path shown;
  private Job job;
  private IAction markers;

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    ViewHelp.offer(content, getSite().getId());
    messagePage = new MessagePage(content, target -> NewExperimentWizard.open(getSite()));
    page = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(page);
    createHeader();
    warnings = new MessageBar(page, MessageBar::summary);
    sash = new SashForm(page, SWT.HORIZONTAL);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
    table = new ResultTable(sash, this::icon);
    plots = new EffectsPlots(sash);
    sash.setWeights(11, 9);
    createNext();
    page.addListener(SWT.Resize, event -> arrange());
    createActions();
    Experiments.get().addListener(this);
    show(Experiments.get().selectedIn(getSite().getPage()));
  }

  private void createHeader() {
    Composite header = new Composite(page, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(header);
    new Label(header, SWT.NONE).setText(Messages.response);
    responses = new Combo(header, SWT.READ_ONLY);
    responses.addListener(SWT.Selection, event -> compute(0));
    new Label(header, SWT.NONE).setText(Messages.table);
    tables = new Combo(header, SWT.READ_ONLY);
    tables.addListener(SWT.Selection, event -> showTable());
    title = new Label(header, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(title);
    GridLayoutFactory.swtDefaults().numColumns(5).margins(6, 3).spacing(8, 0).applyTo(header);
  }

  private void createNext() {
    nextPart = new Composite(page, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).exclude(true).applyTo(nextPart);
    GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 4).applyTo(nextPart);
    next = new ResultTable(nextPart, row -> null);
    GridDataFactory.fillDefaults().grab(true, false).hint(200, 84).applyTo(next.control());
    Button make = new Button(nextPart, SWT.PUSH);
    make.setText(Messages.makeNext);
    make.setToolTipText(Messages.makeNextTip);
    GridDataFactory.fillDefaults().align(SWT.END, SWT.BEGINNING).applyTo(make);
    make.addListener(SWT.Selection, event -> makeNext());
  }

  private void createActions() {
    TableMenu menu = new TableMenu(table);
    menu.contribute(getViewSite().getActionBars());
    menu.installOnRows(manager -> {
      Action source = new RunAction(Messages.openSource, this::openSource);
      source.setEnabled(factor() != null);
      manager.add(source);
    });
    table.widget().addListener(SWT.DefaultSelection, event -> openSource());
    new TableMenu(next).installOnRows(manager -> { });
    markers = new Action(Messages.markers, IAction.AS_CHECK_BOX) {
      @Override
      public void run() {
        SensitivityMarkers.setShown(isChecked());
        if (result != null) {
          SensitivityMarkers.show(result);
        }
      }
    };
    markers.setImageDescriptor(Icons.descriptor("slower"));
    markers.setToolTipText(Messages.markersTip);
    markers.setChecked(SensitivityMarkers.isShown());
    getViewSite().getActionBars().getToolBarManager().add(markers);
  }

  /** The icon of a row tells its verdict. */
  private Image icon(Row row) {
    int column = table.table().column("verdict");
    if (column < 0) {
      return null;
    }
    Object verdict = row.values().get(column);
    Unit unit = result.responses().unit();
    return Verdict.SLOWER.text(unit).equals(verdict) ? Icons.image("slower")
        : Verdict.FASTER.text(unit).equals(verdict) ? Icons.image("faster")
            : Verdict.UNSURE.text(unit).equals(verdict) ? Icons.image("unsure")
                : Icons.image("no_effect");
  }

  @Override
  public void selected(Path file) {
    show(file);
  }

  @Override
  public void changed(Path file) {
    if (file.equals(shown)) {
      compute(REFRESH_DELAY_MS);
    }
  }

  private void show(Path file) {
    shown = file;
    result = null;
    if (file == null) {
      message(null, Messages.noExperiment);
    } else {
      message(null, NLS.bind(Messages.computing, file.getFileName()));
      compute(0);
    }
  }

  private void compute(int delayMs) {
    if (job != null) {
      job.cancel();
    }
    job = new ComputeJob(shown, responses.getText());
    job.schedule(delayMs);
  }

  private void show(EffectsResult computed) {
    result = computed;
    String response = computed.responses().response();
    responses.setItems(computed.names().toArray(String[]::new));
    responses.select(computed.names().indexOf(response));
    int chosen = Math.max(0, tables.getSelectionIndex());
    tables.setItems(computed.tables().stream().map(each -> name(each.report()))
        .toArray(String[]::new));
    tables.select(Math.min(chosen, tables.getItemCount() - 1));
    title.setText(NLS.bind(Messages.effectsTitle, new Object[] {
        computed.file().getFileName(), computed.responses().design().name(),
        computed.responses().observations().size()}));
    title.setToolTipText(computed.file().toString());
    List<String> told = computed.diagnosis() == null ? computed.tables().get(0).warnings()
        : computed.diagnosis().warnings().stream().map(each ->
            Texts.sentence(each.text())).toList();
    warnings.show(image(ISharedImages.IMG_OBJS_WARN_TSK), told);
    showTable();
    plots.show(computed);
    if (!computed.proposals().isEmpty()) {
      next.show(EffectTables.proposals(computed.file().toString(), computed.diagnosis()));
    }
    arrange();
    if (((StackLayout) content.getLayout()).topControl == page) {
      page.layout(true, true);
    } else {
      toTop(page);
    }
    SensitivityMarkers.show(computed);
  }

  /** A low view has room for the effects alone. */
  private void arrange() {
    boolean isLow = ViewHeader.isLow(page);
    Control alone = isLow ? table.control() : null;
    if (sash.getMaximizedControl() != alone) {
      sash.setMaximizedControl(alone);
    }
    boolean proposes = !isLow && result != null && !result.proposals().isEmpty();
    GridData data = (GridData) nextPart.getLayoutData();
    if (data.exclude == proposes) {
      data.exclude = !proposes;
      nextPart.setVisible(proposes);
      page.layout(true, true);
    }
  }

  private void showTable() {
    table.show(result.tables().get(tables.getSelectionIndex()));
  }

  private static String name(String report) {
    return switch (report) {
      case "effects" -> Messages.tableEffects;
      case "robust" -> Messages.tableRobust;
      case "ranking" -> Messages.tableRanking;
      case "levels" -> Messages.tableLevels;
      case "anova" -> Messages.tableAnova;
      case "aliases" -> Messages.tableAliases;
      case "counts" -> Messages.tableCounts;
      default -> report;
    };
  }

  /** The factor that the selected row is about; null when it is about several, or none. */
  private Factor factor() {
    List<Row> selected = table.selection();
    return selected.size() != 1 || result == null ? null
        : result.experiment().getFactors().stream()
            .filter(factor -> factor.getName().equals(selected.get(0).name()))
            .findFirst().orElse(null);
  }

  /** Opens the source at the place of the selected row's factor. */
  private void openSource() {
    Factor factor = factor();
    if (factor == null) {
      return;
    }
    EffectsResult from = result;
    int place = from.experiment().getFactors().indexOf(factor);
    Job finding = Job.create(Messages.findJob, (ICoreRunnable) monitor -> {
      SourceLocation location = new SourceLocation(factor.getPlace(), "", 0, "", "", 0);
      try {
        location = NativeTools.find().look(from.file(), from.experiment()).points().stream()
            .filter(point -> point.place() == place && point.line() > 0).findFirst()
            .map(point -> new SourceLocation(
                point.function(), point.file(), point.line(), "", "", 0)).orElse(location);
      } catch (ExperimentException e) {
        location = new SourceLocation(
            factor.getPlace(), "", 0, "", Texts.sentence(e.getMessage()), 0);
      }
      SourceLocation found = location;
      UiThread.later(() -> {
        if (!content.isDisposed()) {
          SourceOpener.open(getSite().getPage(), found);
        }
      });
    });
    finding.schedule();
  }

  /** Writes the experiment that is proposed beside this one, and opens it. */
  private void makeNext() {
    EffectsResult from = result;
    Job making = Job.create(Messages.makeNext, (ICoreRunnable) monitor -> {
      String error = "";
      Path file = free(from.file());
      try {
        ExperimentFile.write(NextExperiment.of(from.experiment(), from.diagnosis()), file);
      } catch (IOException | IllegalArgumentException e) {
        error = e.getMessage();
      }
      String message = error;
      UiThread.later(() -> {
        if (content.isDisposed()) {
          return;
        }
        if (message.isEmpty()) {
          Experiments.get().written(file);
          ExperimentOpener.open(getSite().getPage(), file);
        } else {
          MessageDialog.openError(getSite().getShell(), Messages.makeNext, message);
        }
      });
    });
    making.schedule();
  }

  /** The same name with the next free number. */
  private static Path free(Path file) {
    String name = file.getFileName().toString();
    String base = name.substring(0, name.length() - ExperimentFile.SUFFIX.length())
        .replaceFirst("-\\d+$", "");
    for (int number = 2; ; number++) {
      Path free = file.resolveSibling(base + "-" + number + ExperimentFile.SUFFIX);
      if (!Files.exists(free)) {
        return free;
      }
    }
  }

  private void message(Image image, String text) {
    messagePage.show(image, text);
    toTop(messagePage);
  }

  private static Image image(String name) {
    return PlatformUI.getWorkbench().getSharedImages().getImage(name);
  }

  private void toTop(Composite top) {
    StackLayout stack = (StackLayout) content.getLayout();
    if (stack.topControl != top) {
      stack.topControl = top;
      content.layout(true, true);
    }
  }

  /** What is shown; null while there is a message instead. */
  EffectsResult result() {
    return ((StackLayout) content.getLayout()).topControl == page ? result : null;
  }

  ResultTable table() {
    return table;
  }

  ResultTable proposals() {
    return next;
  }

  Combo tableChoice() {
    return tables;
  }

  EffectsPlots plots() {
    return plots;
  }

  List<String> warnings() {
    return warnings.messages();
  }

  /** The message that is shown in place of effects. */
  String message() {
    return messagePage.message();
  }

  @Override
  public void setFocus() {
    content.setFocus();
  }

  @Override
  public void dispose() {
    Experiments.get().removeListener(this);
    if (job != null) {
      job.cancel();
    }
    super.dispose();
  }

  private final class ComputeJob extends Job {
    private final Path file;
    private final String response;

    ComputeJob(Path file, String response) {
      super(NLS.bind(Messages.computing, file.getFileName()));
      this.file = file;
      this.response = response;
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      try {
        EffectsResult computed = EffectsResult.of(file, response);
        finish(() -> show(computed));
      } catch (ExperimentException | TraceException e) {
        boolean gone = !Files.exists(file);
        finish(() -> message(gone ? image(ISharedImages.IMG_OBJS_ERROR_TSK) : null,
            gone ? NLS.bind(Messages.experimentGone, MessagePage.escape(file.toString()))
                : MessagePage.escape(Texts.sentence(e.getMessage()))));
      } catch (RuntimeException e) {
        // Too few trials for a table, say: what is thrown has a message for people.
        finish(() -> message(image(ISharedImages.IMG_OBJS_ERROR_TSK),
            MessagePage.escape(Texts.sentence(String.valueOf(e.getMessage())))));
        if (!(e instanceof IllegalArgumentException)) {
          UiLog.log(e.toString(), e);
        }
      }
      return Status.OK_STATUS;
    }

    private void finish(Runnable action) {
      UiThread.later(() -> {
        if (job == this && !content.isDisposed()) {
          action.run();
        }
      });
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == Experiments.shortFamily();
    }
  }
}
