package org.parallax.analysis.path;

import org.parallax.analysis.replay.ArcKind;

/** Is told of the parts of a critical path, from its end to its begin. Weights add up to its length. */
interface PathVisitor {
  /**
   * Work of a thread.
   *
   * @param path call path in the thread's process to which the work belongs, or 0 if no sample or
   *     call says what it was
   */
  void work(int thread, int path, long ns);

  /**
   * An arc between threads.
   *
   * @param fromPath call path, in its thread's process, in which the arc begins: that of the call that
   *     gave something to the other thread, or of the work at that moment. 0 if nothing tells
   * @param toPath of the call that waited
   */
  void arc(ArcKind kind, int fromThread, int fromPath, int toThread, int toPath, long ns);
}
