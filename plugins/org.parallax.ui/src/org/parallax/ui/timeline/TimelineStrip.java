package org.parallax.ui.timeline;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.parallax.trace.Trace;

/** The timeline of one run, with what is read for it, below its name if there are several. */
final class TimelineStrip {
  private final Composite widget;
  private final Label heading;
  private final TimelineControl control;
  private final TimelineTips tips;
  private final TimelineFinder finder;
  private final Runnable finished;
  private TimelineRun run;
  private ReadTimelineJob reading;
  private RunDifferences differences;

  /**
   * @param listener is told that the person is at another place, or has seen a new picture
   * @param cursor moves the cursor of all views to a moment of this run
   * @param finished is told when all was read and there is something to warn of
   */
  TimelineStrip(Composite parent, Consumer<TimelineControl> listener, Consumer<Moment> cursor,
      Runnable finished) {
    this.finished = finished;
    widget = new Composite(parent, SWT.NONE);
    GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(widget);
    heading = new Label(widget, SWT.NONE);
    GridDataFactory.fillDefaults().grab(true, false).indent(4, 0).exclude(true).applyTo(heading);
    heading.setVisible(false);
    control = new TimelineControl(widget, listener);
    GridDataFactory.fillDefaults().grab(true, true).applyTo(control.widget());
    tips = new TimelineTips(control);
    LongConsumer here = ns -> cursor.accept(new Moment(this, ns));
    finder = new TimelineFinder(control, here);
    control.canvas().setToolTips(tips::at);
  }

  /** A moment of the run of a strip. */
  record Moment(TimelineStrip strip, long ns) {}

  Composite widget() {
    return widget;
  }

  TimelineControl control() {
    return control;
  }

  TimelineFinder finder() {
    return finder;
  }

  /** What is shown, null for nothing. */
  TimelineRun run() {
    return run;
  }

  Trace trace() {
    return run.analysis().application().getTrace();
  }

  /** @param text above the lanes; empty for none */
  void setHeading(String text) {
    String told = text.replace("&", "&&");
    if (!told.equals(heading.getText())) {
      heading.setText(told);
      heading.setToolTipText(told.isEmpty() ? null : told);
      heading.setVisible(!told.isEmpty());
      ((GridData) heading.getLayoutData()).exclude = told.isEmpty();
      widget.layout();
    }
  }

  String heading() {
    return heading.getText();
  }

  /** Another run is shown from now on, or the same one in another way. */
  void setRun(TimelineRun shown) {
    if (run == null || run.timeline() != shown.timeline()) {
      tips.clear();
      differences = null;
    }
    run = shown;
  }

  /** The differences from another run that are marked; null for none. */
  RunDifferences differences() {
    return differences;
  }

  void setDifferences(RunDifferences found) {
    differences = found;
    control.showDifferences(found);
  }

  /** Shows nothing, and keeps nothing of what was shown. */
  void clear() {
    control.clear();
    tips.clear();
    finder.clear();
    differences = null;
    run = null;
  }

  /** Reads what is not known yet, unless that is being done. */
  void readUnlessReading() {
    if (reading == null || reading.timeline() != run.timeline()) {
      read();
    }
  }

  /** Reads what is not known yet. */
  void read() {
    if (run == null) {
      return;
    }
    stopReading();
    ReadTimelineJob job = new ReadTimelineJob(run.timeline(), run.lanes().threads(),
        control.canvas()::isDrawing, this::moreRead);
    reading = job;
    job.schedule();
  }

  private void moreRead(ReadTimelineJob job, String work) {
    if (job == reading && !control.canvas().isDisposed()) {
      control.setWork(work);
      control.update();
      if (work.isEmpty() && !job.timeline().warnings().isEmpty()) {
        finished.run();
      }
    }
  }

  void stopReading() {
    if (reading != null) {
      reading.cancel();
      reading = null;
    }
  }

  /** Stops reading what is no longer open. */
  void stopReadingUnless(List<Trace> open) {
    if (reading != null && !open.containsAll(reading.timeline().workload().traces())) {
      stopReading();
    }
  }
}
