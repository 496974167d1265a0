package org.parallax.trace;

/** What an event says of a partitioned message; FORMAT.md has the meaning of each. */
public enum PartitionOp {
  START("start"),
  /** Partitions are ready to be sent, or were seen to have arrived. */
  PARTITIONS("partitions"),
  DONE("done");

  private static final PartitionOp[] VALUES = values();

  private final String label;

  PartitionOp(String label) {
    this.label = label;
  }

  /** @return the name in tables */
  public String label() {
    return label;
  }

  /** @return the number in events, see {@link Kind#partitionOp} */
  public int op() {
    return ordinal() + 1;
  }

  /** @return the op with a number, or null for one that this reader does not know */
  public static PartitionOp of(int op) {
    return op >= 1 && op <= VALUES.length ? VALUES[op - 1] : null;
  }
}
