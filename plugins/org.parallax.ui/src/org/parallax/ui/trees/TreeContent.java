package org.parallax.ui.trees;

import java.util.HashSet;
import java.util.Set;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.viewers.ITreeContentProvider;
import org.eclipse.jface.viewers.TreeViewer;
import org.eclipse.osgi.util.NLS;
import org.parallax.model.program.Level;
import org.parallax.model.program.TreeNode;
import org.parallax.ui.platform.UiThread;
import org.parallax.ui.session.OpenSession;
import org.parallax.ui.session.SessionState;

/**
 * The nodes of the trees. The procedures of a thread can need its events to be read: a job does
 * that, and a {@link Pending} stands in their place until then.
 */
final class TreeContent implements ITreeContentProvider {
  /** Stands for the children of a node that are being found. */
  record Pending(TreeNode parent) {
  }

  private final TreeViewer viewer;
  private final Set<TreeNode> underway = new HashSet<>();

  TreeContent(TreeViewer viewer) {
    this.viewer = viewer;
  }

  @Override
  public Object[] getElements(Object input) {
    return ((SessionState) input).trees().toArray();
  }

  @Override
  public Object[] getChildren(Object element) {
    if (!(element instanceof TreeNode node)) {
      return new Object[0];
    }
    if (node.areChildrenKnown()) {
      return node.children().toArray();
    }
    find(node);
    return new Object[] {new Pending(node)};
  }

  @Override
  public Object getParent(Object element) {
    return element instanceof TreeNode node ? node.parent()
        : element instanceof Pending pending ? pending.parent() : null;
  }

  @Override
  public boolean hasChildren(Object element) {
    return element instanceof TreeNode node && node.level() != Level.PROCEDURE
        && (!node.areChildrenKnown() || !node.children().isEmpty());
  }

  private void find(TreeNode node) {
    if (!underway.add(node)) {
      return;
    }
    Job job = new Job(NLS.bind(Messages.proceduresJob, node.path())) {
      @Override
      protected IStatus run(IProgressMonitor monitor) {
        try {
          node.children();
          return Status.OK_STATUS;
        } finally {
          UiThread.later(() -> {
            underway.remove(node);
            if (!viewer.getControl().isDisposed() && node.areChildrenKnown()) {
              viewer.refresh(node);
            }
          });
        }
      }

      @Override
      public boolean belongsTo(Object family) {
        return family == OpenSession.current();
      }
    };
    job.schedule();
  }
}
