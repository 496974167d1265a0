package org.parallax.analysis.calls;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.internal.IntList;
import org.parallax.analysis.internal.KeyMap;
import org.parallax.model.program.Procedures;
import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;

/**
 * The call paths of all processes of an analysis, merged by the procedures on them and numbered, so that
 * tables add up by number and make texts only of what they show. Number 0 is the empty path.
 *
 * <p>Cost: linear in the frames of the paths that are asked for, each once for a process.
 */
public final class MergedPaths {
  private static final int UNKNOWN = -1;

  private final Procedures procedures;
  private final KeyMap children = new KeyMap();
  private final IntList parents = new IntList();
  private final IntList leaves = new IntList();
  private final IntList owns = new IntList();
  private final Map<Integer, CallPaths> processes = new HashMap<>();
  /** Of each process the numbers of its paths, as far as they were asked for. */
  private final Map<Integer, int[]> numbers = new HashMap<>();

  public MergedPaths(ApplicationAnalysis analysis) {
    procedures = analysis.procedures();
    for (ProcessTrace process : analysis.workload().processes()) {
      processes.put(process.index(), process.callPaths());
    }
    add(0, Procedures.NOT_SAMPLED, Procedures.NONE);
  }

  private int add(int parent, int leaf, int own) {
    parents.add(parent);
    leaves.add(leaf);
    owns.add(own);
    return (int) leaves.size() - 1;
  }

  /**
   * @param process its index, also where the analysis is of some processes of a trace only
   * @return the number of a call path of the process
   */
  public int of(int process, int path) {
    int[] known = numbers.computeIfAbsent(process, this::unknown);
    if (path < 0 || path >= known.length) {
      return child(0, Procedures.UNDEFINED, Procedures.NONE);
    }
    int[] parentOf = processes.get(process).parents();
    int depth = 0;
    for (int at = path; known[at] == UNKNOWN; at = parentOf[at]) {
      depth++;
    }
    int[] missing = new int[depth];
    for (int at = path; depth > 0; at = parentOf[at]) {
      missing[--depth] = at;
    }
    for (int each : missing) {
      int number = known[parentOf[each]];
      // What is inlined is in the module of what holds it: all of these are the program's own, or none.
      boolean isOwn = procedures.own(process, each) == procedures.leaf(process, each);
      for (int id : procedures.ownFrames(process, each)) {
        number = child(number, id, isOwn ? id : owns.get(number));
      }
      known[each] = number;
    }
    return known[path];
  }

  private int[] unknown(int process) {
    int[] known = new int[processes.get(process).count()];
    Arrays.fill(known, UNKNOWN);
    if (known.length > 0) {
      known[0] = 0;
    }
    return known;
  }

  private int child(int parent, int leaf, int own) {
    int known = children.get(parent, leaf);
    if (known >= 0) {
      return known;
    }
    int added = add(parent, leaf, own);
    children.add(parent, leaf, added);
    return added;
  }

  /** @return the innermost procedure, {@link Procedures#NOT_SAMPLED} of the empty path */
  public int leaf(int number) {
    return leaves.get(number);
  }

  /** @return the program's own procedure on the path, by {@link Procedures#own} */
  public int own(int number) {
    return owns.get(number);
  }

  /** @return the procedures from the outermost to the innermost; none of the empty path */
  public int[] frames(int number) {
    int depth = 0;
    for (int at = number; at != 0; at = parents.get(at)) {
      depth++;
    }
    int[] frames = new int[depth];
    for (int at = number; at != 0; at = parents.get(at)) {
      frames[--depth] = leaves.get(at);
    }
    return frames;
  }

  /** @return the name of the procedure that called the innermost one, empty if there is none */
  public String caller(int number) {
    int parent = number == 0 ? 0 : parents.get(number);
    return parent == 0 ? "" : procedures.get(leaves.get(parent)).name();
  }

  /** @return the names from the root on with {@code ;} between them */
  public String text(int number) {
    if (number == 0) {
      return procedures.get(Procedures.NOT_SAMPLED).name();
    }
    StringBuilder text = new StringBuilder();
    for (int id : frames(number)) {
      text.append(text.isEmpty() ? "" : ";").append(procedures.get(id).name());
    }
    return text.toString();
  }
}
