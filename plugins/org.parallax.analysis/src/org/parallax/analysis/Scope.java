package org.parallax.analysis;

import java.util.HashSet;
import java.util.Set;
import org.parallax.analysis.graph.ThreadRecord;
import org.parallax.model.Procedure;
import org.parallax.model.Thread;
import org.parallax.model.TreeNode;

/** The part of applications that a table is about: threads of them, or one procedure on these. */
final class Scope {
  private static final int ANY = -1;

  private final ApplicationAnalysis analysis;
  private final TreeNode node;
  private final Set<Thread> threads = new HashSet<>();
  private final int procedure;

  /**
   * @param node of a logical or physical tree; its threads of other applications do not count. Null
   *     for all
   */
  Scope(ApplicationAnalysis analysis, TreeNode node) {
    this.analysis = analysis;
    this.node = node;
    if (node != null) {
      threads.addAll(node.threads());
    }
    Procedure only = node == null ? null : node.procedure().orElse(null);
    procedure = only == null
        || !analysis.applications().contains(only.getApplication()) ? ANY
        : analysis.workload().id(only);
  }

  /** @return true if the replayed thread is in the scope */
  boolean has(ThreadRecord record) {
    return node == null || threads.contains(analysis.thread(record));
  }

  /** @return true if the thread is in the scope */
  boolean has(Thread thread) {
    return node == null || threads.contains(thread);
  }

  /** @return true if the scope is no single procedure, or this one */
  boolean hasProcedure(int id) {
    return procedure == ANY || procedure == id;
  }

  /** @return true if the scope is all that threads do, and not a single procedure */
  boolean hasAllProcedures() {
    return procedure == ANY;
  }

  /** @return the scope's name, or the empty string for the whole application */
  String name() {
    return node == null || node.parent() == null ? "" : node.path();
  }
}
