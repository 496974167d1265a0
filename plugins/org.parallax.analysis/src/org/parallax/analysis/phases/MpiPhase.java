package org.parallax.analysis.phases;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.parallax.analysis.ApplicationAnalysis;
import org.parallax.analysis.replay.Window;
import org.parallax.analysis.table.Table;
import org.parallax.trace.CallPaths;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;
import org.parallax.trace.ThreadTrace;
import org.parallax.trace.Trace;

/**
 * The part of a run between {@code MPI_Init} and {@code MPI_Finalize}: from where the last rank leaves
 * the one to where the first rank begins the other. The first {@code MPI_Session_init} and the last {@code MPI_Session_finalize} count as
 * these do. A rank that has not called {@code MPI_Finalize} ends with its thread. Jobs that ranks spawn are a part of the program's work: only the ranks that nobody in the
 * application spawned count.
 *
 * <p>Cost: the events before {@code MPI_Init} ends and after {@code MPI_Finalize} begins.
 *
 * @param window the part
 * @param outsideNs from the first begin of {@code MPI_Init} to its last end, and from the first begin of
 *     {@code MPI_Finalize} to its last end, over all of these ranks
 * @param runNs from the first event of all to the last
 */
public record MpiPhase(Window window, long outsideNs, long runNs) {
  /** The name of the phase, where the program has none of this name. */
  public static final String NAME = "mpi";
  static final String WHAT = "between MPI_Init and MPI_Finalize";
  private static final double WORTH_LEAVING_OUT = 0.1;
  private static final Set<String> BEGINS = Set.of("MPI_Init", "MPI_Init_thread", "MPI_Session_init");
  private static final Set<String> ENDS = Set.of("MPI_Finalize", "MPI_Session_finalize");

  /** The span of calls, over all ranks: from the first begin to the last end. */
  private static final class Calls {
    long firstBeginNs = Long.MAX_VALUE;
    long lastEndNs = Long.MIN_VALUE;

    void add(long beginNs, long endNs) {
      firstBeginNs = Math.min(firstBeginNs, beginNs);
      lastEndNs = Math.max(lastEndNs, endNs);
    }

    boolean isNone() {
      return lastEndNs == Long.MIN_VALUE;
    }

    long ns() {
      return isNone() ? 0 : Math.max(0, lastEndNs - firstBeginNs);
    }
  }

  /** @return empty for an application without MPI, where no time is between the two, and for profiles without events */
  public static Optional<MpiPhase> of(ApplicationAnalysis analysis) {
    if (analysis.workload().traces().stream().anyMatch(Trace::isProfile)) {
      return Optional.empty();
    }
    Calls init = new Calls();
    Calls end = new Calls();
    long beginNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    long untilNs = Long.MAX_VALUE;
    Set<Long> spawners = spawners(analysis);
    for (ProcessTrace process : analysis.workload().processes()) {
      boolean isSpawned = process.communicatorsBetweenJobs().stream()
          .anyMatch(each -> each.isParent() && spawners.contains(each.globalId()));
      boolean[] isInit = isSpawned ? null : calls(process, BEGINS);
      boolean[] isEnd = isSpawned ? null : calls(process, ENDS);
      for (ThreadTrace thread : process.threads()) {
        if (thread.slotCount() == 0 || thread.isRuntimeThread()) {
          continue;
        }
        beginNs = Math.min(beginNs, thread.beginNs());
        endNs = Math.max(endNs, thread.endNs());
        if (isInit != null && findFirst(thread, isInit, init)) {
          boolean ends = isEnd != null && findLast(thread, isEnd, end);
          untilNs = Math.min(untilNs, ends ? end.firstBeginNs : thread.endNs());
          isInit = null;
        }
      }
    }
    if (init.isNone() || init.lastEndNs >= untilNs) {
      return Optional.empty();
    }
    return Optional.of(new MpiPhase(
        new Window(init.lastEndNs, untilNs), init.ns() + end.ns(), endNs - beginNs));
  }

  /** @return the communicators with which processes of the application have spawned others, and those of accepts */
  private static Set<Long> spawners(ApplicationAnalysis analysis) {
    Set<Long> spawners = new HashSet<>();
    for (ProcessTrace process : analysis.workload().processes()) {
      process.communicatorsBetweenJobs().stream().filter(each -> each.isInter() && !each.isParent())
          .forEach(each -> spawners.add(each.globalId()));
    }
    return spawners;
  }

  /** @return which call paths end in one of the routines; null if none does */
  private static boolean[] calls(ProcessTrace process, Set<String> routines) {
    CallPaths paths = process.callPaths();
    boolean[] calls = null;
    for (int path = 1; path < paths.count(); path++) {
      Region region = paths.kind(path) == CallPaths.REGION
          ? process.region((int) paths.value(path)) : null;
      if (region != null && region.group() == Region.Group.MPI
          && routines.contains(region.name())) {
        calls = calls == null ? new boolean[paths.count()] : calls;
        calls[path] = true;
      }
    }
    return calls;
  }

  private static boolean is(boolean[] calls, int path) {
    return path > 0 && path < calls.length && calls[path];
  }

  private static boolean findFirst(ThreadTrace thread, boolean[] calls, Calls found) {
    EventCursor cursor = thread.cursor();
    long enteredNs = thread.beginNs();
    while (cursor.next()) {
      if (cursor.kind() == Kind.ENTER && is(calls, cursor.operand())) {
        enteredNs = cursor.timeNs();
      } else if (cursor.kind() == Kind.LEAVE && is(calls, cursor.operand())) {
        found.add(enteredNs, cursor.timeNs());
        return true;
      }
    }
    return false;
  }

  private static boolean findLast(ThreadTrace thread, boolean[] calls, Calls found) {
    EventCursor cursor = thread.cursor();
    cursor.end();
    long leftNs = thread.endNs();
    while (cursor.previous()) {
      if (cursor.kind() == Kind.LEAVE && is(calls, cursor.operand())) {
        leftNs = cursor.timeNs();
      } else if (cursor.kind() == Kind.ENTER && is(calls, cursor.operand())) {
        found.add(cursor.timeNs(), leftNs);
        return true;
      }
    }
    return false;
  }

  /** @return the table, with a hint at the phase if it is about all of a run and much of it is outside */
  public static Table hinted(ApplicationAnalysis analysis, Table table) {
    return hinted(List.of(analysis), table);
  }

  /** The same of a table about several runs, with a hint for each of them. */
  public static Table hinted(List<ApplicationAnalysis> analyses, Table table) {
    List<String> warnings = new ArrayList<>(table.warnings());
    for (ApplicationAnalysis analysis : analyses) {
      String whose = analyses.size() == 1 ? "" : analysis.name() + ": ";
      if (analysis.window() == Window.ALL) {
        of(analysis).filter(phase -> phase.outsideNs > WORTH_LEAVING_OUT * phase.runNs)
            .ifPresent(phase -> warnings.add(whose + "the start and the end of MPI take "
                + Math.round(100.0 * phase.outsideNs / phase.runNs) + " % of the run; the phase " + NAME
                + " is the time between them"));
      }
    }
    return table.with(warnings);
  }
}
