package org.parallax.analysis.replay;

import java.util.Arrays;

/** The call paths of the calls of a thread that have begun and not ended. */
public final class OpenPaths {
  private int[] paths = new int[16];
  private int depth;

  /** Begins a call within those that are open. */
  public void enter(int path) {
    if (depth == paths.length) {
      paths = Arrays.copyOf(paths, 2 * depth);
    }
    paths[depth++] = path;
  }

  /** Ends the innermost call of a path and all within it; none if there is none of the path. */
  public void leave(int path) {
    for (int i = depth - 1; i >= 0; i--) {
      if (paths[i] == path) {
        depth = i;
        return;
      }
    }
  }

  /** @return whether the thread is outside of all calls */
  public boolean isEmpty() {
    return depth == 0;
  }

  /** @return the call path of the innermost call, if there is one */
  public int innermost() {
    return paths[depth - 1];
  }
}
