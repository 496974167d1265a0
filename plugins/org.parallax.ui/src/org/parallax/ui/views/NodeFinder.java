package org.parallax.ui.views;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.parallax.model.program.Application;
import org.parallax.model.program.Level;
import org.parallax.model.program.Machine;
import org.parallax.model.program.Procedure;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.platform.Ids;
import org.parallax.ui.platform.UiLog;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/** Finds the nodes of program trees that stand for what rows of tables are about. */
public final class NodeFinder {
  /** A procedure is on each thread: all of many thousands are not looked at one by one. */
  private static final int MOST = 200;

  private NodeFinder() {
  }

  /**
   * The nodes that stand for objects of the model, in the tree of the selected scope if it has them,
   * else in the first one that does. May read events, for procedures; called off the UI thread.
   *
   * @return of a procedure one node for each thread that has it, at most {@value #MOST}; empty if
   *     there is none
   */
  public static List<TreeNode> find(SessionState state, List<?> objects) {
    if (!state.isOpen()) {
      return List.of();
    }
    List<TreeNode> trees = new ArrayList<>(state.trees());
    trees.sort((a, b) -> Boolean.compare(b.contains(state.scope()), a.contains(state.scope())));
    Set<TreeNode> found = new LinkedHashSet<>();
    for (Object object : objects) {
      for (TreeNode tree : trees) {
        int before = found.size();
        TreeNode within = object instanceof Procedure && tree.contains(state.scope())
            && state.scope().level() != Level.PROCEDURE ? state.scope() : tree;
        collect(within, object, found);
        if (found.size() > before) {
          break;
        }
      }
    }
    return List.copyOf(found);
  }

  private static void collect(TreeNode node, Object object, Set<TreeNode> found) {
    if (found.size() >= MOST || node.object() instanceof Application application
        && object instanceof Procedure procedure && procedure.getApplication() != application) {
      return;
    }
    if (node.object() == object) {
      found.add(node);
    } else if (node.level() != Level.THREAD || object instanceof Procedure) {
      boolean below = !(object instanceof Machine) || node.level() != Level.MACHINE;
      for (TreeNode child : below ? node.children() : List.<TreeNode>of()) {
        collect(child, object, found);
      }
    }
  }

  /** Selects nodes for all views and shows them in the trees. Returns at once; called on the UI thread. */
  public static Job select(IWorkbenchPage page, List<?> objects) {
    Job job = new Job(Messages.findNodesJob) {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        List<TreeNode> nodes = find(OpenSession.current().state(), objects);
        UiThread.later(() -> {
          if (!nodes.isEmpty() && !monitor.isCanceled()) {
            OpenSession.current().select(
                OpenSession.current().state().selection().withNodes(nodes));
            if (page != null) {
              try {
                page.showView(Ids.TREES_VIEW);
              } catch (PartInitException e) {
                UiLog.log(e.getMessage(), e);
              }
            }
          }
        });
        return Status.OK_STATUS;
      }

      @Override
      public boolean belongsTo(Object family) {
        return family == OpenSession.current();
      }
    };
    job.schedule();
    return job;
  }
}
