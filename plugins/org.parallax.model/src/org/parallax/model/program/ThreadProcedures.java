package org.parallax.model.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Trace;

/** Finds the procedures that a thread executed: those on the call paths of its events. */
public final class ThreadProcedures {
  private ThreadProcedures() {
  }

  /**
   * The procedures of a thread, which it keeps from then on.
   *
   * <p>Cost: for the only thread of a process, linear in the call paths of the process, all of which
   * are its own; otherwise linear in the events of the thread, once.
   *
   * @return unmodifiable, in the order of ids; empty for a thread without events
   */
  public static List<Procedure> of(ProgramThread thread) {
    Application application = thread.getProcess().getApplication();
    return thread.procedures(() -> {
      Map<Integer, Procedure> byId = new HashMap<>();
      application.getProcedures().forEach(each -> byId.put(each.getId(), each));
      return find(application.getTrace(), thread).stream().map(byId::get).toList();
    });
  }

  private static Set<Integer> find(Trace trace, ProgramThread thread) {
    ProcessTrace process = trace.processes().get(thread.getProcess().getIndex());
    Procedures procedures = Procedures.of(trace);
    Set<Integer> ids = new TreeSet<>();
    if (thread.getProcess().getThreads().size() == 1) {
      procedures.collect(process.index(), ids);
      return ids;
    }
    boolean[] used = new boolean[process.callPaths().count()];
    EventCursor cursor = process.threads().get(thread.getIndex()).cursor();
    while (cursor.next()) {
      int kind = cursor.kind();
      if (kind == Kind.ENTER || kind == Kind.SAMPLE || kind == Kind.VISITS) {
        int path = cursor.operand();
        if (process.callPaths().isDefined(path)) {
          used[path] = true;
        }
      }
    }
    for (int path = 1; path < used.length; path++) {
      if (used[path]) {
        for (int id : procedures.frames(process.index(), path)) {
          ids.add(id);
        }
      }
    }
    return ids;
  }
}
