package org.parallax.help;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.core.expressions.EvaluationResult;
import org.eclipse.core.expressions.Expression;
import org.eclipse.core.expressions.ExpressionInfo;
import org.eclipse.core.expressions.IEvaluationContext;
import org.eclipse.help.HelpSystem;
import org.eclipse.help.IContext;
import org.eclipse.swt.widgets.Control;
import org.eclipse.ui.ISources;
import org.eclipse.ui.IStartup;
import org.eclipse.ui.IWorkbench;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.handlers.HandlerUtil;
import org.eclipse.ui.handlers.IHandlerService;

/** F1 in the views of Parallax where no help system is installed, as in a plain platform. */
public final class HelpWithoutSystem implements IStartup {
  private static final String CONTEXT_KEY = "org.eclipse.ui.help";
  private static final String PREFIX = HelpPages.BUNDLE + ".";

  @Override
  public void earlyStartup() {
    IWorkbench workbench = PlatformUI.getWorkbench();
    workbench.getDisplay().asyncExec(() -> {
      if (!workbench.getHelpSystem().hasHelpUI()) {
        workbench.getService(IHandlerService.class)
            .activateHandler("org.eclipse.ui.help.dynamicHelp", new Handler(), new InOurViews());
      }
    });
  }

  /** The page that belongs to a control, or to what it is in; the first page when none does. */
  static String pageOf(Control focus) {
    for (Control each = focus; each != null; each = each.getParent()) {
      if (each.getData(CONTEXT_KEY) instanceof String id && id.startsWith(PREFIX)) {
        IContext context = HelpSystem.getContext(id);
        if (context != null && context.getRelatedTopics().length > 0) {
          return context.getRelatedTopics()[0].getHref().replaceFirst(".*/", "");
        }
      }
    }
    return HelpPages.FIRST;
  }

  private static final class Handler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) throws ExecutionException {
      var window = HandlerUtil.getActiveWorkbenchWindowChecked(event);
      HelpPages.open(window, pageOf(window.getShell().getDisplay().getFocusControl()));
      return null;
    }
  }

  private static final class InOurViews extends Expression {
    @Override
    public EvaluationResult evaluate(IEvaluationContext context) {
      return EvaluationResult.valueOf(context.getVariable(ISources.ACTIVE_PART_ID_NAME)
          instanceof String id && id.startsWith("org.parallax."));
    }

    @Override
    public void collectExpressionInfo(ExpressionInfo info) {
      info.addVariableNameAccess(ISources.ACTIVE_PART_ID_NAME);
    }
  }
}
