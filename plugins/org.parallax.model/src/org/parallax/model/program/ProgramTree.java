package org.parallax.model.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The program trees of a session after Irvin and Miller, "Multi-Application Support in a Parallel
 * Program Performance Tool", section 4.1: a logical tree for each application, and one physical
 * tree that has the nodes of all logical trees grouped by the machines they ran on. What monitors
 * measured of a machine, process or application is right below it.
 *
 * <p>Cost of building a tree: linear in its processes and threads; procedures come when asked for.
 */
public final class ProgramTree {
  private ProgramTree() {
  }

  /** Application, its machines, processes, threads, procedures. */
  public static TreeNode logical(Application application) {
    List<ProgramThread> threads = new ArrayList<>();
    for (ProgramProcess process : application.getProcesses()) {
      threads.addAll(process.getThreads());
    }
    TreeNode root =
        new TreeNode(null, Level.APPLICATION, application.getName(), application, threads);
    ExternalNodes externals = new ExternalNodes(application.getExternals());
    List<TreeNode> children = machines(root, application.getProcesses(), false, externals);
    externals.addTo(children, root, data -> data.getApplication() == application);
    root.setChildren(children);
    return root;
  }

  /** All machines of the session, the processes of all applications on them, threads, procedures. */
  public static TreeNode physical(LoadedSession session) {
    List<ProgramProcess> processes = new ArrayList<>();
    List<ProgramThread> threads = new ArrayList<>();
    for (Machine machine : session.getMachines()) {
      for (ProgramProcess process : session.getProcesses(machine)) {
        processes.add(process);
        threads.addAll(process.getThreads());
      }
    }
    TreeNode root = new TreeNode(null, Level.WORKLOAD, "Workload", session, threads);
    ExternalNodes externals = new ExternalNodes(session.getExternals());
    List<TreeNode> children =
        machines(root, processes, session.getApplications().size() > 1, externals);
    externals.addTo(children, root,
        data -> data.getProcess() == null && (data.getMachine() == null
            || !session.getMachines().contains(data.getMachine())));
    root.setChildren(children);
    return root;
  }

  private static List<TreeNode> machines(TreeNode root, List<ProgramProcess> processes,
      boolean namedByApplication, ExternalNodes externals) {
    Map<Machine, List<ProgramProcess>> byMachine = new LinkedHashMap<>();
    for (ProgramProcess process : processes) {
      byMachine.computeIfAbsent(process.getMachine(), key -> new ArrayList<>()).add(process);
    }
    List<TreeNode> nodes = new ArrayList<>();
    byMachine.forEach((machine, members) -> {
      List<ProgramThread> threads = new ArrayList<>();
      for (ProgramProcess process : members) {
        threads.addAll(process.getThreads());
      }
      TreeNode node = new TreeNode(root, Level.MACHINE, machine.getHost(), machine, threads);
      List<TreeNode> children = new ArrayList<>();
      for (ProgramProcess process : members) {
        children.add(process(node, process, namedByApplication, externals));
      }
      externals.addTo(children, node, data -> data.getMachine() == machine);
      node.setChildren(children);
      nodes.add(node);
    });
    return nodes;
  }

  private static TreeNode process(TreeNode parent, ProgramProcess process, boolean namedByApplication,
      ExternalNodes externals) {
    String name = namedByApplication
        ? process.getApplication().getName() + ": " + process.getName() : process.getName();
    TreeNode node = new TreeNode(parent, Level.PROCESS, name, process, process.getThreads());
    List<TreeNode> children = new ArrayList<>();
    for (ProgramThread thread : process.getThreads()) {
      TreeNode child =
          new TreeNode(node, Level.THREAD, thread.getName(), thread, List.of(thread));
      child.setChildren(() -> procedures(child, thread));
      children.add(child);
    }
    externals.addTo(children, node, data -> data.getProcess() == process);
    node.setChildren(children);
    return node;
  }

  /** The nodes of external data, which are the last of their siblings. */
  private record ExternalNodes(List<ExternalData> all) {
    void addTo(List<TreeNode> siblings, TreeNode parent, Predicate<ExternalData> isBelow) {
      for (ExternalData data : all) {
        if (isBelow.test(data)) {
          String name = data.getName();
          boolean taken = siblings.stream().anyMatch(node -> node.name().equals(name));
          siblings.add(new TreeNode(parent, Level.EXTERNAL,
              taken ? name + " (" + data.getSeries().subject() + ")" : name, data, List.of()));
        }
      }
    }
  }

  private static List<TreeNode> procedures(TreeNode parent, ProgramThread thread) {
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
