package org.parallax.source;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.IPath;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.text.BadLocationException;
import org.eclipse.jface.text.DocumentEvent;
import org.eclipse.jface.text.IDocument;
import org.eclipse.jface.text.IDocumentListener;
import org.eclipse.jface.text.IRegion;
import org.eclipse.jface.text.Position;
import org.eclipse.jface.text.source.Annotation;
import org.eclipse.jface.text.source.AnnotationModel;
import org.eclipse.jface.text.source.IAnnotationModel;
import org.eclipse.jface.text.source.IAnnotationModelExtension;
import org.eclipse.osgi.util.NLS;
import org.eclipse.ui.IEditorInput;
import org.eclipse.ui.IEditorPart;
import org.eclipse.ui.IPropertyListener;
import org.eclipse.ui.IURIEditorInput;
import org.eclipse.ui.texteditor.ITextEditor;
import org.parallax.model.program.LoadedSession;
import org.parallax.model.program.Procedure;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.source.FunctionName;
import org.parallax.ui.source.SourceLookup;
import org.parallax.ui.source.SourceModel;

/**
 * The numbers of the file that an editor shows, as annotations: these move with the text, and give the
 * overview ruler its marks. Used on the UI thread.
 */
final class EditorNumbers implements SourceNumbers.Client {
  static final String LINE = "org.parallax.source.line";
  static final String WARM = "org.parallax.source.warm";
  static final String HOT = "org.parallax.source.hot";
  static final String CHANGED = "org.parallax.source.changed";
  private static final double HOT_PERCENT = 10;
  private static final double WARM_PERCENT = 1;
  private static final Map<ITextEditor, EditorNumbers> EDITORS = new WeakHashMap<>();

  private final ITextEditor editor;
  private final Runnable changed;
  private final AnnotationModel model = new AnnotationModel();
  private final EditorFunctions functions = new EditorFunctions();
  private final LineHistory history = new LineHistory();
  private final LineSensitivity sensitivity;
  private IAnnotationModelExtension attachedTo;
  private IDocument document;
  private FileNumbers numbers = FileNumbers.NONE;
  private Map<Integer, LineAnnotation> byLine;
  private Job job;
  private final IDocumentListener edits = new IDocumentListener() {
    @Override
    public void documentAboutToBeChanged(DocumentEvent event) {
    }

    @Override
    public void documentChanged(DocumentEvent event) {
      byLine = null;
      if (event.getOffset() == 0 && event.getText() != null
          && event.getText().length() == document.getLength()) {
        UiThread.later(EditorNumbers.this::textReplaced);
      }
    }
  };
  private final IPropertyListener properties = (source, property) -> {
    if (property == IEditorPart.PROP_DIRTY && !isDirty()) {
      textSaved();
    }
  };

  /** What is known of a line, wherever it is now. */
  private static final class LineAnnotation extends Annotation {
    private final FileNumbers.Entry entry;
    private final FileNumbers numbers;

    LineAnnotation(String type, FileNumbers.Entry entry, FileNumbers numbers) {
      super(type, false, null);
      this.entry = entry;
      this.numbers = numbers;
    }

    @Override
    public String getText() {
      return LineText.summary(entry, numbers);
    }
  }

  /** @param changed is run when there is something else to show */
  EditorNumbers(ITextEditor editor, Runnable changed) {
    this.editor = editor;
    this.changed = changed;
    sensitivity = new LineSensitivity(changed);
    EDITORS.put(editor, this);
    editor.addPropertyListener(properties);
    attach();
    SourceNumbers.current().add(this);
  }

  /** The numbers of an editor; null when it shows none. */
  static EditorNumbers of(ITextEditor editor) {
    return EDITORS.get(editor);
  }

  /** The numbers of an editor that shows a text; null when none does. */
  static EditorNumbers of(IDocument text) {
    return EDITORS.values().stream().filter(each -> each.document == text).findFirst().orElse(null);
  }

  void dispose() {
    SourceNumbers.current().remove(this);
    editor.removePropertyListener(properties);
    EDITORS.remove(editor, this);
    if (job != null) {
      job.cancel();
      job = null;
    }
    functions.clear();
    detach();
  }

  private boolean isDirty() {
    return editor.getEditorInput() != null && editor.isDirty();
  }

  /** The file has the text of the editor. */
  private void textSaved() {
    if (document != null) {
      history.saved(document);
      numbersChanged();
    }
  }

  /** All of the text was replaced, and with it all marks: the file was changed by another program. */
  private void textReplaced() {
    if (document != null && isDirty()) {
      numbersChanged();
    } else {
      textSaved();
    }
  }

  /** The editor shows another document. */
  void inputChanged() {
    if (attach()) {
      apply(FileNumbers.NONE, null);
      SourceNumbers.current().compute();
      numbersChanged();
    }
  }

  private boolean attach() {
    IEditorInput input = editor.getEditorInput();
    if (input == null || editor.getDocumentProvider() == null) {
      return false;
    }
    IDocument shown = editor.getDocumentProvider().getDocument(input);
    IAnnotationModel all = editor.getDocumentProvider().getAnnotationModel(input);
    if (shown == document && all == attachedTo) {
      return false;
    }
    detach();
    if (shown != null && all instanceof IAnnotationModelExtension extension) {
      document = shown;
      document.addDocumentListener(edits);
      history.begin(document);
      attachedTo = extension;
      attachedTo.addAnnotationModel(this, model);
      sensitivity.attach(all, document);
    }
    return true;
  }

  private void detach() {
    sensitivity.attach(null, null);
    if (attachedTo != null) {
      attachedTo.removeAnnotationModel(this);
      attachedTo = null;
    }
    if (document != null) {
      document.removeDocumentListener(edits);
      document = null;
    }
    byLine = null;
  }

  @Override
  public String fileName() {
    return editor.getEditorInput() == null ? "" : editor.getEditorInput().getName();
  }

  @Override
  public void numbersChanged() {
    if (job != null) {
      job.cancel();
      job = null;
    }
    IEditorInput input = editor.getEditorInput();
    functions.update(OpenSession.current().state().isOpen() ? document : null,
        input == null ? null : input.getAdapter(IFile.class));
    SourceNumbers.Result result = SourceNumbers.current().result();
    if (result.source() == null) {
      apply(FileNumbers.NONE, null);
      return;
    }
    if (input == null) {
      return;
    }
    URI uri = input instanceof IURIEditorInput withUri ? withUri.getURI() : null;
    job = new MatchJob(input.getAdapter(IFile.class), uri, fileName(), result,
        document == null ? LineHistory.Moves.NONE : history.since(result.runMs(), document));
    job.schedule();
  }

  /** Finds the numbers of the file: its path may be on a slow file system. */
  private final class MatchJob extends Job {
    private final IFile resource;
    private final URI uri;
    private final String name;
    private final SourceNumbers.Result result;
    private final LineHistory.Moves moves;

    MatchJob(IFile resource, URI uri, String name, SourceNumbers.Result result,
        LineHistory.Moves moves) {
      super(NLS.bind(Messages.matchJob, name));
      this.resource = resource;
      this.uri = uri;
      this.name = name;
      this.result = result;
      this.moves = moves;
      setSystem(true);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
      Path path = path();
      List<String> recorded = recorded(path);
      long writtenMs = recorded.isEmpty() || path == null ? 0 : writtenMs(path);
      FileNumbers found = recorded.isEmpty() ? FileNumbers.NONE
          : FileNumbers.of(result, recorded, writtenMs > result.runMs() ? writtenMs : 0);
      int[] moved = found.isEmpty() ? null : moves.compute();
      UiThread.later(() -> {
        if (job != this) {
          return;
        }
        if (document != null && !moves.isOf(document)) {
          numbersChanged(); // edited meanwhile
        } else {
          apply(found, moved);
        }
      });
      return Status.OK_STATUS;
    }

    private Path path() {
      try {
        return uri == null ? null : Path.of(uri);
      } catch (IllegalArgumentException | FileSystemNotFoundException e) {
        return null; // not of the local file system
      }
    }

    /** The names that the compiler has for the file. */
    private List<String> recorded(Path path) {
      List<String> found = new ArrayList<>();
      List<String> gone = new ArrayList<>();
      for (String file : result.source().files()) {
        if (!name.equals(IPath.fromOSString(file).lastSegment())) {
          continue;
        }
        SourceLookup.Found there = SourceLookup.find(file);
        if (there == null) {
          gone.add(file);
        } else if (resource != null && resource.equals(there.resource())
            || isSame(path, there.file()) || isCopy(path, there.file())) {
          found.add(file);
        }
      }
      // A file that a person has opened stands for the only one of its name that is nowhere else.
      return found.isEmpty() && gone.size() == 1 ? gone : found;
    }

    private static boolean isSame(Path one, Path other) {
      try {
        return one != null && other != null && Files.isSameFile(one, other);
      } catch (IOException e) {
        return false;
      }
    }

    /** A copy in another folder has the same lines. */
    private static boolean isCopy(Path one, Path other) {
      try {
        return one != null && other != null && Files.mismatch(one, other) < 0;
      } catch (IOException e) {
        return false;
      }
    }

    private static long writtenMs(Path path) {
      try {
        return Files.getLastModifiedTime(path).toMillis();
      } catch (IOException e) {
        return 0; // gone, or not readable: its text is in the editor
      }
    }

    @Override
    public boolean belongsTo(Object family) {
      return family == OpenSession.current();
    }
  }

  /** @param moved where the lines are now, from 0; null where they were when the run was compiled */
  private void apply(FileNumbers found, int[] moved) {
    if (found == numbers && numbers == FileNumbers.NONE) {
      return;
    }
    numbers = found;
    List<Annotation> old = new ArrayList<>();
    model.getAnnotationIterator().forEachRemaining(old::add);
    Map<Annotation, Position> annotations = new HashMap<>();
    if (document != null && !numbers.isEmpty()) {
      for (FileNumbers.Entry entry : numbers.entries().values()) {
        int line = entry.number() - 1;
        put(annotations, new LineAnnotation(type(entry), entry, numbers), moved == null ? line
            : line < moved.length ? moved[line] : -1);
      }
      if (numbers.changedMs() > 0) {
        put(annotations, new Annotation(CHANGED, false, changedText()), 0);
      }
    }
    model.replaceAnnotations(old.toArray(Annotation[]::new), annotations);
    byLine = null;
    changed.run();
  }

  private void put(Map<Annotation, Position> annotations, Annotation annotation, int line) {
    try {
      IRegion region = document.getLineInformation(line);
      annotations.put(annotation, new Position(region.getOffset(), region.getLength()));
    } catch (BadLocationException e) {
      // The line is gone, or the file is shorter than it was when the program was compiled.
    }
  }

  /** By the line's own numbers: those of a function are spread over its lines. */
  private String type(FileNumbers.Entry entry) {
    SourceNumber heat = SourceNumber.heat();
    long whole = heat.whole(numbers.source());
    double percent = whole == 0 ? 0 : 100.0 * heat.of(entry.ofLine()) / whole;
    return percent >= HOT_PERCENT ? HOT : percent >= WARM_PERCENT ? WARM : LINE;
  }

  /** That the file has changed since the run; empty when it has not. */
  String changedText() {
    return numbers.changedMs() == 0 ? "" : NLS.bind(Messages.changed, new Object[] {
        fileName(), new Date(numbers.changedMs()), new Date(numbers.runMs())});
  }

  /** What is known of the file. */
  FileNumbers numbers() {
    return numbers;
  }

  /** What an experiment says of the lines. */
  LineSensitivity sensitivity() {
    return sensitivity;
  }

  /** What is known of a line of the text as it is now, from 0; null when nothing is. */
  FileNumbers.Entry entry(int line) {
    LineAnnotation annotation = annotations().get(line);
    return annotation == null ? null : annotation.entry;
  }

  /** All that is known of a line of the text as it is now, from 0; empty when nothing is. */
  String text(int line) {
    FileNumbers.Entry entry = entry(line);
    SourceModel.Function function = entry == null ? functions.at(line) : null;
    FileNumbers.Entry declared = function == null ? null : declaration(function);
    String text = entry != null ? LineText.of(entry, numbers)
        : declared == null ? ""
        : NLS.bind(Messages.lineIn, line + 1, function.name()) + "\n\n"
            + LineText.of(declared, numbers);
    String since = changedText();
    return text.isEmpty() || since.isEmpty() ? text : text + "\n\n" + since;
  }

  /**
   * The procedure of a line: its own, else that of the function that has it, or null. Where no model
   * of the language knows the functions, it is that of the one declared last before the line.
   */
  Procedure procedureAt(int line) {
    FileNumbers.Entry own = entry(line);
    if (own != null && own.procedure() != null) {
      return own.procedure();
    }
    SourceModel.Function function = functions.at(line);
    if (function != null) {
      FileNumbers.Entry declared = declaration(function);
      return declared != null ? declared.procedure() : procedureOf(function.name());
    }
    for (int at = line; at >= 0 && !functions.areKnown(); at--) {
      FileNumbers.Entry entry = entry(at);
      if (entry != null && !entry.functions().isEmpty()) {
        return entry.procedure();
      }
    }
    return null;
  }

  /** Why there is no procedure at a line, for people. */
  String reason(int line) {
    SourceModel.Function function = functions.at(line);
    return function != null ? NLS.bind(Messages.notInTrace, function.name())
        : numbers.isEmpty() ? Messages.noNumbers : Messages.noProcedure;
  }

  /** What the trace knows of a function as a whole; null when it knows nothing. */
  private FileNumbers.Entry declaration(SourceModel.Function function) {
    int[] lines = functions.lines(function);
    for (int at = lines[0]; at < lines[1]; at++) {
      FileNumbers.Entry entry = entry(at);
      if (entry != null && entry.functions().stream()
          .anyMatch(each -> FunctionName.of(each.name()).equals(function.name()))) {
        return entry;
      }
    }
    return null;
  }

  /** The procedure of a name in the programs of the session, whose lines may not be recorded. */
  private static Procedure procedureOf(FunctionName name) {
    LoadedSession session = OpenSession.current().state().session();
    return session == null ? null : session.getApplications().stream()
        .flatMap(application -> application.getProcedures().stream())
        .filter(procedure -> procedure.getName().contains(name.last())
            && FunctionName.of(procedure.getName()).equals(name))
        .findFirst().orElse(null);
  }

  /** The type of annotation that a line has, null for none. */
  String type(int line) {
    LineAnnotation annotation = annotations().get(line);
    return annotation == null ? null : annotation.getType();
  }

  private Map<Integer, LineAnnotation> annotations() {
    if (byLine == null) {
      byLine = new HashMap<>();
      for (Iterator<Annotation> all = model.getAnnotationIterator(); all.hasNext(); ) {
        Annotation each = all.next();
        Position position = model.getPosition(each);
        if (each instanceof LineAnnotation line && position != null && !position.isDeleted()) {
          try {
            byLine.put(document.getLineOfOffset(position.getOffset()), line);
          } catch (BadLocationException e) {
            // It is being removed.
          }
        }
      }
    }
    return byLine;
  }
}
