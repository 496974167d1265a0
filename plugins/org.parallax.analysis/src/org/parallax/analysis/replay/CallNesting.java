package org.parallax.analysis.replay;

import org.parallax.trace.CallPaths;
import org.parallax.trace.ProcessTrace;
import org.parallax.trace.Region;

/** Which calls are inside of which others, as their call paths tell. */
public final class CallNesting {
  private CallNesting() {}

  /**
   * @return for each call path of a process the nearest path above it whose leaf is an intercepted or
   *     instrumented routine, 0 if there is none; linear in the number of paths. What stands for the unknown begin of a
   *     stack is no routine.
   */
  public static int[] enclosing(ProcessTrace process) {
    CallPaths paths = process.callPaths();
    int[] enclosing = new int[paths.count()];
    for (int path = 1; path < enclosing.length; path++) {
      int parent = paths.parent(path);
      enclosing[path] = parent != 0 && isRoutine(process, parent) ? parent : enclosing[parent];
    }
    return enclosing;
  }

  private static boolean isRoutine(ProcessTrace process, int path) {
    CallPaths paths = process.callPaths();
    if (paths.kind(path) == CallPaths.REGION) {
      Region region = process.region((int) paths.value(path));
      return region == null || region.group() != Region.Group.AGENT;
    }
    return paths.kind(path) == CallPaths.FUNCTION;
  }
}
