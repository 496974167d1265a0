package org.parallax.cdt;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.model.CModelException;
import org.eclipse.cdt.core.model.CoreModel;
import org.eclipse.cdt.core.model.ICElement;
import org.eclipse.cdt.core.model.IFunctionDeclaration;
import org.eclipse.cdt.core.model.IParent;
import org.eclipse.cdt.core.model.ISourceRange;
import org.eclipse.cdt.core.model.ISourceReference;
import org.eclipse.cdt.core.model.ITranslationUnit;
import org.eclipse.cdt.core.model.IWorkingCopy;
import org.eclipse.core.resources.IFile;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IProgressMonitor;
import org.parallax.ui.source.FunctionName;
import org.parallax.ui.source.SourceModel;

/**
 * Functions of C and C++ as CDT knows them: those of a file by parsing its text, those of the
 * workspace by the index.
 */
public final class CdtSourceModel implements SourceModel {
  private final CdtIndex index = new CdtIndex();

  @Override
  public List<Function> functions(IFile file, String text, IProgressMonitor monitor)
      throws CoreException {
    if (!CoreModel.hasCNature(file.getProject()) && !CoreModel.hasCCNature(file.getProject())
        || !(CoreModel.getDefault().create(file) instanceof ITranslationUnit unit)) {
      return null;
    }
    // A copy of our own: the text of the editor need not be saved, and the editor's copy is not ours.
    IWorkingCopy copy = unit.getWorkingCopy(monitor, null);
    try {
      copy.getBuffer().setContents(text);
      copy.reconcile(true, monitor);
      List<Function> found = new ArrayList<>();
      collect(copy, List.of(), new Lines(text), found);
      found.sort((one, other) -> Integer.compare(one.first(), other.first()));
      return found;
    } finally {
      copy.destroy();
    }
  }

  private static void collect(IParent parent, List<String> scope, Lines lines,
      List<Function> found) throws CModelException {
    for (ICElement each : parent.getChildren()) {
      List<String> name = new ArrayList<>(scope);
      name.addAll(FunctionName.of(each.getElementName()).segments());
      if (isFunction(each)) {
        ISourceRange range = ((ISourceReference) each).getSourceRange();
        found.add(new Function(new FunctionName(name), lines.of(range.getIdStartPos()),
            range.getStartLine(), range.getEndLine()));
      }
      if (each instanceof IParent inner) {
        collect(inner, name, lines, found);
      }
    }
  }

  /** With a body: a declaration is not what runs. */
  private static boolean isFunction(ICElement element) {
    return element instanceof IFunctionDeclaration && switch (element.getElementType()) {
      case ICElement.C_FUNCTION, ICElement.C_METHOD, ICElement.C_TEMPLATE_FUNCTION,
          ICElement.C_TEMPLATE_METHOD -> true;
      default -> false;
    };
  }

  @Override
  public List<Definition> definitions(FunctionName name, IProgressMonitor monitor)
      throws CoreException {
    return index.definitions(name, monitor);
  }
}
