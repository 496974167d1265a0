package org.parallax.ui.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.eclipse.core.runtime.ICoreRunnable;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.ProgressBar;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.part.ViewPart;
import org.parallax.analysis.table.Row;
import org.parallax.analysis.table.Table;
import org.parallax.experiment.run.Pilot;
import org.parallax.experiment.run.TrialTables;
import org.parallax.model.Experiment;
import org.parallax.model.files.ExperimentFile;
import org.parallax.trace.TraceException;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.Texts;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.platform.ViewHelp;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.widgets.MessageBar;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.RunAction;

/** The trials of the selected experiment as they are made, with what is left. */
public final class ExperimentRunView extends ViewPart implements Experiments.Listener {
  private static final double NS_PER_SECOND = 1e9;
  private static final int LONG_SECONDS = 100;

  private Composite content;
  private Composite page;
  private MessagePage messagePage;
  private Label title;
  private ProgressBar bar;
  private Label remaining;
  private MessageBar messages;
  private ResultTable table;
  private Action start;
  private Action stop;
  private Path shown;
  private Job loading;
  /** How often a file was read: only the last one counts. */
  private int loads;

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    ViewHelp.offer(content, getSite().getId());
    messagePage = new MessagePage(content, target -> NewExperimentWizard.open(getSite()));
    page = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(page);
    Composite header = new Composite(page, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).applyTo(header);
    GridLayoutFactory.swtDefaults().numColumns(3).margins(6, 4).spacing(12, 0).applyTo(header);
    title = new Label(header, SWT.NONE);
    bar = new ProgressBar(header, SWT.HORIZONTAL);
    GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(bar);
    remaining = new Label(header, SWT.RIGHT);
    GridDataFactory.fillDefaults().align(SWT.END, SWT.CENTER).applyTo(remaining);
    messages = new MessageBar(page, MessageBar::summary);
    table = new ResultTable(page, this::icon);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(table.control());
    createActions();
    Experiments.get().addListener(this);
    show(Experiments.get().selectedIn(getSite().getPage()));
  }

  private void createActions() {
    start = new RunAction(Messages.resume, Icons.descriptor("run_experiment"), () -> {
      ExperimentRun last = Experiments.get().run(shown);
      boolean hopeless = last != null && last.snapshot().pilot() != null
          && last.snapshot().state() == ExperimentRun.State.FAILED
          && !last.snapshot().pilot().errors().isEmpty();
      boolean force = hopeless && MessageDialog.openQuestion(getSite().getShell(),
          Messages.forceTitle, NLS.bind(Messages.force, last.snapshot().message()));
      if (!hopeless || force) {
        Experiments.get().start(shown, force);
      }
    });
    stop = new RunAction(Messages.stop, Icons.descriptor("stop_experiment"),
        () -> Experiments.get().run(shown).cancel());
    IActionBars bars = getViewSite().getActionBars();
    bars.getToolBarManager().add(start);
    bars.getToolBarManager().add(stop);
    TableMenu menu = new TableMenu(table);
    menu.contribute(bars);
    menu.installOnRows(manager -> { });
  }

  private Image icon(Row row) {
    Table trials = table.table();
    Object status = row.values().get(trials.column("status"));
    boolean failures = !row.values().get(trials.column("failures")).equals(0L);
    return "done".equals(status) ? Icons.image(failures ? "trial_repeated" : "trial_done")
        : failures ? Icons.image("trial_failed") : Icons.image("trial_planned");
  }

  @Override
  public void selected(Path file) {
    show(file);
  }

  @Override
  public void ran(ExperimentRun run) {
    if (run.file().equals(shown)) {
      show(run.snapshot());
    }
  }

  @Override
  public void changed(Path file) {
    if (file.equals(shown) && !Experiments.get().isRunning(file)) {
      load();
    }
  }

  private void show(Path file) {
    shown = file;
    ExperimentRun run = file == null ? null : Experiments.get().run(file);
    if (file == null) {
      messagePage.show(null, Messages.noExperiment);
      toTop(messagePage);
    } else if (run != null && run.isRunning()) {
      show(run.snapshot());
    } else {
      load();
    }
    enable();
  }

  /** Shows the trials that the file has. */
  private void load() {
    Path file = shown;
    int now = ++loads;
    loading = Job.create(NLS.bind(Messages.loadJob, file.getFileName()), (ICoreRunnable) monitor -> {
      Table trials = null;
      String error = "";
      boolean gone = !Files.exists(file);
      try {
        Experiment experiment = ExperimentFile.readDraft(file);
        trials = TrialTables.trials(file.toString(), experiment);
      } catch (TraceException e) {
        error = gone ? NLS.bind(Messages.experimentGone, MessagePage.escape(file.toString()))
            : MessagePage.escape(Texts.sentence(e.getMessage()));
      }
      Table read = trials;
      String message = error;
      UiThread.later(() -> {
        if (now == loads && file.equals(shown) && !content.isDisposed() && !Experiments.get().isRunning(file)) {
          showRead(read, message);
        }
      });
    });
    loading.setSystem(true);
    loading.schedule();
  }

  private void showRead(Table trials, String error) {
    ExperimentRun run = Experiments.get().run(shown);
    if (trials == null) {
      messagePage.show(image(ISharedImages.IMG_OBJS_ERROR_TSK), error);
      toTop(messagePage);
    } else if (run != null && run.snapshot().all() > 0 && !run.isRunning()
        && run.snapshot().all() == trials.rows().size()) {
      show(run.snapshot());
    } else {
      int done = (int) trials.rows().stream().filter(row ->
          row.values().get(trials.column("status")).equals("done")).count();
      show(new ExperimentRun.Snapshot(done == trials.rows().size() && done > 0
          ? ExperimentRun.State.DONE : ExperimentRun.State.CANCELLED, trials, done,
          trials.rows().size(), -1, null, run == null ? "" : run.snapshot().message()));
    }
    enable();
  }

  private void show(ExperimentRun.Snapshot snapshot) {
    title.setText(shown.getFileName().toString());
    title.setToolTipText(shown.toString());
    bar.setMaximum(Math.max(1, snapshot.all()));
    bar.setSelection(snapshot.done());
    remaining.setText(text(snapshot));
    title.getParent().layout();
    List<String> told = new java.util.ArrayList<>();
    if (!snapshot.message().isEmpty()) {
      told.addAll(snapshot.message().lines().toList());
    }
    if (snapshot.pilot() != null) {
      snapshot.pilot().warnings().forEach(warning -> told.add(Texts.sentence(warning)));
      told.add(text(snapshot.pilot()));
    }
    messages.show(image(!snapshot.message().isEmpty() ? ISharedImages.IMG_OBJS_ERROR_TSK
        : snapshot.pilot() != null && !snapshot.pilot().warnings().isEmpty()
            ? ISharedImages.IMG_OBJS_WARN_TSK : ISharedImages.IMG_OBJS_INFO_TSK), told);
    if (snapshot.trials() != null) {
      table.show(snapshot.trials());
      if (snapshot.done() > 0 && snapshot.done() < snapshot.all()) {
        table.reveal(snapshot.trials().rows().get(snapshot.done()));
      }
    }
    enable();
    toTop(page);
  }

  private static String text(ExperimentRun.Snapshot snapshot) {
    String done = NLS.bind(Messages.trialsDone, snapshot.done(), snapshot.all());
    return switch (snapshot.state()) {
      case RUNNING -> snapshot.trials() == null ? Messages.preparing
          : snapshot.remainingNs() < 0 ? done
              : NLS.bind(Messages.trialsLeft, done, duration(snapshot.remainingNs()));
      case DONE -> NLS.bind(Messages.trialsAll, snapshot.all());
      case CANCELLED -> snapshot.all() == 0 ? Messages.noTrials
          : NLS.bind(Messages.stopped, done);
      case FAILED -> NLS.bind(Messages.failed, done);
    };
  }

  /** What the pilots tell, in a line. */
  private static String text(Pilot pilot) {
    boolean time = "ns".equals(pilot.response().getUnit());
    double unit = time ? NS_PER_SECOND : 1;
    String symbol = time ? " s" : "";
    return NLS.bind(Messages.pilot, new Object[] {pilot.response().getName(),
        String.format(Locale.ROOT, "%.4g", pilot.mean() / unit) + symbol,
        String.format(Locale.ROOT, "%.2g", 100 * pilot.deviation() / pilot.mean()),
        String.format(Locale.ROOT, "%.4g", pilot.highest() / unit) + symbol});
  }

  /** A time of seconds to hours, for people who wait. */
  static String duration(long ns) {
    long seconds = Math.round(ns / NS_PER_SECOND);
    return seconds < LONG_SECONDS ? NLS.bind(Messages.seconds, seconds)
        : seconds < LONG_SECONDS * 60 ? NLS.bind(Messages.minutes, (seconds + 30) / 60)
            : NLS.bind(Messages.hours, String.format(Locale.ROOT, "%.1f", seconds / 3600.0));
  }

  private void enable() {
    boolean running = shown != null && Experiments.get().isRunning(shown);
    start.setEnabled(shown != null && !running);
    stop.setEnabled(running);
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

  ResultTable table() {
    return table;
  }

  Action stopAction() {
    return stop;
  }

  Action startAction() {
    return start;
  }

  /** What is told of the progress. */
  String progress() {
    return remaining.getText();
  }

  List<String> messages() {
    return messages.messages();
  }

  @Override
  public void setFocus() {
    content.setFocus();
  }

  @Override
  public void dispose() {
    Experiments.get().removeListener(this);
    super.dispose();
  }
}
