package org.parallax.analysis.replay;

import org.parallax.trace.CallPaths;

/** Which calls are inside of which others, as their call paths tell. */
public final class CallNesting {
  private CallNesting() {}

  /**
   * @return for each call path the nearest path above it whose leaf is an intercepted or
   *     instrumented routine, 0 if there is none; linear in the number of paths
   */
  public static int[] enclosing(CallPaths paths) {
    int[] enclosing = new int[paths.count()];
    for (int path = 1; path < enclosing.length; path++) {
      int parent = paths.parent(path);
      enclosing[path] =
          parent != 0 && isExact(paths.kind(parent)) ? parent : enclosing[parent];
    }
    return enclosing;
  }

  private static boolean isExact(byte kind) {
    return kind == CallPaths.REGION || kind == CallPaths.FUNCTION;
  }
}
