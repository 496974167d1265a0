package org.parallax.ui.timeline;

import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.parallax.analysis.timeline.Occurrences;
import org.parallax.analysis.timeline.ProgramTimeline;
import org.parallax.ui.platform.JobProgress;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;

/** Looks for something that a thread does, before or after a moment. */
final class FindJob extends Job {
  /** What can be looked for. */
  enum Sought { STATE, WAIT, MESSAGE }

  /**
   * A question.
   *
   * @param state that is looked for, if a state is
   * @param forward whether after the moment; else before it
   */
  record Question(Sought sought, int state, int thread, long fromNs, boolean forward) {}

  private final ProgramTimeline timeline;
  private final Question question;
  private final Consumer<OptionalLong> answer;

  /** @param answer is told on the UI thread where it is; empty for nowhere */
  FindJob(ProgramTimeline timeline, Question question, Consumer<OptionalLong> answer) {
    super(Messages.findJob);
    this.timeline = timeline;
    this.question = question;
    this.answer = answer;
  }

  @Override
  protected IStatus run(IProgressMonitor monitor) {
    try {
      OptionalLong found = find(timeline.occurrences(question.thread(),
          new JobProgress(getName(), monitor)));
      UiThread.later(() -> answer.accept(found));
      return Status.OK_STATUS;
    } catch (CancellationException | OperationCanceledException e) {
      return Status.CANCEL_STATUS;
    }
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
