package org.parallax.trace;

import java.util.Arrays;

/**
 * The call paths of a process: a tree in dense arrays, indexed by the path's number. Path 0 is the
 * empty path. For every path {@code 0 <= parent(path) < path} holds (0 for path 0), so that walks
 * to the root end.
 *
 * <p>Paths that the trace defines come first. Below each of them that can lose the processor outside
 * of routines follow one of each kind {@link #OFF_CPU}, {@link #PREEMPTED} and {@link #BLOCKED}, to which
 * no event refers: see {@link #offCpu}.
 */
public final class CallPaths {
  /** The leaf is an intercepted routine: the value is the number of a {@link Region}. */
  public static final byte REGION = 0;
  /** The leaf is a return address: it is looked up minus one. */
  public static final byte RETURN_ADDRESS = 1;
  /** The leaf is an exact address. */
  public static final byte ADDRESS = 2;
  /** The leaf is an instrumented function: the value is its entry address. */
  public static final byte FUNCTION = 3;
  /** Path 0, or a path whose definition is not in the trace. */
  public static final byte UNDEFINED = 4;
  /** The leaf stands for time in which the path above it had no processor; it is not known why. */
  public static final byte OFF_CPU = 5;
  /** The same, for time in which the thread could have used a processor. */
  public static final byte PREEMPTED = 6;
  /** The same, for time in which the thread waited for something else than a processor. */
  public static final byte BLOCKED = 7;

  private final int[] parent;
  private final byte[] kind;
  private final long[] value;
  /** Of each defined path that of its time without a processor. */
  private final int[] offCpu;

  /** Of the paths that the trace defines. */
  CallPaths(int[] parent, byte[] kind, long[] value) {
    int defined = parent.length;
    int[] parents = Arrays.copyOf(parent, 4 * defined);
    byte[] kinds = Arrays.copyOf(kind, 4 * defined);
    offCpu = new int[defined];
    int count = defined;
    for (int path = 0; path < defined; path++) {
      if (path > 0 && (kind[path] == REGION || kind[path] == UNDEFINED)) {
        offCpu[path] = offCpu[parent[path]];
      } else {
        offCpu[path] = count;
        for (byte off = OFF_CPU; off <= BLOCKED; off++) {
          parents[count] = path;
          kinds[count++] = off;
        }
      }
    }
    this.parent = Arrays.copyOf(parents, count);
    this.kind = Arrays.copyOf(kinds, count);
    this.value = Arrays.copyOf(value, count);
  }

  /**
   * The path of time in which the thread had no processor, outside of routines.
   *
   * @param path that was open meanwhile: one of the trace; its innermost function counts
   * @return a path of kind {@link #OFF_CPU}
   */
  public int offCpu(int path) {
    return offCpu[path];
  }

  /** The same of kind {@link #PREEMPTED}. */
  public int preempted(int path) {
    return offCpu[path] + PREEMPTED - OFF_CPU;
  }

  /** The same of kind {@link #BLOCKED}. */
  public int blocked(int path) {
    return offCpu[path] + BLOCKED - OFF_CPU;
  }

  /** Whether a path stands for time without a processor, outside of routines. */
  public boolean isOffCpu(int path) {
    return path >= offCpu.length && path < parent.length;
  }

  /** The number of paths, path 0 included: paths are numbered below this. */
  public int count() {
    return parent.length;
  }

  /** The number of paths of the trace, path 0 included: events refer to numbers below this. */
  public int definedCount() {
    return offCpu.length;
  }

  /**
   * Whether events may refer to this path.
   *
   * @param path any number
   * @return false for numbers out of range and for paths whose definition is missing
   */
  public boolean isDefined(int path) {
    return path == 0 || path > 0 && path < offCpu.length && kind[path] != UNDEFINED;
  }

  /** Whether the leaf of a path of the trace is an intercepted routine. */
  public boolean isRoutine(int path) {
    return path > 0 && path < offCpu.length && kind[path] == REGION;
  }

  /** Whether the leaf of a path of the trace is an instrumented function. */
  public boolean isFunction(int path) {
    return path > 0 && path < offCpu.length && kind[path] == FUNCTION;
  }

  /** The path without its leaf. */
  public int parent(int path) {
    return parent[path];
  }

  /** What the leaf is: one of the constants of this class. */
  public byte kind(int path) {
    return kind[path];
  }

  /** The region number or the address of the leaf, according to {@link #kind}. */
  public long value(int path) {
    return value[path];
  }

  /** The parents of all paths; not to be changed. */
  public int[] parents() {
    return parent;
  }

  /** The kinds of all paths; not to be changed. */
  public byte[] kinds() {
    return kind;
  }

  /** The values of all paths; not to be changed. */
  public long[] values() {
    return value;
  }
}
