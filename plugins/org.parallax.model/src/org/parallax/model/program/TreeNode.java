package org.parallax.model.program;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A node of a program tree: what a person selects, and the scope that an analysis takes. It stands
 * for a set of threads; a node of level PROCEDURE stands for one procedure on one thread, and one of
 * level EXTERNAL for what a monitor measured, and no thread.
 *
 * <p>Nodes do not change, except that the procedures of a thread are found when they are first asked
 * for. All methods can be called from any thread.
 */
public final class TreeNode {
  /** Of a group, in its name. */
  private static final int NAMED = 3;

  private final TreeNode parent;
  private final Level level;
  private final String name;
  private final Object object;
  private final List<ProgramThread> threads;
  private final List<TreeNode> members;
  private Supplier<List<TreeNode>> source;
  private volatile List<TreeNode> children;

  TreeNode(TreeNode parent, Level level, String name, Object object, List<ProgramThread> threads) {
    this.parent = parent;
    this.level = level;
    this.name = name;
    this.object = object;
    this.threads = List.copyOf(threads);
    this.members = List.of(this);
    this.children = List.of();
  }

  private TreeNode(TreeNode parent, List<TreeNode> members) {
    Set<ProgramThread> all = new LinkedHashSet<>();
    members.forEach(member -> all.addAll(member.threads));
    this.parent = parent;
    this.level = members.stream().map(TreeNode::level).min(Comparator.naturalOrder()).orElseThrow();
    this.name = members.stream().limit(NAMED).map(TreeNode::name).distinct()
        .collect(Collectors.joining(", ")) + (members.size() > NAMED ? ", \u2026" : "");
    boolean isOne = members.stream().allMatch(member -> member.object == members.get(0).object);
    this.object = isOne ? members.get(0).object : null;
    this.threads = List.copyOf(all);
    this.members = members;
    this.children = members;
  }

  /**
   * Several nodes as one scope: that of their threads. Procedures count where all nodes are procedures, and
   * then on all threads of these nodes. It is in no tree, but below what the nodes have above them all.
   *
   * @param nodes at least one
   * @return the node itself if it is the only one
   */
  public static TreeNode group(List<TreeNode> nodes) {
    if (nodes.size() == 1) {
      return nodes.get(0);
    }
    TreeNode above = nodes.get(0).parent;
    while (above != null && !nodes.stream().allMatch(above::contains)) {
      above = above.parent;
    }
    boolean allProcedures = nodes.stream().allMatch(node -> node.level == Level.PROCEDURE);
    return new TreeNode(above, nodes.stream()
        .filter(node -> allProcedures || node.level != Level.PROCEDURE).toList());
  }

  /** Called once, while the tree is built. */
  void setChildren(List<TreeNode> nodes) {
    children = List.copyOf(nodes);
  }

  /** Called once, while the tree is built: the children are found when they are needed. */
  void setChildren(Supplier<List<TreeNode>> lazily) {
    source = lazily;
    children = null;
  }

  /** The nodes of which this is a group; of any other node itself. */
  public List<TreeNode> members() {
    return members;
  }

  /** The node above, null for the root. */
  public TreeNode parent() {
    return parent;
  }

  public Level level() {
    return level;
  }

  /** The name as it stands in the tree: it is unique among the node's siblings for all but procedures. */
  public String name() {
    return name;
  }

  /**
   * The model's object that the node stands for: a LoadedSession for WORKLOAD, ExternalData for EXTERNAL. Null for a
   * group of nodes that stand for several.
   */
  public Object object() {
    return object;
  }

  /** The threads that the node stands for, of all applications below it, in the tree's order. */
  public List<ProgramThread> threads() {
    return threads;
  }

  /** The procedure of a PROCEDURE node, empty for all others. */
  public Optional<Procedure> procedure() {
    return object instanceof Procedure procedure ? Optional.of(procedure) : Optional.empty();
  }

  /** The application of the node's threads, empty when they belong to several or there are none. */
  public Optional<Application> application() {
    Application first = null;
    for (ProgramThread thread : threads) {
      Application application = thread.getProcess().getApplication();
      if (first != null && first != application) {
        return Optional.empty();
      }
      first = application;
    }
    return Optional.ofNullable(first);
  }

  /**
   * Whether {@link #children} returns at once. It is false for a thread whose events must be read
   * first to know its procedures.
   */
  public boolean areChildrenKnown() {
    return children != null;
  }

  /**
   * The nodes below.
   *
   * <p>Cost: constant; the first call on a thread of a process with several threads reads all its
   * events.
   *
   * @return an unmodifiable list, empty for a procedure and for external data
   */
  public List<TreeNode> children() {
    List<TreeNode> known = children;
    if (known != null) {
      return known;
    }
    synchronized (this) {
      if (children == null) {
        children = List.copyOf(source.get());
        source = null;
      }
      return children;
    }
  }

  /** Whether {@code other} is this node or below it. */
  public boolean contains(TreeNode other) {
    for (TreeNode node = other; node != null; node = node.parent) {
      if (node == this) {
        return true;
      }
    }
    return false;
  }

  /** The names from the root to this node, separated by {@code " > "}. */
  public String path() {
    return parent == null ? name : parent.path() + " > " + name;
  }

  @Override
  public String toString() {
    return level + " " + path();
  }
}
