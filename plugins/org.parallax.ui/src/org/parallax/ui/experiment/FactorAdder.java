package org.parallax.ui.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.PlatformUI;
import org.osgi.service.prefs.BackingStoreException;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.ProcedureKind;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;

/**
 * Adds factors to the experiment that is open, to the one that was used last, or else to a new one
 * that the person makes.
 */
public final class FactorAdder {
  private static final String LAST = "lastExperiment";

  private FactorAdder() {
  }

  /**
   * Adds places.
   *
   * @param part from which this comes
   * @param near a file whose folder is proposed for a new experiment, or null
   */
  public static void add(IWorkbenchPart part, List<String> places, IFile near) {
    IWorkbenchPage page = part.getSite().getPage();
    ExperimentEditor editor = ExperimentOpener.lastUsed(page);
    if (editor != null) {
      page.bringToTop(editor);
    }
    Path last = Path.of(InstanceScope.INSTANCE.getNode(Ids.BUNDLE).get(LAST, ""));
    if (editor == null && !last.toString().isEmpty() && Files.isRegularFile(last)) {
      editor = ExperimentOpener.open(page, last);
    }
    if (editor == null) {
      NewExperimentWizard wizard = new NewExperimentWizard();
      IStructuredSelection selection =
          near == null ? StructuredSelection.EMPTY : new StructuredSelection(near.getParent());
      wizard.init(PlatformUI.getWorkbench(), selection);
      editor = NewExperimentWizard.ask(wizard, part.getSite());
    }
    if (editor != null) {
      remember(editor.file());
      Experiments.get().select(editor.file());
      for (String place : places) {
        editor.addFactor(place);
      }
    }
  }

  private static void remember(Path file) {
    var node = InstanceScope.INSTANCE.getNode(Ids.BUNDLE);
    node.put(LAST, file.toString());
    try {
      node.flush();
    } catch (BackingStoreException e) {
      UiLog.log(e.getMessage(), e);
    }
  }

  /** The place of a procedure: its entry, or before the calls of a routine that is intercepted. */
  public static String place(Procedure procedure) {
    return (procedure.getKind() == ProcedureKind.USER ? "entry:" : "before:")
        + procedure.getName();
  }
}
