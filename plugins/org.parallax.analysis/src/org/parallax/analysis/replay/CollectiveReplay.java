package org.parallax.analysis.replay;

import java.util.HashMap;
import java.util.Map;
import org.parallax.trace.Collective;
import org.parallax.trace.Communicator;
import org.parallax.trace.EventCursor;
import org.parallax.trace.KeptState;
import org.parallax.trace.Kind;
import org.parallax.trace.Providers;
import org.parallax.trace.ThreadTrace;

/**
 * Replays a thread's part in collective operations.
 *
 * <p>A call cannot end before those have arrived whose data it receives, or all if it synchronizes: for these it
 * waits. For others the library may let it wait, too: they pass on what is sent, or the library takes part in an
 * exchange of nothing. Of these the last one counts that arrived during the call, see {@link Needs#addArrivals}.
 */
final class CollectiveReplay {
  private static final int[] UNTOLD = {};

  private final ThreadReplay thread;
  private final EventCursor cursor;
  private final Needs needs;
  private final Communications communications;
  /** Those that were posted and not completed yet, with those whose data they receive. */
  private final Map<Long, int[]> posted = new HashMap<>();

  // Whom the operation needs: a range of its participants or, if not null, these.
  private int from;
  private int to;
  private int[] members;

  CollectiveReplay(ThreadReplay thread) {
    this.thread = thread;
    cursor = thread.cursor();
    needs = thread.needs();
    communications = thread.replay().communications(thread.process());
  }

  void post() {
    if (cursor.kind() == Kind.KEPT) {
      postAgain();
      return;
    }
    Communicator communicator = communications.communicator(cursor.operand());
    if (communicator != null) {
      long sequence = cursor.payload(3);
      int[] providers = Providers.of(cursor, Communications.peers(communicator));
      posted.put(idOf(sequence), providers == null ? UNTOLD : providers);
      thread.provider();
      thread.contribute(Keys.collective(communications.shared(cursor.operand())), sequence,
          Communications.size(communicator), Communications.ownRank(communicator));
    }
  }

  /** One that was posted before the first of the thread's events that are kept: from then on it is known. */
  private void postAgain() {
    ThreadTrace trace = thread.record().thread();
    boolean isFirst = trace.kept() != null && trace.keptFromNs() == thread.timeNs();
    if (!isFirst || cursor.payload(0) != KeptState.What.COLLECTIVE.ordinal()) {
      return;
    }
    Communicator communicator = communications.communicator(cursor.operand());
    if (communicator != null) {
      long sequence = cursor.payload(4);
      posted.put(idOf(sequence), UNTOLD);
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
    int[] providers = posted.isEmpty() ? null : posted.remove(idOf(sequence));
    boolean wasPosted = providers != null;
    if (!wasPosted) {
      thread.contribute(key, sequence, size, Communications.ownRank(communicator));
      providers = Providers.of(cursor, Communications.peers(communicator));
    }
    int detail = op.op() | (wasPosted ? WaitListener.POSTED : 0);
    if (op.dependency() == Collective.Dependency.PERHAPS_EACH_FOR_EACH) {
      needs.addReadyGroup(ArcKind.COLLECTIVE, key, sequence, size);
      needs.describe(detail);
      return;
    }
    choose(communicator, op, providers == UNTOLD ? null : providers);
    boolean isAll = members == null && from == 0 && to == size;
    if (members == null) {
      needs.addGroup(ArcKind.COLLECTIVE, key, sequence, size, from, to);
    } else {
      needs.addMembers(ArcKind.COLLECTIVE, key, sequence, size, members);
    }
    needs.describe(detail | (isAll ? 0 : WaitListener.SOME));
    if (!isAll) {
      needs.addArrivals(ArcKind.COLLECTIVE, key, sequence, size, cursor.payload(1) + cursor.payload(2));
      needs.describe(detail);
    }
  }

  /** Sets whom the call needs. */
  private void choose(Communicator communicator, Collective op, int[] providers) {
    boolean inter = communicator.isInter();
    from = 0;
    to = Communications.size(communicator);
    members = null;
    if (op.dependency() == Collective.Dependency.SYNCHRONIZED) {
      return;
    }
    int first = Communications.firstPeer(communicator);
    int peers = Communications.peers(communicator);
    int rank = communicator.ownRank();
    int root = Kind.root(cursor.payload(0));
    if (op != Collective.BARRIER && cursor.payload(2) == 0) {
      to = from;
    } else if (providers != null) {
      members = providers.clone();
      for (int i = 0; i < members.length; i++) {
        members[i] += first;
      }
      if (members.length == 0) {
        members = null;
        to = from;
      }
    } else {
      from = first;
      to = first + peers;
      switch (op.dependency()) {
        case EACH_FOR_ROOT -> {
          from = first + root;
          to = root >= peers || !inter && rank == root ? from : from + 1;
        }
        case ROOT_FOR_EACH -> to = inter || rank == root ? to : from;
        case EACH_FOR_LOWER -> to = from + rank;
        case EACH_FOR_NEIGHBOURS -> to = from;
        default -> { }
      }
    }
  }
}
