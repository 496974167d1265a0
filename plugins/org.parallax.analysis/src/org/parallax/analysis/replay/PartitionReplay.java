package org.parallax.analysis.replay;

import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;
import org.parallax.trace.PartitionOp;

/** Replays what a thread says of partitioned messages. */
final class PartitionReplay {
  private static final int MOST_PARTITIONS = 1 << 20;

  private final ThreadReplay thread;
  private final EventCursor cursor;
  private final Needs needs;
  private final Communications communications;

  PartitionReplay(ThreadReplay thread) {
    this.thread = thread;
    cursor = thread.cursor();
    needs = thread.needs();
    communications = thread.replay().communications(thread.process());
  }

  void event(boolean sends) {
    PartitionOp op = PartitionOp.of(Kind.partitionOp(cursor.payload(2)));
    Partitions.Key key = communications.partitioned(cursor.operand(), cursor.payload(0), cursor.payload(1), sends);
    if (op == null || key == null || !isPossible(op)) {
      return;
    }
    Partitions partitions = thread.exchange().partitions(key);
    if (sends) {
      sent(op, partitions);
    } else {
      received(op, partitions);
    }
  }

  /** @return false for an event of a damaged trace */
  private boolean isPossible(PartitionOp op) {
    return total() >= 0 && total() <= MOST_PARTITIONS
        && (op != PartitionOp.PARTITIONS || total() > 0 && first() + count() <= total());
  }

  private int total() {
    return Kind.partitions(cursor.payload(2));
  }

  private long first() {
    return cursor.payload(3) >>> 32;
  }

  private long count() {
    return cursor.payload(3) & 0xffffffffL;
  }

  private void sent(PartitionOp op, Partitions partitions) {
    switch (op) {
      case START -> partitions.start(thread.timeNs(), thread.length(), thread.provider());
      case PARTITIONS -> partitions.provide(
          first(), count(), total(), thread.timeNs(), thread.length(), thread.provider());
      case DONE -> {
        if (thread.isInRoutine()) {
          needs.addReceiver(partitions);
        } else {
          partitions.leaveSender();
        }
      }
    }
  }

  private void received(PartitionOp op, Partitions partitions) {
    switch (op) {
      case START -> partitions.setReceiver(
          thread.timeNs(), thread.length(), thread.vertex(cursor.position(), thread.length()));
      case PARTITIONS -> {
        if (thread.isInRoutine()) {
          needs.addPartitions(partitions, first(), count(), total(), cursor.payload(4));
        }
      }
      case DONE -> needs.addAllPartitions(partitions, cursor.payload(4));
    }
  }
}
