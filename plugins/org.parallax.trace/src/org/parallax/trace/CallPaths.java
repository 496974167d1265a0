package org.parallax.trace;

/**
 * The call paths of a process: a tree in dense arrays, indexed by the path's number. Path 0 is the
 * empty path. For every path {@code 0 <= parent(path) < path} holds (0 for path 0), so that walks
 * to the root end.
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

  private final int[] parent;
  private final byte[] kind;
  private final long[] value;

  CallPaths(int[] parent, byte[] kind, long[] value) {
    this.parent = parent;
    this.kind = kind;
    this.value = value;
  }

  /** The number of paths, path 0 included: paths are numbered below this. */
  public int count() {
    return parent.length;
  }

  /**
   * Whether events may refer to this path.
   *
   * @param path any number
   * @return false for numbers out of range and for paths whose definition is missing
   */
  public boolean isDefined(int path) {
    return path == 0 || path > 0 && path < kind.length && kind[path] != UNDEFINED;
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
