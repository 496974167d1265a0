package org.parallax.analysis;

import java.util.HashSet;
import java.util.Set;
import org.parallax.model.Application;
import org.parallax.model.Procedure;
import org.parallax.model.ProgramTree;
import org.parallax.model.Thread;
import org.parallax.model.TreeNode;

/** The part of one application that a table is about: threads of it, or one procedure on them. */
final class Scope {
  private final TreeNode node;
  private final Set<Long> threads = new HashSet<>();

  /**
   * @param node of a logical or physical tree; its threads of other applications do not count. Null
   *     for the whole application
   */
  Scope(Application application, TreeNode node) {
    this.node = node == null ? ProgramTree.logical(application) : node;
    for (Thread thread : this.node.threads()) {
      if (thread.getProcess().getApplication() == application) {
        threads.add(key(thread.getProcess().getIndex(), thread.getId()));
      }
    }
  }

  private static long key(int process, int thread) {
    return (long) process << 32 | thread;
  }

  /**
   * @param process index of the process in the trace
   * @param thread number of the thread in the process
   */
  boolean hasThread(int process, int thread) {
    return threads.contains(key(process, thread));
  }

  /** @return true if the scope does not exclude the procedure */
  boolean hasProcedure(int id) {
    return node.procedure().map(Procedure::getId).orElse(id) == id;
  }

  /** @return the scope's name, or the empty string for the whole application */
  String name() {
    return node.parent() == null ? "" : node.path();
  }
}
