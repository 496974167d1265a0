package org.parallax.trace;

/** What a Window event says of one-sided communication; FORMAT.md has the meaning of each. */
public enum WindowOp {
  PUT("put"),
  GET("get"),
  ACCUMULATE("accumulate"),
  GET_ACCUMULATE("get-accumulate"),
  FETCH_AND_OP("fetch-and-op"),
  COMPARE_AND_SWAP("compare-and-swap"),
  /** An operation with a request has completed. */
  DONE("done"),
  POST("post"),
  START("start"),
  COMPLETE("complete"),
  WAIT("wait"),
  LOCK_SHARED("shared lock"),
  LOCK_EXCLUSIVE("exclusive lock"),
  UNLOCK("unlock"),
  FLUSH("flush"),
  FLUSH_LOCAL("local flush");

  private static final WindowOp[] VALUES = values();

  private final String label;

  WindowOp(String label) {
    this.label = label;
  }

  /** @return the name in tables */
  public String label() {
    return label;
  }

  /** @return the number in events, see {@link Kind#op} */
  public int op() {
    return ordinal() + 1;
  }

  /** @return whether data moves between the process and the target */
  public boolean isOperation() {
    return ordinal() < DONE.ordinal();
  }

  /** @return the op with a number, or null for one that this reader does not know */
  public static WindowOp of(int op) {
    return op >= 1 && op <= VALUES.length ? VALUES[op - 1] : null;
  }
}
