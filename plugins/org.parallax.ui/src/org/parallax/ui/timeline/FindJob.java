package org.parallax.ui.timeline;

import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.parallax.analysis.timeline.Occurrences;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.trace.Progress;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/** Looks for something that a thread does, before or after a moment; reads before what is not known yet. */
final class FindJob extends Job {
  /** What can be looked for. */
  enum Sought { STATE, WAIT, MESSAGE }

  /**
   * A question.
   *
   * @param state that is looked for, if a state is
   * @param threads the nearest in any of them is found
   * @param forward whether after the moment; else before it
   */
  record Question(Sought sought, int state, int[] threads, long fromNs, boolean forward) {}

  private final ProgramTimeline timeline;
  private final Question question;
  private final Consumer<OptionalLong> answer;

  /**
   * @param answer is told on the UI thread where it is; empty for nowhere
   * @param unknown is told why there is no answer; nothing if a person has cancelled
   */
  FindJob(ProgramTimeline timeline, Question question, Consumer<OptionalLong> answer,
      Consumer<String> unknown) {
    super(Messages.findJob);
    this.timeline = timeline;
    this.question = question;
    this.answer = answer;
    addJobChangeListener(new JobChangeAdapter() {
      @Override
      public void done(IJobChangeEvent event) {
        if (!event.getResult().isOK()) {
          UiThread.later(() -> unknown.accept(event.getResult().getMessage()));
        }
      }
    });
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    try {
      Progress progress = new JobProgress(getName(), monitor);
      for (int thread : question.threads()) {
        timeline.read(thread, progress);
      }
      if (needsInterplay(timeline, question)) {
        timeline.readInterplay(progress);
      }
      LongStream all = IntStream.of(question.threads())
          .mapToObj(thread -> find(timeline.occurrences(thread, progress)))
          .filter(OptionalLong::isPresent).mapToLong(OptionalLong::getAsLong);
      OptionalLong found = question.forward() ? all.min() : all.max();
      UiThread.later(() -> answer.accept(found));
      return Status.OK_STATUS;
    } catch (CancellationException | OperationCanceledException e) {
      return Status.CANCEL_STATUS;
    } catch (RuntimeException e) {
      if (OpenSession.current().state().traces().containsAll(timeline.workload().traces())) {
        throw e;
      }
      // A trace that was closed meanwhile is no fault.
      return Status.CANCEL_STATUS;
    } catch (OutOfMemoryError e) {
      return new Status(IStatus.INFO, Ids.BUNDLE, Messages.outOfMemory);
    }
  }

  /** Whether all that can be the answer is known, so that nothing must be read. */
  static boolean isKnown(ProgramTimeline timeline, Question question) {
    return IntStream.of(question.threads()).allMatch(timeline::isRead)
        && (timeline.hasInterplay() || !needsInterplay(timeline, question));
  }

  private static boolean needsInterplay(ProgramTimeline timeline, Question question) {
    return question.sought() != Sought.STATE || timeline.wait(question.state()) != null;
  }

  private OptionalLong find(Occurrences occurrences) {
    if (occurrences == null) {
      return OptionalLong.empty();
    }
    long from = question.fromNs();
    return switch (question.sought()) {
      case STATE -> question.forward()
          ? occurrences.next(state -> state == question.state(), from)
          : occurrences.previous(state -> state == question.state(), from);
      case WAIT -> question.forward()
          ? occurrences.next(state -> timeline.wait(state) != null, from)
          : occurrences.previous(state -> timeline.wait(state) != null, from);
      case MESSAGE -> occurrences.message(from, question.forward());
    };
  }

  @Override
  public boolean belongsTo(Object family) {
    return family == OpenSession.current();
  }
}
