package org.parallax.analysis.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.parallax.trace.Creation;
import org.parallax.trace.EndReason;
import org.parallax.trace.ProcessTrace;

/**
 * Which process created which, and which replaced which by exec. Processes are named by their index
 * in the replay.
 */
final class Lineage {
  private static final int NONE = -1;

  private record Pid(String host, int pid) {}

  private record Child(String host, int parentPid, int pid) {}

  private record Task(long machine, int task) {}

  private final List<ProcessTrace> processes;
  /** The process that each replaced by exec, and the one that replaced it. */
  private final int[] predecessor;
  private final int[] successor;
  private final boolean[] created;
  // In the order of their begin:
  private final Map<Child, List<Integer>> children = new HashMap<>();
  private final Map<Task, List<Integer>> tasks = new HashMap<>();
  private final Map<Long, List<Integer>> jobs = new HashMap<>();

  /** O(P log P) for P processes. */
  Lineage(List<ProcessTrace> processes) {
    this.processes = processes;
    predecessor = new int[processes.size()];
    successor = new int[processes.size()];
    created = new boolean[processes.size()];
    Arrays.fill(predecessor, NONE);
    Arrays.fill(successor, NONE);
    List<Integer> byBegin = new ArrayList<>();
    for (int p = 0; p < processes.size(); p++) {
      byBegin.add(p);
    }
    byBegin.sort(Comparator.comparingLong(p -> processes.get(p).startNs()));
    Set<Long> spawners = new HashSet<>();
    for (ProcessTrace process : processes) {
      process.communicatorsBetweenJobs().stream().filter(each -> each.isInter() && !each.isParent())
          .forEach(each -> spawners.add(each.globalId()));
    }
    Map<Pid, Integer> latest = new HashMap<>();
    for (int p : byBegin) {
      ProcessTrace process = processes.get(p);
      Pid pid = new Pid(process.host(), process.pid());
      Integer before = latest.put(pid, p);
      if (before != null && processes.get(before).endReason() == EndReason.EXEC) {
        predecessor[p] = before;
        successor[before] = p;
        continue;
      }
      children.computeIfAbsent(new Child(process.host(), process.parentPid(), process.pid()),
          k -> new ArrayList<>()).add(p);
      created[p] = latest.containsKey(new Pid(process.host(), process.parentPid()));
      if (process.pvm() != null) {
        tasks.computeIfAbsent(new Task(process.pvm().machine(), process.pvm().task()),
            k -> new ArrayList<>()).add(p);
        created[p] |= process.pvm().parentTask() != 0;
      }
      if (process.mpi() != null) {
        jobs.computeIfAbsent(process.mpi().job() & Long.MAX_VALUE, k -> new ArrayList<>()).add(p);
        created[p] |= process.communicatorsBetweenJobs().stream()
            .anyMatch(each -> each.isParent() && spawners.contains(each.globalId()));
      }
    }
  }

  /** @return the process that this one replaced by exec, or -1 */
  int predecessor(int process) {
    return predecessor[process];
  }

  /** @return true if a process that is replayed may have created this one */
  boolean isCreated(int process) {
    return created[process];
  }

  /**
   * The processes that began by an event {@link org.parallax.trace.Kind#PROCESS_CREATE}.
   *
   * @param id as the event has it
   * @param how as the event has it
   * @param fromNs when the call that created them began
   * @return empty when they are not replayed
   */
  List<Integer> created(int creator, long id, long how, long fromNs) {
    Creation creation = Creation.of(how);
    if (creation == Creation.MPI_SPAWN) {
      return jobs.getOrDefault(id, List.of());
    }
    List<Integer> candidates = candidates(creator, id, creation);
    if (creation == null || !creation.hasPid()) {
      return candidates;
    }
    for (int child : candidates) {
      if (processes.get(child).startNs() >= fromNs) {
        return List.of(child);
      }
    }
    return List.of();
  }

  /**
   * The process whose end was waited for: the last that exec made of the one that was created.
   *
   * @param byNs when the wait ended
   * @return -1 when it is not replayed
   */
  int ended(int waiter, long id, long how, long byNs) {
    Creation creation = Creation.of(how);
    if (creation == Creation.MPI_SPAWN) {
      return NONE;
    }
    int ended = NONE;
    for (int child : candidates(waiter, id, creation)) {
      if (processes.get(child).startNs() <= byNs) {
        ended = child;
      }
    }
    while (ended != NONE && successor[ended] != NONE) {
      ended = successor[ended];
    }
    return ended;
  }

  private List<Integer> candidates(int creator, long id, Creation creation) {
    ProcessTrace process = processes.get(creator);
    if (creation == null) {
      return List.of();
    }
    return creation.hasPid()
        ? children.getOrDefault(new Child(process.host(), process.pid(), (int) id), List.of())
        : process.pvm() == null ? List.of()
        : tasks.getOrDefault(new Task(process.pvm().machine(), (int) id), List.of());
  }
}
