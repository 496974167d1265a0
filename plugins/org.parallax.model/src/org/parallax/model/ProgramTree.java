package org.parallax.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program trees of a session after Irvin and Miller, "Multi-Application Support in a Parallel
 * Program Performance Tool", section 4.1: a logical tree for each application, and one physical
 * tree that has the nodes of all logical trees grouped by the machines they ran on.
 *
 * <p>Cost of building a tree: linear in its processes and threads; procedures come when asked for.
 */
public final class ProgramTree {
  private ProgramTree() {
  }

  /** Application, its machines, processes, threads, procedures. */
  public static TreeNode logical(Application application) {
    List<Thread> threads = new ArrayList<>();
    for (Process process : application.getProcesses()) {
      threads.addAll(process.getThreads());
    }
    TreeNode root =
        new TreeNode(null, Level.APPLICATION, application.getName(), application, threads);
    root.setChildren(machines(root, application.getProcesses(), false));
    return root;
  }

  /** All machines of the session, the processes of all applications on them, threads, procedures. */
  public static TreeNode physical(Session session) {
    List<Process> processes = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Machine machine : session.getMachines()) {
      for (Process process : machine.getProcesses()) {
        processes.add(process);
        threads.addAll(process.getThreads());
      }
    }
    TreeNode root = new TreeNode(null, Level.WORKLOAD, "Workload", session, threads);
    root.setChildren(machines(root, processes, session.getApplications().size() > 1));
    return root;
  }

  private static List<TreeNode> machines(TreeNode root, List<Process> processes,
      boolean namedByApplication) {
    Map<Machine, List<Process>> byMachine = new LinkedHashMap<>();
    for (Process process : processes) {
      byMachine.computeIfAbsent(process.getMachine(), key -> new ArrayList<>()).add(process);
    }
    List<TreeNode> nodes = new ArrayList<>();
    byMachine.forEach((machine, members) -> {
      List<Thread> threads = new ArrayList<>();
      for (Process process : members) {
        threads.addAll(process.getThreads());
      }
      TreeNode node = new TreeNode(root, Level.MACHINE, machine.getHost(), machine, threads);
      List<TreeNode> children = new ArrayList<>();
      for (Process process : members) {
        children.add(process(node, process, namedByApplication));
      }
      node.setChildren(children);
      nodes.add(node);
    });
    return nodes;
  }

  private static TreeNode process(TreeNode parent, Process process, boolean namedByApplication) {
    String name = namedByApplication
        ? process.getApplication().getName() + ": " + process.getName() : process.getName();
    TreeNode node = new TreeNode(parent, Level.PROCESS, name, process, process.getThreads());
    List<TreeNode> children = new ArrayList<>();
    for (Thread thread : process.getThreads()) {
      TreeNode child =
          new TreeNode(node, Level.THREAD, thread.getName(), thread, List.of(thread));
      child.setChildren(() -> procedures(child, thread));
      children.add(child);
    }
    node.setChildren(children);
    return node;
  }

  private static List<TreeNode> procedures(TreeNode parent, Thread thread) {
    List<Procedure> found = new ArrayList<>(ThreadProcedures.of(thread));
    found.sort(Comparator.comparing(Procedure::getKind).thenComparing(Procedure::getName)
        .thenComparing(Procedure::getId));
    List<TreeNode> nodes = new ArrayList<>(found.size());
    for (Procedure procedure : found) {
      nodes.add(new TreeNode(parent, Level.PROCEDURE, procedure.getName(), procedure,
          List.of(thread)));
    }
    return nodes;
  }
}
