package org.parallax.analysis;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.parallax.analysis.replay.ThreadRecord;
import org.parallax.model.program.ProgramThread;
import org.parallax.model.program.TreeNode;

/** The part of applications that a table is about: threads of them, or some procedures on these. */
public final class Scope {
  private final ApplicationAnalysis analysis;
  private final TreeNode node;
  private final Set<ProgramThread> threads = new HashSet<>();
  /** Empty for all. */
  private final Set<Integer> procedures = new HashSet<>();

  /**
   * @param node of a logical or physical tree; its threads of other applications do not count. Null
   *     for all
   */
  public Scope(ApplicationAnalysis analysis, TreeNode node) {
    this.analysis = analysis;
    this.node = node;
    if (node != null) {
      threads.addAll(node.threads());
    }
    for (TreeNode member : node == null ? List.<TreeNode>of() : node.members()) {
      member.procedure()
          .filter(only -> analysis.applications().contains(only.getApplication()))
          .ifPresent(only -> procedures.add(analysis.workload().id(only)));
    }
  }

  /** @return true if the replayed thread is in the scope */
  public boolean has(ThreadRecord record) {
    return node == null || threads.contains(analysis.thread(record));
  }

  /** @return true if the thread is in the scope */
  public boolean has(ProgramThread thread) {
    return node == null || threads.contains(thread);
  }

  /** @return true if the scope is no procedures, or this is one of them */
  public boolean hasProcedure(int id) {
    return procedures.isEmpty() || procedures.contains(id);
  }

  /** @return true if the scope is all that threads do, and not procedures */
  public boolean hasAllProcedures() {
    return procedures.isEmpty();
  }

  /** @return the scope's name, or the empty string for the whole application */
  public String name() {
    return node == null || node.parent() == null && node.members().size() == 1 ? "" : node.path();
  }
}
