package org.parallax.analysis;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.parallax.model.Application;
import org.parallax.model.Procedure;
import org.parallax.model.ProgramTree;
import org.parallax.model.Thread;
import org.parallax.model.TreeNode;

/** The part of applications that a table is about: threads of them, or one procedure on these. */
final class Scope {
  private final TreeNode node;
  private final Set<Long> threads = new HashSet<>();

  /**
   * @param node of a logical or physical tree; its threads of other applications do not count. Null
   *     for all
   */
  Scope(List<Application> applications, TreeNode node) {
    this.node = node;
    if (node == null) {
      applications.forEach(application -> add(ProgramTree.logical(application).threads()));
    } else {
      add(node.threads().stream()
          .filter(thread -> applications.contains(thread.getProcess().getApplication())).toList());
    }
  }

  private void add(List<Thread> more) {
    more.forEach(thread -> threads.add(key(thread.getProcess().getIndex(), thread.getId())));
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
    return node == null || node.procedure().map(Procedure::getId).orElse(id) == id;
  }

  /** @return the scope's name, or the empty string for the whole application */
  String name() {
    return node == null || node.parent() == null ? "" : node.path();
  }
}
