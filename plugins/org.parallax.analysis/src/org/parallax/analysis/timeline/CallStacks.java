package org.parallax.analysis.timeline;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.parallax.analysis.internal.KeyMap;

/**
 * The stacks of open calls that a thread had, each once: a tree of call paths, of which a number stands
 * for a whole stack.
 */
final class CallStacks {
  /** No open call. */
  static final int EMPTY = 0;

  private int[] parents = new int[16];
  private int[] paths = new int[16];
  /** What was entered last from here: most calls are of the same kind as those before. */
  private int[] lastEntered = new int[16];
  private int count = 1;
  private final KeyMap known = new KeyMap();

  /** Writes all stacks so that {@link #read} gets them back by the same numbers. */
  void write(DataOutputStream out) throws IOException {
    out.writeInt(count);
    for (int stack = 1; stack < count; stack++) {
      out.writeInt(parents[stack]);
      out.writeInt(paths[stack]);
    }
  }

  /**
   * @throws java.nio.BufferUnderflowException if it is cut
   * @throws IllegalArgumentException if it is something else
   */
  static CallStacks read(ByteBuffer in) {
    CallStacks stacks = new CallStacks();
    int count = in.getInt();
    for (int stack = 1; stack < count; stack++) {
      int parent = in.getInt();
      if (parent < 0 || parent >= stack || stacks.enter(parent, in.getInt()) != stack) {
        throw new IllegalArgumentException("stacks that are none");
      }
    }
    return stacks;
  }

  /** @return how many there are; they are numbered from 0 */
  int count() {
    return count;
  }

  /** @return the stack after a call of a path has begun */
  int enter(int stack, int path) {
    int last = lastEntered[stack];
    if (last != EMPTY && paths[last] == path) {
      return last;
    }
    int entered = known.get(stack, path);
    if (entered < 0) {
      if (count == parents.length) {
        parents = Arrays.copyOf(parents, 2 * count);
        paths = Arrays.copyOf(paths, 2 * count);
        lastEntered = Arrays.copyOf(lastEntered, 2 * count);
      }
      entered = count++;
      parents[entered] = stack;
      paths[entered] = path;
      known.add(stack, path, entered);
    }
    lastEntered[stack] = entered;
    return entered;
  }

  /** @return the stack after the innermost call of a path has ended, with all within it */
  int leave(int stack, int path) {
    for (int at = stack; at != EMPTY; at = parents[at]) {
      if (paths[at] == path) {
        return parents[at];
      }
    }
    return stack;
  }

  /** @return the call path of the innermost call of a stack that is not empty */
  int innermost(int stack) {
    return paths[stack];
  }
}
