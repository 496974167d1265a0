package org.parallax.launch.ui;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.debug.ui.DebugUITools;
import org.eclipse.debug.ui.IDebugUIConstants;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.osgi.util.NLS;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.ISharedImages;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.parallax.analysis.table.Row;
import org.parallax.launch.Measurement;
import org.parallax.launch.MeasurementTable;
import org.parallax.launch.Measurements;
import org.parallax.launch.LaunchViews;
import org.parallax.launch.ParallelLaunchDelegate;
import org.parallax.ui.charts.ChartCanvas;
import org.parallax.ui.charts.RateCharts;
import org.parallax.ui.open.TraceOpening;
import org.parallax.ui.platform.Icons;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.platform.ViewHelp;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.table.ResultTable;
import org.parallax.ui.table.TableMenu;
import org.parallax.ui.widgets.MessageBar;
import org.parallax.ui.widgets.MessagePage;
import org.parallax.ui.widgets.RunAction;

/** What is recorded now, and was: how many events and bytes have arrived, and how fast they come. */
public final class MeasurementsView extends ViewPart {
  private static final int REFRESH_MS = 250;
  private static final double NS_PER_SECOND = 1e9;

  private final AtomicBoolean isPending = new AtomicBoolean();
  private final Runnable listener = this::refreshLater;
  private final Image running = descriptor("running").createImage();
  private Composite content;
  private Composite page;
  private MessagePage none;
  private MessageBar messages;
  private ResultTable table;
  private ChartCanvas chart;
  private Action stop;
  private Action detach;
  private Action pause;
  private Action open;
  private Action follow;
  private Action remove;
  private Measurement drawn;
  /** What the status line tells of the selected measurement. */
  private String status = "";
  /** What was found missing when it was to be opened. */
  private List<String> gone = List.of();

  @Override
  public void createPartControl(Composite parent) {
    content = new Composite(parent, SWT.NONE);
    content.setLayout(new StackLayout());
    ViewHelp.offer(content, LaunchViews.MEASUREMENTS);
    none = new MessagePage(content, target -> TraceOpening.followLink(getSite(), target));
    none.show(null, Messages.measurementsNone);
    page = new Composite(content, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(page);
    messages = new MessageBar(page, MessageBar::summary);
    SashForm sash = new SashForm(page, SWT.VERTICAL);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
    table = new ResultTable(sash, this::icon);
    table.setLive(true);
    table.widget().addListener(SWT.Selection, event -> {
      gone = List.of();
      showSelected();
    });
    table.widget().addListener(SWT.DefaultSelection, event -> openSelected());
    chart = new ChartCanvas(sash, OpenSession.current());
    sash.setWeights(4, 5);
    createActions();
    Measurements.get().addListener(listener);
    refresh();
  }

  private void createActions() {
    stop = new RunAction(Messages.measurementStop,
        Icons.descriptor("stop_experiment"), () -> selected().forEach(Measurement::stop));
    detach = new RunAction(Messages.measurementDetach,
        DebugUITools.getImageDescriptor(IDebugUIConstants.IMG_LCL_DISCONNECT),
        () -> selected().stream().filter(Measurement::isAttached).forEach(Measurement::stop));
    open = new RunAction(Messages.measurementOpen,
        Icons.descriptor("trace"), this::openSelected);
    follow = new RunAction(Messages.measurementFollow, Icons.descriptor("follow"),
        () -> selected().stream().filter(Measurement::canFollow).forEach(Measurement::follow));
    remove = new RunAction(Messages.measurementRemove,
        descriptor("remove_ended"), Measurements.get()::removeEnded);
    pause = new RunAction(Messages.measurementPause, descriptor("pause_recording"), IAction.AS_CHECK_BOX,
        () -> selected().forEach(each -> each.setPaused(pause.isChecked())));
    pause.setToolTipText(Messages.measurementPauseTip);
    stop.setToolTipText(Messages.measurementStopTip);
    detach.setToolTipText(Messages.measurementDetachTip);
    open.setToolTipText(Messages.measurementOpenTip);
    follow.setToolTipText(Messages.measurementFollowTip);
    remove.setToolTipText(Messages.measurementRemoveTip);
    IActionBars bars = getViewSite().getActionBars();
    for (Action each : actions()) {
      bars.getToolBarManager().add(each);
    }
    bars.setGlobalActionHandler(ActionFactory.DELETE.getId(), remove);
    TableMenu menu = new TableMenu(table);
    menu.contribute(bars);
    menu.installOnRows(manager -> {
      for (Action each : actions()) {
        manager.add(each);
      }
    });
  }

  private static ImageDescriptor descriptor(String icon) {
    return ResourceLocator.imageDescriptorFromBundle(ParallelLaunchDelegate.ID,
        "icons/" + icon + ".png").orElseThrow();
  }

  private Image icon(Row row) {
    return switch (((Measurement) row.subject()).state()) {
      case RUNNING, STOPPING -> running;
      case DONE -> Icons.image("trial_done");
      case STOPPED -> Icons.image("stop_experiment");
      case FAILED -> Icons.image("trial_failed");
    };
  }

  /** Measurements tell of each look; what comes within a moment is shown at once. */
  private void refreshLater() {
    if (!isPending.getAndSet(true)) {
      UiThread.later(() -> {
        if (!content.isDisposed()) {
          content.getDisplay().timerExec(REFRESH_MS, this::refresh);
        }
      });
    }
  }

  private void refresh() {
    isPending.set(false);
    if (content.isDisposed()) {
      return;
    }
    List<Measurement> all = Measurements.get().all();
    StackLayout stack = (StackLayout) content.getLayout();
    Composite top = all.isEmpty() ? none : page;
    if (!all.isEmpty()) {
      boolean isNew = drawn == null || !all.contains(drawn)
          || table.table() == null || table.table().rows().size() < all.size();
      table.show(MeasurementTable.of(all));
      if (isNew || table.selection().isEmpty()) {
        // What has just begun is what a person wants to see.
        table.widget().deselectAll();
        table.rows().stream().filter(row -> row.subject() == all.get(0)).forEach(table::select);
      }
    }
    if (stack.topControl != top) {
      stack.topControl = top;
      content.layout(true, true);
    }
    showSelected();
  }

  private List<Measurement> selected() {
    return Measurements.get().all().isEmpty() ? List.of() : table.selection().stream()
        .map(row -> (Measurement) row.subject()).toList();
  }

  private void showSelected() {
    List<Measurement> selected = selected();
    List<Measurement> all = Measurements.get().all();
    pause.setEnabled(selected.stream().anyMatch(Measurement::canPause));
    pause.setChecked(pause.isEnabled()
        && selected.stream().filter(Measurement::canPause).allMatch(Measurement::isPaused));
    stop.setEnabled(selected.stream().anyMatch(each -> !each.hasEnded()));
    detach.setEnabled(selected.stream().anyMatch(each -> each.isAttached() && !each.hasEnded()));
    open.setEnabled(selected.stream().anyMatch(each -> !each.traces().isEmpty()));
    follow.setEnabled(selected.stream().anyMatch(Measurement::canFollow));
    remove.setEnabled(all.stream().anyMatch(Measurement::hasEnded));
    Measurement first = selected.isEmpty() ? all.isEmpty() ? null : all.get(0) : selected.get(0);
    tell(Stream.concat(selected.stream().map(Measurement::failure), gone.stream())
        .filter(text -> !text.isEmpty()).toList());
    status = selected.size() == 1 ? selected.get(0).statusText() : "";
    getViewSite().getActionBars().getStatusLineManager().setMessage(status);
    if (first == drawn && first != null) {
      chart.refresh();
      return;
    }
    drawn = first;
    chart.show(first == null ? Messages.measurementRates
        : NLS.bind(Messages.measurementRatesOf, first.name()), first == null ? null
            : theme -> RateCharts.arrivals(rates(first), theme));
  }

  private static List<RateCharts.Rate> rates(Measurement measurement) {
    return measurement.rates().intervals().stream().map(each -> new RateCharts.Rate(
        each.fromNs() / NS_PER_SECOND, each.toNs() / NS_PER_SECOND, each.eventsPerSecond(),
        each.bytesPerSecond())).toList();
  }

  private void openSelected() {
    List<Measurement> ended =
        selected().stream().filter(each -> !each.traces().isEmpty()).toList();
    gone = ended.stream().filter(each -> !each.missing().isEmpty())
        .map(each -> NLS.bind(Messages.measurementGone, each.missing().stream()
            .map(String::valueOf).collect(Collectors.joining(", ")))).toList();
    ended.stream().filter(each -> each.missing().isEmpty()).forEach(Measurement::open);
    showSelected();
  }

  private void tell(List<String> told) {
    if (!told.equals(messages.messages())) {
      messages.show(PlatformUI.getWorkbench().getSharedImages()
          .getImage(ISharedImages.IMG_OBJS_ERROR_TSK), told);
    }
  }

  @Override
  public void setFocus() {
    if (((StackLayout) content.getLayout()).topControl == page) {
      table.widget().setFocus();
    } else {
      none.setFocus();
    }
  }

  @Override
  public void dispose() {
    Measurements.get().removeListener(listener);
    running.dispose();
    super.dispose();
  }

  /** What the view says while there is no measurement; null while there is one. */
  String message() {
    return ((StackLayout) content.getLayout()).topControl == none ? none.message() : null;
  }

  List<String> told() {
    return messages.messages();
  }

  String status() {
    return status;
  }

  ResultTable table() {
    return table;
  }

  ChartCanvas chart() {
    return chart;
  }

  List<Action> actions() {
    return List.of(pause, detach, stop, follow, open, remove);
  }
}
