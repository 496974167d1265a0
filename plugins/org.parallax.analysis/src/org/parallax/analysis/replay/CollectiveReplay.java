package org.parallax.analysis.replay;

import java.util.HashSet;
import java.util.Set;
import org.parallax.trace.Collective;
import org.parallax.trace.Communicator;
import org.parallax.trace.EventCursor;
import org.parallax.trace.Kind;

/** Replays a thread's part in collective operations. */
final class CollectiveReplay {
  private final ThreadReplay thread;
  private final EventCursor cursor;
  private final Needs needs;
  private final Communications communications;
  /** Those that were posted and not completed yet. */
  private final Set<Long> posted = new HashSet<>();

  CollectiveReplay(ThreadReplay thread) {
    this.thread = thread;
    cursor = thread.cursor();
    needs = thread.needs();
    communications = thread.replay().communications(thread.process());
  }

  void post() {
    Communicator communicator = communications.communicator(cursor.operand());
    if (communicator != null) {
      long sequence = cursor.payload(3);
      posted.add(idOf(sequence));
      thread.provider();
      thread.contribute(Keys.collective(communications.shared(cursor.operand())), sequence,
          Communications.size(communicator), Communications.ownRank(communicator));
    }
  }

  private long idOf(long sequence) {
    return (long) cursor.operand() << 40 ^ sequence;
  }

  void complete() {
    Communicator communicator = communications.communicator(cursor.operand());
    Collective op = Collective.of(Kind.op(cursor.payload(0)));
    if (communicator == null || op == null) {
      return;
    }
    long key = Keys.collective(communications.shared(cursor.operand()));
    long sequence = cursor.payload(3);
    int size = Communications.size(communicator);
    int rank = Communications.ownRank(communicator);
    boolean wasPosted = !posted.isEmpty() && posted.remove(idOf(sequence));
    if (!wasPosted) {
      thread.contribute(key, sequence, size, rank);
    }
    int root = Kind.root(cursor.payload(0));
    boolean rooted = !communicator.isInter() && root < size;
    int from = 0;
    int to = size;
    if (rooted && op.dependency() == Collective.Dependency.EACH_FOR_ROOT) {
      from = root;
      to = rank == root ? root : root + 1;
    } else if (rooted && op.dependency() == Collective.Dependency.ROOT_FOR_EACH) {
      to = rank == root ? size : 0;
    } else if (!communicator.isInter() && op.dependency() == Collective.Dependency.EACH_FOR_LOWER) {
      to = rank;
    }
    if (op.dependency() == Collective.Dependency.PERHAPS_EACH_FOR_EACH) {
      needs.addReadyGroup(ArcKind.COLLECTIVE, key, sequence, size);
    } else {
      needs.addGroup(ArcKind.COLLECTIVE, key, sequence, size, from, to);
    }
    needs.describe(op.op() | (wasPosted ? WaitListener.POSTED : 0));
  }
}
