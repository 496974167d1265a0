package org.parallax.ui.source;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IConfigurationElement;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Platform;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;

/** The models of source that are installed; all of it works without any. */
public final class SourceModels {
  private static final String POINT = Ids.BUNDLE + ".sourceModels";

  private static List<SourceModel> models;

  private SourceModels() {
  }

  /** Whether there is a model to ask. */
  public static boolean areInstalled() {
    return Platform.getExtensionRegistry().getConfigurationElementsFor(POINT).length > 0;
  }

  private static synchronized List<SourceModel> models() {
    if (models == null) {
      models = new ArrayList<>();
      for (IConfigurationElement each
          : Platform.getExtensionRegistry().getConfigurationElementsFor(POINT)) {
        try {
          models.add((SourceModel) each.createExecutableExtension("class"));
        } catch (CoreException e) {
          UiLog.log(e.getMessage(), e);
        }
      }
    }
    return models;
  }

  /**
   * The functions that are defined in a file; not on the UI thread.
   *
   * @return null when no model knows the file
   */
  public static List<SourceModel.Function> functions(IFile file, String text,
      IProgressMonitor monitor) {
    for (SourceModel model : models()) {
      List<SourceModel.Function> found = ask(() -> model.functions(file, text, monitor), null);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Where functions of a name are defined; not on the UI thread. */
  static List<SourceModel.Definition> definitions(FunctionName name, IProgressMonitor monitor) {
    List<SourceModel.Definition> found = new ArrayList<>();
    for (SourceModel model : models()) {
      found.addAll(ask(() -> model.definitions(name, monitor), List.of()));
    }
    return found;
  }

  private interface Question<T> {
    T answer() throws CoreException;
  }

  /** A model that fails is as one that knows nothing. */
  private static <T> T ask(Question<T> question, T otherwise) {
    try {
      return question.answer();
    } catch (OperationCanceledException e) {
      return otherwise;
    } catch (CoreException | RuntimeException | LinkageError e) {
      UiLog.log(e.toString(), e);
      return otherwise;
    }
  }
}
