package org.parallax.analysis.waits;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.parallax.model.program.Procedures;
import org.parallax.trace.ProcessTrace;

/**
 * Call paths by the procedures on them, so that those of different threads and processes can be
 * compared: two paths of the same procedures have one number, whatever their addresses are.
 *
 * <p>Linear in the number of call paths of all processes.
 */
final class CommonPaths {
  /** Time for which there is no sample. */
  static final int NOT_SAMPLED = 0;
  /** Time before the first event of a thread whose creator is not known. */
  static final int NOT_BEGUN = 1;

  private record Child(int parent, int procedure) {}

  private final Map<Child, Integer> children = new HashMap<>();
  private final Map<ProcessTrace, int[]> numbers = new IdentityHashMap<>();
  private final Map<ProcessTrace, Map<Integer, Integer>> firsts = new IdentityHashMap<>();
  private int count = 2;

  CommonPaths(List<ProcessTrace> processes, Procedures procedures) {
    for (ProcessTrace process : new ArrayList<>(processes)) {
      int[] common = new int[process.callPaths().count()];
      Map<Integer, Integer> first = new HashMap<>();
      for (int path = 1; path < common.length; path++) {
        int at = common[process.callPaths().parent(path)];
        for (int procedure : procedures.ownFrames(process.index(), path)) {
          at = children.computeIfAbsent(new Child(at, procedure), unknown -> count++);
        }
        common[path] = at;
        first.putIfAbsent(at, path);
      }
      numbers.put(process, common);
      firsts.put(process, first);
    }
  }

  /** @return numbers are from 0 up to this */
  int count() {
    return count;
  }

  /** @return the number of a call path of a process */
  int number(ProcessTrace process, int path) {
    int[] common = numbers.get(process);
    return path >= 0 && path < common.length ? common[path] : NOT_SAMPLED;
  }

  /** @return a call path of a process with this number, {@link WaitStates#NOT_BEGUN} for none */
  int path(ProcessTrace process, int number) {
    return number == NOT_SAMPLED ? 0
        : firsts.get(process).getOrDefault(number, WaitStates.NOT_BEGUN);
  }
}
