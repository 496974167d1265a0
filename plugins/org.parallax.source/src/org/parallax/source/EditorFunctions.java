package org.parallax.source;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IDocumentExtension4;
import org.eclipse.jface.text.Position;
import org.eclipse.osgi.util.NLS;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.SourceModel;
import org.parallax.ui.source.SourceModels;

/**
 * The functions of the text of an editor as an installed model of its language knows them; none
 * without such a model. They move with the text. Used on the UI thread; the model is asked by a job.
 */
final class EditorFunctions {
  private final List<Range> ranges = new ArrayList<>();
  private IDocument document;
  private long stamp;
  private boolean isKnown;
  private Job job;

  /** A function, and where it is in the text as it is now. */
  private record Range(Position position, SourceModel.Function function) {}

  /** Asks for the functions of a document, unless they are those of its text already. */
  void update(IDocument shown, IFile file) {
    if (shown == null || file == null || !SourceModels.areInstalled()) {
      clear();
      return;
    }
    long now = ((IDocumentExtension4) shown).getModificationStamp();
    if (shown == document && now == stamp) {
      return;
    }
    if (shown != document) {
      clear();
    }
    cancel();
    document = shown;
    stamp = now;
    job = new AskJob(file, shown.get());
    job.schedule();
  }

  /** Forgets the document. */
  void clear() {
    cancel();
    forget();
    document = null;
  }

  private void cancel() {
    if (job != null) {
      job.cancel();
      job = null;
    }
  }

  private void forget() {
    ranges.forEach(each -> document.removePosition(each.position()));
    ranges.clear();
    isKnown = false;
  }

  /** Whether a model has told the functions of the file, so that what lies between them is none. */
  boolean areKnown() {
    return isKnown;
  }

  /** The innermost function that has a line, from 0; null where none is known. */
  SourceModel.Function at(int line) {
    SourceModel.Function found = null;
    int least = Integer.MAX_VALUE;
    for (Range each : ranges) {
      int lines = last(each.position()) - first(each.position());
      if (first(each.position()) <= line && line <= last(each.position()) && lines < least) {
        found = each.function();
        least = lines;
      }
    }
    return found;
  }

  /** The lines of a function as the text is now, from 0: the first one, and that after the last. */
  int[] lines(SourceModel.Function function) {
    for (Range each : ranges) {
      if (each.function() == function) {
        return new int[] {first(each.position()), last(each.position()) + 1};
      }
    }
    return new int[] {0, 0};
  }

  private int first(Position position) {
    return lineOf(position.isDeleted() ? -1 : position.getOffset());
  }

  private int last(Position position) {
    return lineOf(position.isDeleted() ? -1
        : position.getOffset() + Math.max(0, position.getLength() - 1));
  }

  /** -1 for what is no longer in the text. */
  private int lineOf(int offset) {
    try {
      return offset < 0 ? -1 : document.getLineOfOffset(offset);
    } catch (BadLocationException e) {
      return -1;
    }
  }

  private void set(List<SourceModel.Function> found, String text) {
    forget();
    // What was typed since then comes with the next question.
    if (found == null || !document.get().equals(text)) {
      return;
    }
    isKnown = true;
    for (SourceModel.Function each : found) {
      try {
        int begin = document.getLineOffset(each.first() - 1);
        Position position = new Position(begin, document.getLineOffset(each.last() - 1)
            + document.getLineLength(each.last() - 1) - begin);
        document.addPosition(position);
        ranges.add(new Range(position, each));
      } catch (BadLocationException e) {
        // The model counts lines otherwise: the function is as one that is not known.
      }
    }
  }

  private final class AskJob extends Job {
    private final IFile file;
    private final String text;

    AskJob(IFile file, String text) {
      super(NLS.bind(Messages.functionsJob, file.getName()));
      this.file = file;
      this.text = text;
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      List<SourceModel.Function> found = SourceModels.functions(file, text, monitor);
      UiThread.later(() -> {
        if (job == this) {
          set(found, text);
        }
      });
      return Status.OK_STATUS;
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == OpenSession.current();
    }
  }
}
